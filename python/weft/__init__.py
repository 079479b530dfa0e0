"""Weft: distributed Fourier-type transforms and Poisson solvers with any mix of boundaries, over MPI.

Importing the package starts MPI (through mpi4py) and makes sure that mpi4py and Weft use the same MPI library.
Without a launcher there is one rank and everything works serially.
"""

from weft import _loading

_loading.start()

from weft import _mpi  # noqa: E402

_mpi.start()

from weft import _namesake  # noqa: E402

_namesake.warn_if_shared()

from weft import scipy_backend  # noqa: E402
from weft._build import VERSION as __version__  # noqa: E402  MPI must be checked before the library is used
from weft.chebyshev import chebyshev_points, chebyshev_weights  # noqa: E402
from weft.checkpoint import (  # noqa: E402
    Checkpoint,
    CheckpointFolder,
    load_checkpoint,
    save_checkpoint,
    verify_checkpoint,
)
from weft.errors import CaseError, Error, FileError, FormulaError, ResourceError  # noqa: E402
from weft.field import Field  # noqa: E402
from weft.functions import (  # noqa: E402
    clear_plans,
    dct,
    dctn,
    dst,
    dstn,
    fft,
    fft2,
    fftn,
    idct,
    idctn,
    idst,
    idstn,
    ifft,
    ifft2,
    ifftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from weft.halo import Halo  # noqa: E402
from weft.in_place import InPlaceField, SolverField  # noqa: E402
from weft.kernel import Kernel, kernel_of_distance, kernel_of_wavenumber, kernels  # noqa: E402
from weft.particle_mesh import Migration, ParticleMesh  # noqa: E402
from weft.plan import Plan, strategies  # noqa: E402
from weft.poisson import Poisson  # noqa: E402
from weft.prediction import (  # noqa: E402
    Machine,
    Prediction,
    explain,
    explain_solve,
    machine,
    predict,
    predict_solve,
)
from weft.redistribution import Redistribution  # noqa: E402
from weft.tensor import TensorDft, TensorTraffic  # noqa: E402
from weft.time_series import TimeSeries  # noqa: E402
from weft.tuning import Tuning, tune  # noqa: E402
from weft.variable_poisson import VariablePoisson  # noqa: E402
from weft.vector_poisson import VectorPoisson, vector_boundary  # noqa: E402
from weft.workspace import Workspace  # noqa: E402

__all__ = [
    "CaseError",
    "Checkpoint",
    "CheckpointFolder",
    "Error",
    "Field",
    "FileError",
    "FormulaError",
    "Halo",
    "InPlaceField",
    "Kernel",
    "Machine",
    "Migration",
    "ParticleMesh",
    "Plan",
    "Poisson",
    "Prediction",
    "Redistribution",
    "ResourceError",
    "SolverField",
    "TensorDft",
    "TensorTraffic",
    "TimeSeries",
    "Tuning",
    "VariablePoisson",
    "VectorPoisson",
    "Workspace",
    "__version__",
    "chebyshev_points",
    "chebyshev_weights",
    "clear_plans",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "explain",
    "explain_solve",
    "fft",
    "fft2",
    "fftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "irfft2",
    "irfftn",
    "kernel_of_distance",
    "kernel_of_wavenumber",
    "kernels",
    "load_checkpoint",
    "machine",
    "predict",
    "predict_solve",
    "rfft",
    "rfft2",
    "rfftn",
    "save_checkpoint",
    "scipy_backend",
    "strategies",
    "tune",
    "vector_boundary",
    "verify_checkpoint",
]
