"""How often the rules find the mistake that the generator made.

`python -m tests.metrics.causes.agreement` prints the table of docs/explanation/loss.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import yaml

from docassay.matching.case import Layouts, make_case
from docassay.metrics import causes as names
from docassay.metrics.causes.corrections import Correction, corrections
from docassay.metrics.causes.rows import pairs_of
from docassay.model.document import Group
from docassay.schema.source import load_schema
from docassay.synth.corpus import Sample, generate, schema_text

MODELS = ("careful", "hasty")
MEANT = {
    "ocr": names.LOOK_ALIKE,
    "digits_transposed": names.TRANSPOSED,
    "day_month_swapped": names.TRANSPOSED,
    "factor_of_ten": names.FACTOR,
    "separator": names.FACTOR,
    "sign_lost": names.SIGN,
    "truncated": names.TRUNCATED,
    "extra_text": names.EXTRA,
    "other_field": names.WRONG_FIELD,
    "flag_flipped": names.OTHER,
    "document_type": names.DOCUMENT_TYPE,
    "missing": names.MISSING,
    "invented": names.HALLUCINATED,
    "row_dropped": names.MISSING_ROW,
    "rows_merged": names.SPLIT,
    "row_split": names.SPLIT,
    "row_duplicated": names.HALLUCINATED_ROW,
    "row_invented": names.HALLUCINATED_ROW,
    "values_swapped": names.WRONG_ROW,
}
"""The generator's name for a mistake, and the cause it should be found as."""
UNLABELLED = "(none)"


def confusion(docs: int, seed: int) -> Counter[tuple[str, str]]:
    """Return how many corrections of which mistake were found as which cause.

    A correction may undo two mistakes at once (a row dropped and another made up in its place);
    either is right then.
    """
    layouts = Layouts(load_schema(yaml.safe_load(schema_text())))
    found: Counter[tuple[str, str]] = Counter()
    for model in MODELS:
        for sample in generate(docs, rows=None, seed=seed, profile=model):
            case = make_case(sample.id, sample.gold, sample.pred, layouts)
            labels = _labels(sample)
            for one in corrections(case, pairs_of(case)):
                known = _of(one, labels) or [UNLABELLED]
                right = [label for label in known if MEANT.get(label) == one.cause]
                found[(right or known)[0], one.cause] += 1
    return found


def agreement(found: Counter[tuple[str, str]]) -> float:
    right = sum(count for (label, cause), count in found.items() if MEANT.get(label) == cause)
    return right / found.total()


Labels = Sequence[dict[str, list[str]]]


def _labels(sample: Sample) -> Labels:
    """Return the mistakes by where they stand in gold, and by where they stand in pred."""
    sides: Labels = ({}, {})
    for one in sample.causes:
        if one.cause in MEANT:
            if one.gold is not None:
                sides[0].setdefault(one.path, []).append(one.cause)
            if one.pred_path is not None:
                sides[1].setdefault(one.pred_path, []).append(one.cause)
    return sides


def _of(one: Correction, labels: Labels) -> list[str]:
    """Return the mistakes made in a value, and else those in its row."""
    groups = (one.pair.gold, one.pair.pred)
    for name in (one.fate.field.path, ""):
        sides = zip(groups, labels, strict=True)
        known = [label for group, side in sides for label in _at(group, name, side)]
        if known:
            return known
    return []


def _at(group: Group | None, path: str, labels: dict[str, list[str]]) -> list[str]:
    if group is None:
        return []
    prefix = group.prefix("", "") if group.type else ""
    name = path.removeprefix(f"{group.type}.")
    return labels.get(f"{prefix}{name}".rstrip("."), [])


def main() -> None:
    """Print the share that is found as meant, and a line for each mistake."""
    found = confusion(docs=500, seed=1)
    print(f"{agreement(found):.1%} of {found.total():,} corrections")
    print("\n| mistake | corrections | as meant | otherwise |\n| --- | ---: | ---: | --- |")
    for label in (*MEANT, UNLABELLED):
        causes = Counter({cause: n for (one, cause), n in found.items() if one == label})
        right = causes.pop(MEANT.get(label, ""), 0)
        others = ", ".join(f"{count} {cause}" for cause, count in causes.most_common())
        print(f"| {label} | {right + causes.total()} | {right} | {others} |")


if __name__ == "__main__":
    main()
