"""The assignment solver of SciPy, without the second that importing all of its room takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

Solver = Callable[..., tuple[NDArray[np.intp], NDArray[np.intp]]]


@cache
def solver() -> Solver:
    """Return `scipy.optimize.linear_sum_assignment`.

    It is a compiled function that needs nothing of the package around it, which takes longer to
    import than a thousand documents take to be scored: so only its own file is loaded, or the whole
    package where there is no such file.
    """
    return _alone() or _of_package()


def _alone() -> Solver | None:
    package = find_spec("scipy")
    places = [] if package is None else [*(package.submodule_search_locations or ())]
    spec = PathFinder.find_spec("_lsap", [str(Path(place, "optimize")) for place in places])
    if spec is None or spec.loader is None:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return cast("Solver", module.linear_sum_assignment)
    except (ImportError, AttributeError):
        return None


def _of_package() -> Solver:
    from scipy.optimize import linear_sum_assignment

    return cast("Solver", linear_sum_assignment)
