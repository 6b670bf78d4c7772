"""Hypothesis strategies for documents: few words, so that equal values and ties are common."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.sampled_from(["a", "b", "c", "aa", "NOT_FOUND", "", "5", "1,000.00", "x y"])
LEAF = st.one_of(
    WORDS,
    st.none(),
    st.booleans(),
    st.integers(0, 3),
    st.builds(
        lambda value, confidence: {"value": value, "confidence": confidence},
        WORDS,
        st.sampled_from([0.1, 0.5, 0.9]),
    ),
)
CELL = st.one_of(LEAF, st.lists(LEAF, max_size=3))
ROW = st.dictionaries(st.sampled_from(["n", "p", "q"]), CELL, max_size=3)
NESTED_ROW = st.builds(
    lambda row, subs: {**row, **({"sub": subs} if subs else {})},
    ROW,
    st.lists(ROW, max_size=2),
)
TREE = st.fixed_dictionaries(
    {},
    optional={
        "total": CELL,
        "date": CELL,
        "items": st.lists(NESTED_ROW, max_size=4),
        "extra": st.one_of(ROW, st.lists(ROW, max_size=2)),
    },
)
CORPUS = st.lists(st.tuples(TREE, TREE), min_size=1, max_size=4).map(
    lambda pairs: {f"d{i}": pair for i, pair in enumerate(pairs)}
)


def shuffled(tree: object, random: object) -> object:
    """Return the tree with the rows of its groups and the keys of its objects in another order."""
    if isinstance(tree, dict):
        if "value" in tree:
            return tree
        keys = list(tree)
        random.shuffle(keys)  # type: ignore[attr-defined]
        return {key: shuffled(tree[key], random) for key in keys}
    if isinstance(tree, list):
        items = [shuffled(item, random) for item in tree]
        if any(isinstance(item, dict) and "value" not in item for item in items):
            random.shuffle(items)  # type: ignore[attr-defined]
        return items
    return tree
