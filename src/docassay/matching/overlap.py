"""Boxes that overlap: how much two have in common, and the largest set of pairs that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class BoxPlace(NamedTuple):
    """A box on a page; a page that is not stated may be any."""

    box: tuple[float, ...]
    page: int | None


def overlaps(golds: Sequence[BoxPlace], preds: Sequence[BoxPlace]) -> list[dict[int, float]]:
    """Return for each gold place the pred places on its page that it shares ground with.

    The number beside each is the intersection over the union; that of equal boxes is 1.
    """
    if not preds:
        return [{} for _ in golds]
    boxes = _sorted_corners(np.array([place.box for place in preds], dtype=np.float64))
    pages = np.array([-1 if place.page is None else place.page for place in preds])
    areas = _areas(boxes)
    shares: list[dict[int, float]] = []
    for place in golds:
        box = _sorted_corners(np.array([place.box], dtype=np.float64))[0]
        wide = np.minimum(box[2], boxes[:, 2]) - np.maximum(box[0], boxes[:, 0])
        high = np.minimum(box[3], boxes[:, 3]) - np.maximum(box[1], boxes[:, 1])
        common = np.clip(wide, 0, None) * np.clip(high, 0, None)
        union = areas + _areas(box[None, :])[0] - common
        share = np.divide(common, union, out=np.zeros_like(common), where=union > 0)
        share[np.all(boxes == box, axis=1)] = 1.0
        if place.page is not None:
            share[(pages != -1) & (pages != place.page)] = 0.0
        shares.append({int(j): float(share[j]) for j in np.nonzero(share)[0]})
    return shares


def _sorted_corners(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return boxes with left before right and top before bottom."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    return np.hstack([low, high])


def _areas(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def most_pairs(neighbours: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a largest one-to-one choice, left by right, of the neighbours of each left one."""
    owners: dict[int, int] = {}
    for start in range(len(neighbours)):
        owners |= _way_out(start, neighbours, owners)
    return owners


def _way_out(
    start: int, neighbours: Sequence[Sequence[int]], owners: dict[int, int]
) -> dict[int, int]:
    """Return the new owners that give a left one a partner; none where there is no room for it."""
    came: dict[int, int] = {}
    queue = [start]
    for left in queue:
        for right in neighbours[left]:
            if right in came:
                continue
            came[right] = left
            if right in owners:
                queue.append(owners[right])
                continue
            return _walked(start, right, came, owners)
    return {}


def _walked(start: int, free: int, came: dict[int, int], owners: dict[int, int]) -> dict[int, int]:
    """Return the owners along the way from a free right one back to the left one it began with."""
    held = {owners[right]: right for right in came if right in owners}
    right, left = free, came[free]
    moved = {right: left}
    while left != start:
        right = held[left]
        left = came[right]
        moved[right] = left
    return moved
