"""The flags, directions and types of transforms of pfft-python."""

from enum import IntEnum, IntFlag


class Flags(IntFlag):
    """The flags of a partition or a plan. Flags about tuning and inputs have no effect.

    TRANSPOSED_IN, TRANSPOSED_OUT  modes are cut along the axes after those along which the points are cut.
    PADDED_R2C                     rows of n real points have room for their n/2 + 1 modes.
    MEASURE, PATIENT, EXHAUSTIVE   planning measures how to move the data, for longer with the last two.
    """

    TRANSPOSED_NONE = PFFT_TRANSPOSED_NONE = 0
    SHIFTED_NONE = PFFT_SHIFTED_NONE = 0
    MEASURE = PFFT_MEASURE = 0
    NO_TUNE = PFFT_NO_TUNE = 0
    TRANSPOSED_IN = PFFT_TRANSPOSED_IN = 1 << 0
    TRANSPOSED_OUT = PFFT_TRANSPOSED_OUT = 1 << 1
    SHIFTED_IN = PFFT_SHIFTED_IN = 1 << 2
    SHIFTED_OUT = PFFT_SHIFTED_OUT = 1 << 3
    ESTIMATE = PFFT_ESTIMATE = 1 << 4
    PATIENT = PFFT_PATIENT = 1 << 5
    EXHAUSTIVE = PFFT_EXHAUSTIVE = 1 << 6
    TUNE = PFFT_TUNE = 1 << 7
    PRESERVE_INPUT = PFFT_PRESERVE_INPUT = 1 << 8
    DESTROY_INPUT = PFFT_DESTROY_INPUT = 1 << 9
    BUFFERED_INPLACE = PFFT_BUFFERED_INPLACE = 1 << 10
    PADDED_R2C = PFFT_PADDED_R2C = 1 << 11
    PADDED_C2R = PFFT_PADDED_C2R = 1 << 12


class Direction(IntEnum):
    """The sign of the exponent: forward has exp(-i k x). Neither direction divides."""

    FORWARD = PFFT_FORWARD = -1
    BACKWARD = PFFT_BACKWARD = 1


class Type(IntEnum):
    """The numbers of a transform: complex, real to complex, complex to real, real; F is single precision."""

    C2C = PFFT_C2C = 0
    R2C = PFFT_R2C = 1
    C2R = PFFT_C2R = 2
    R2R = PFFT_R2R = 3
    C2CF = PFFTF_C2C = 4
    R2CF = PFFTF_R2C = 5
    C2RF = PFFTF_C2R = 6
    R2RF = PFFTF_R2R = 7

    @property
    def inverse(self) -> "Type":
        """The type of the inverse transform."""
        return {1: Type.C2R, 2: Type.R2C, 5: Type.C2RF, 6: Type.R2CF}.get(int(self), self)

    def is_inverse_of(self, other: "Type") -> bool:
        """Whether this is the type of the inverse of another."""
        return self == other.inverse

    @property
    def precision(self) -> str:
        """The precision, as weft.Plan names it."""
        return "float32" if self >= Type.C2CF else "float64"
