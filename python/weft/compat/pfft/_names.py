"""The flags, directions and types of transforms of pfft-python."""

from enum import IntEnum, IntFlag


class Flags(IntFlag):
    """What a partition or a plan is asked for. Those about tuning and inputs have no effect.

    TRANSPOSED_IN, TRANSPOSED_OUT  modes are cut along the axes after those along which the points are cut.
    PADDED_R2C                     rows of n real points have room for their n/2 + 1 modes.
    MEASURE, PATIENT, EXHAUSTIVE   planning measures how to move the data, for longer with the last two.
    """

    PFFT_TRANSPOSED_NONE = TRANSPOSED_NONE = 0
    PFFT_SHIFTED_NONE = SHIFTED_NONE = 0
    PFFT_MEASURE = MEASURE = 0
    PFFT_NO_TUNE = NO_TUNE = 0
    PFFT_TRANSPOSED_IN = TRANSPOSED_IN = 1 << 0
    PFFT_TRANSPOSED_OUT = TRANSPOSED_OUT = 1 << 1
    PFFT_SHIFTED_IN = SHIFTED_IN = 1 << 2
    PFFT_SHIFTED_OUT = SHIFTED_OUT = 1 << 3
    PFFT_ESTIMATE = ESTIMATE = 1 << 4
    PFFT_PATIENT = PATIENT = 1 << 5
    PFFT_EXHAUSTIVE = EXHAUSTIVE = 1 << 6
    PFFT_TUNE = TUNE = 1 << 7
    PFFT_PRESERVE_INPUT = PRESERVE_INPUT = 1 << 8
    PFFT_DESTROY_INPUT = DESTROY_INPUT = 1 << 9
    PFFT_BUFFERED_INPLACE = BUFFERED_INPLACE = 1 << 10
    PFFT_PADDED_R2C = PADDED_R2C = 1 << 11
    PFFT_PADDED_C2R = PADDED_C2R = 1 << 12


class Direction(IntEnum):
    """The sign of the exponent: forward has exp(-i k x). Neither direction divides."""

    PFFT_FORWARD = FORWARD = -1
    PFFT_BACKWARD = BACKWARD = 1


class Type(IntEnum):
    """The numbers of a transform: complex, real to complex, complex to real, real; F is single precision."""

    PFFT_C2C = C2C = 0
    PFFT_R2C = R2C = 1
    PFFT_C2R = C2R = 2
    PFFT_R2R = R2R = 3
    PFFTF_C2C = C2CF = 4
    PFFTF_R2C = R2CF = 5
    PFFTF_C2R = C2RF = 6
    PFFTF_R2R = R2RF = 7

    @property
    def inverse(self) -> "Type":
        """The type of the transform back."""
        return {1: Type.C2R, 2: Type.R2C, 5: Type.C2RF, 6: Type.R2CF}.get(int(self), self)

    def is_inverse_of(self, other: "Type") -> bool:
        """Whether this is the type of the transform back from another."""
        return self == other.inverse

    @property
    def precision(self) -> str:
        """The precision, as weft.Plan names it."""
        return "float32" if self >= Type.C2CF else "float64"
