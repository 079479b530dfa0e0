"""The kinds of cases by name, and their shares of the time."""

from fuzz.bad_input import BadInput
from fuzz.cases import Case
from fuzz.derivatives import Derivative
from fuzz.ends import Ends
from fuzz.fields import Field
from fuzz.halos import Halo
from fuzz.media import VariablePoisson
from fuzz.moves import Redistribution
from fuzz.particles import ParticleMesh
from fuzz.plans import Plan
from fuzz.products import Product
from fuzz.solves import Poisson
from fuzz.stored import Checkpoints, Series
from fuzz.tensors import TensorDft
from fuzz.vectors import VectorPoisson

KINDS: dict[str, type[Case]] = {
    "plans": Plan,
    "solves": Poisson,
    "products": Product,
    "derivatives": Derivative,
    "ends": Ends,
    "vectors": VectorPoisson,
    "media": VariablePoisson,
    "moves": Redistribution,
    "tensors": TensorDft,
    "fields": Field,
    "halos": Halo,
    "particles": ParticleMesh,
    "checkpoints": Checkpoints,
    "series": Series,
    "bad": BadInput,
}
SHARES: dict[str, float] = {"plans": 3.0, "solves": 2.0} | dict.fromkeys(list(KINDS)[2:], 1.0)
