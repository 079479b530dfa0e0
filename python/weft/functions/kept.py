"""Plans that are kept between calls: for each communicator a bounded number of those used last."""

import atexit
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache

from weft._mpi import MPI
from weft.plan import Plan

# Limits for each communicator.
MOST_PLANS = 16
MOST_BYTES = 256 * 10**6

_all: "weakref.WeakSet[KeptPlans]" = weakref.WeakSet()
_all_lock = threading.Lock()


class KeptPlans:
    """The plans of one communicator that were used last, at most MOST_PLANS, with MOST_BYTES of workspace together.

    The plan that was used last is always kept, since every call would otherwise plan it anew. Several threads may use
    this object; a plan itself lets only one caller run at a time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._plans: OrderedDict[Hashable, tuple[Plan, int]] = OrderedDict()
        self._bytes = 0
        with _all_lock:
            _all.add(self)

    def __len__(self) -> int:
        return len(self._plans)

    def plan(self, key: Hashable, make: Callable[[], Plan]) -> Plan:
        """The plan of a key, made if it is not kept. For communicators of one rank."""
        # Planning holds the lock, or two threads might make the same plan.
        with self._lock:
            found = self._plans.get(key)
            if found is not None:
                self._plans.move_to_end(key)
                return found[0]
            made = make()
            self._keep(key, made, made.workspace_bytes)
            return made

    def plan_of_all(self, key: Hashable, comm: MPI.Intracomm, make: Callable[[], Plan]) -> Plan:
        """The plan of a key on several ranks. Collective: if one rank has dropped the plan, all ranks make it anew."""
        with self._lock:
            found = self._plans.get(key)
        if comm.allreduce(found is not None, MPI.LAND) and found is not None:
            with self._lock:
                # Another thread may have dropped it meanwhile, but it is still valid.
                if key in self._plans:
                    self._plans.move_to_end(key)
            return found[0]
        made = make()
        # The largest of all ranks, so that they drop the same plans.
        size = comm.allreduce(made.workspace_bytes, MPI.MAX)
        with self._lock:
            self._keep(key, made, size)
        return made

    def clear(self) -> None:
        """Drops all plans."""
        with self._lock:
            self._plans.clear()
            self._bytes = 0

    def _keep(self, key: Hashable, plan: Plan, size: int) -> None:
        _, old = self._plans.pop(key, (None, 0))
        self._plans[key] = (plan, size)
        self._bytes += size - old
        while len(self._plans) > MOST_PLANS or (self._bytes > MOST_BYTES and len(self._plans) > 1):
            _, (_, dropped) = self._plans.popitem(last=False)
            self._bytes -= dropped


# The plans of arrays, on COMM_SELF, which is never freed.
OWN_PLANS = KeptPlans()


@cache
def _keyval() -> int:
    return MPI.Comm.Create_keyval()


def plans_of(comm: MPI.Intracomm) -> KeptPlans:
    """The kept plans of a communicator.

    They are an MPI attribute of it. They are freed with the communicator, a new communicator with the same handle has
    none of them, and a duplicate starts without plans.
    """
    found = comm.Get_attr(_keyval())
    if isinstance(found, KeptPlans):
        return found
    made = KeptPlans()
    comm.Set_attr(_keyval(), made)
    return made


def clear_plans() -> None:
    """Drops all plans that weft.fftn and its relatives have kept, and their memory. Local; later calls plan anew."""
    with _all_lock:
        everything = list(_all)
    for plans in everything:
        plans.clear()


# Plans must not outlive MPI, which ends with the process.
atexit.register(clear_plans)
