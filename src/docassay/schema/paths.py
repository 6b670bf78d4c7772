"""Field paths: how a name inside groups becomes the one path by which a field is known."""

from __future__ import annotations

from collections.abc import Sequence


def child_path(name: str, enclosing: Sequence[str]) -> str:
    """Return the path of a name inside groups (outermost first); a full path stays as it is.

    `nm` in `menu` is `menu.nm`; `menu.sub_nm` in `menu.sub` already begins with an enclosing path.
    """
    if not enclosing or any(name.startswith(f"{path}.") for path in enclosing):
        return name
    return f"{enclosing[-1]}.{name}"


def short_name(path: str, enclosing: Sequence[str]) -> str:
    """Return the shortest name that child_path turns into this path."""
    if not enclosing:
        return path
    name = path.removeprefix(f"{enclosing[-1]}.")
    return name if child_path(name, enclosing) == path else path
