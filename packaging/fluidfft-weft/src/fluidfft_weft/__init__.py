"""Plugin of fluidfft: its classes of transforms by weft.Plan. fluidfft finds them by their entry points."""
