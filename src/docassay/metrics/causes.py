"""`causes`: why points are lost, and what each cause would give back if it were gone.

Every correction of `kieval` and every lost part of `fields.overall_accuracy` has exactly one cause,
so the causes add up to what is missing from 1. What fixing a cause, or a field, would give is not
read off its share: the documents are scored again with gold's values in place of the wrong ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from docassay.causes.corrections import Correction, corrections
from docassay.causes.fixed import fixed
from docassay.causes.lost import Blame
from docassay.causes.names import CAUSES, WRONG_ROW
from docassay.causes.pairs import Pair, pairs_of
from docassay.metrics import METRICS, Context, Readout, Totals, metric
from docassay.metrics.fields import accuracies
from docassay.metrics.fields_methods import STANDARD, Rules
from docassay.metrics.fields_readouts import check as check_fields
from docassay.model.stats import PARTS, Counts, Stats, Table, ratio

if TYPE_CHECKING:
    from docassay.case import Case

SEPARATOR = "\x1f"
"""Between field and cause in the keys of tables."""
ALL = "all"
"""Stands for every cause of a field."""
EVERYWHERE = frozenset({"", *CAUSES})
"""Keys that every report has, however little is lost."""
TOTALS = ("right", "values", "accuracy", "scored")
"""Right values and all that `kieval.aligned` counts; parts of accuracy and scored documents."""


def key_of(field: str, cause: str) -> str:
    """Return the key of a cause in a field, as reports spell it."""
    return f"{field}: {cause}"


def parted(key: str) -> tuple[str, str]:
    """Return the field ("" for all fields) and the cause of a key."""
    field, _, cause = key.rpartition(": ")
    return field, cause


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield what is lost overall, by cause, and by field and cause; and what fixing would give."""
    documents = totals.get("documents", {}).get("", (0, 0, 0, 0))
    _, values, _, scored = documents
    corrections, lost = (_by_key(totals.get(name, {})) for name in ("corrections", "lost"))
    fixed = {_shown(key): counts for key, counts in totals.get("fixed", {}).items()}
    for key in ("", *CAUSES, *sorted({*corrections, *lost} - {"", *CAUSES})):
        if key in corrections or key in EVERYWHERE:
            yield Readout("corrections", key, corrections[key], values)
            yield Readout("kieval_loss", key, ratio(corrections[key], values), values)
        if key in lost or key in EVERYWHERE:
            yield Readout("fields_loss", key, ratio(lost[key], scored * PARTS), scored)
        if key in CAUSES or key in fixed:
            yield from _gained(key, documents, fixed.get(key, (0, 0, 0, 0)))


def _gained(key: str, documents: Counts, changes: Counts) -> Iterator[Readout]:
    right, values, accuracy, scored = (
        (before, before + more) for before, more in zip(documents, changes, strict=True)
    )
    for name, parts, wholes, unit in (
        ("kieval_gain", right, values, 1),
        ("fields_gain", accuracy, scored, PARTS),
    ):
        before, after = (
            ratio(part, whole * unit) for part, whole in zip(parts, wholes, strict=True)
        )
        gain = None if before is None or after is None else after - before
        yield Readout(name, key, gain, wholes[0])


def _shown(key: str) -> str:
    field, _, cause = key.rpartition(SEPARATOR)
    return key_of(field, cause) if field else cause


def _by_key(table: Mapping[str, Counts]) -> Counter[str]:
    """Return a table's counts by field and cause, by cause alone, by field alone and in all."""
    found: Counter[str] = Counter()
    for key, (count,) in table.items():
        field, _, cause = key.rpartition(SEPARATOR)
        for one in ("", cause, key_of(field, cause), key_of(field, ALL)):
            found[one] += count
    return found


class Settings(NamedTuple):
    """The options of `fields` and of `kieval` that decide what is lost."""

    method: str
    substitution: str
    item_similarity: float
    item_words: float
    count_absent: bool
    flatten: bool

    def scores(self, case: Case) -> dict[str, float]:
        """Return the scores whose mean is the document's accuracy."""
        return accuracies(
            case,
            method=self.method,
            substitution=self.substitution,
            item_similarity=self.item_similarity,
            item_words=self.item_words,
            count_absent=self.count_absent,
        )

    @property
    def rules(self) -> Rules:
        """What decides whether items match."""
        return Rules(self.item_similarity, self.item_words, self.substitution == "fn")


def check(*, flatten: bool, **options: object) -> None:
    """Refuse options that `fields` would refuse."""
    check_fields(**{**METRICS.get("fields").options, **options})


@metric(
    "causes",
    version=1,
    tables={
        "corrections": ("corrections",),
        "lost": ("parts",),
        "fixed": TOTALS,
        "documents": TOTALS,
    },
    readouts=readouts,
    check=check,
    follows=("fields", "kieval"),
)
def causes(
    case: Case,
    *,
    method: str = "order_aware_f1",
    substitution: str = "both",
    item_similarity: float = STANDARD.item_similarity,
    item_words: float = STANDARD.item_words,
    count_absent: bool = False,
    flatten: bool = False,
) -> Stats:
    """Why points are lost, cause by cause, and what fixing a cause or a field would give back."""
    settings = Settings(method, substitution, item_similarity, item_words, count_absent, flatten)
    scores = settings.scores(case)
    before = _totals(case, scores, settings)
    stats: dict[str, Table] = {
        "documents": {"": before},
        "corrections": {},
        "lost": {},
        "fixed": {},
    }
    if before[0] < before[1] or (scores and before[2] < PARTS):
        stats |= _explained(case, settings, scores, before)
    return stats


def _totals(case: Case, scores: Mapping[str, float], settings: Settings) -> Counts:
    """Return what a document adds to the totals."""
    counts = case.tally(flatten=settings.flatten).fields.values()
    accuracy = round(sum(scores.values()) / len(scores) * PARTS) if scores else 0
    return sum(one[0] for one in counts), sum(map(sum, counts)), accuracy, int(bool(scores))


def _explained(
    case: Case, settings: Settings, scores: Mapping[str, float], before: Counts
) -> dict[str, Table]:
    root = pairs_of(case)
    found = corrections(case, root)
    # `kieval` may count with rows flattened, while `fields` never does
    counted = corrections(case, pairs_of(case, flatten=True)) if settings.flatten else found
    counts = Counter(f"{one.fate.field.path}{SEPARATOR}{one.cause}" for one in counted)
    blame = Blame(case, root, found, method=settings.method, rules=settings.rules)
    lost = blame.lost(scores)
    return {
        "corrections": {key: (count,) for key, count in counts.items()},
        "lost": {f"{unit}{SEPARATOR}{cause}": (parts,) for (unit, cause), parts in lost.items()},
        "fixed": _gains(case, settings, root, found, {cause for _, cause in lost}, before),
    }


def _gains(
    case: Case,
    settings: Settings,
    root: Pair,
    found: Iterable[Correction],
    blamed: Iterable[str],
    before: Counts,
) -> Table:
    """Return what changes when each cause is fixed, and each field."""
    plans: dict[str, list[Correction]] = {cause: [] for cause in blamed}
    for one in found:
        plans.setdefault(one.cause, []).append(one)
        plans.setdefault(f"{one.fate.field.path}{SEPARATOR}{ALL}", []).append(one)
    gains: dict[str, Counts] = {}
    for key, chosen in plans.items():
        after = fixed(case, root, chosen, in_order=key == WRONG_ROW)
        totals = _totals(after, settings.scores(after), settings)
        gains[key] = tuple(b - a for a, b in zip(before, totals, strict=True))
    return gains
