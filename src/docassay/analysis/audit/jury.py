"""What models say against gold: how much it counts that one of them, or several, have it otherwise.

A model that has another value counts by how seldom it is wrong in that field. Several that have the
same value count more than their sum, because mistakes seldom agree, and a model that has gold's
value speaks for gold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from docassay.analysis.audit.evidence import GoldValue, coarse_form
from docassay.analysis.audit.observe import Observations, Place, PredictedGroup, Seen, Slot
from docassay.analysis.audit.result import EvidenceKind

SUBSTITUTED, MISSED, ADDED = "substituted", "missed", "added"
PRIOR = 0.01
SHRINK = 10.0
"""So many values of its own outweigh what a model does elsewhere."""
LEAST_RATE, MOST_RATE = 0.03, 0.6
SAME_MISTAKE = 0.15
"""How often a second model that is wrong has the same wrong value."""
SAME_GAP = 0.2
"""How often a second model misses, or adds, what another one misses or adds."""
INVENTED = 0.3
"""How often gold has too much or too little, against other mistakes."""
REPEATS_GOLD = 0.03
"""How often a model has gold's value where gold is wrong."""


class Doubt(NamedTuple):
    """A place where gold may be wrong, before evidence other than the models' is heard."""

    document: str
    path: str
    """As reports name it."""
    field: str
    gold: str | None
    proposed: Seen | PredictedGroup | None
    odds: float
    """The logarithm of the odds that gold is wrong."""
    models: tuple[str, ...]
    evidence: tuple[EvidenceKind, ...]


class FieldRates(NamedTuple):
    """How often a model does something in a field, shrunk towards what it does elsewhere."""

    right: float
    substituted: float
    missed: float
    added: float


class Jury:
    """The models of an audit, each weighted by how good it is in a field."""

    def __init__(self, seen: Observations) -> None:
        self.seen = seen
        self._rates: dict[tuple[str, str], FieldRates] = {}
        self._excused = self._unanimous()
        self._by_document: defaultdict[str, list[GoldValue]] = defaultdict(list)
        for value in seen.values.values():
            self._by_document[value.document].append(value)

    def _unanimous(self) -> Counter[tuple[str, str, str]]:
        """Return by model and field how often all models say the same against gold.

        These are probably no mistakes of theirs, so they do not make a model less credible.
        """
        excused: Counter[tuple[str, str, str]] = Counter()
        for place, others in self.seen.wrong.items():
            value = self.seen.values[place]
            voters = self.voters(place[0])
            if 1 < len(voters) == len(others):
                clusters = [*self._clusters(value.field, others)]
                if len(clusters) == 1:
                    kind = MISSED if clusters[0][0] is None else SUBSTITUTED
                    excused.update((name, value.field, kind) for name in voters)
        for (document, _, field), extras in self.seen.extra.items():
            voters = self.voters(document)
            if 1 < len(voters) == len(extras) and len([*self._clusters(field, extras)]) == 1:
                excused.update((name, field, ADDED) for name in voters)
        return excused

    def rates(self, model: str, field: str) -> FieldRates:
        """Return how often a model does what in a field."""
        cached = self._rates.get((model, field))
        if cached is None:
            counts = self.seen.models[model]
            tallies = (counts.right, counts.substituted, counts.missed)
            every, own = sum(map(Counter.total, tallies)), sum(each[field] for each in tallies)
            substituted, missed = (
                _shrunk(tally[field] - self._excused[model, field, kind], own, tally.total(), every)
                for tally, kind in ((counts.substituted, SUBSTITUTED), (counts.missed, MISSED))
            )
            slots = counts.bare_slots[field] or len(self.seen.documents)
            extras = counts.added[field] - self._excused[model, field, ADDED]
            every_slot = counts.bare_slots.total() or slots
            added = _shrunk(extras, slots, counts.added.total(), every_slot)
            right = max(0.05, 1 - substituted - missed)
            cached = self._rates[model, field] = FieldRates(right, substituted, missed, added)
        return cached

    def row_rate(self, model: str, kind: str, *, added: bool) -> float:
        """Return how often a model adds, or misses, a row of a type."""
        counts = self.seen.models[model]
        tally = counts.rows_added if added else counts.rows_missed
        return _shrunk(tally[kind], counts.rows[kind], tally.total(), counts.rows.total())

    def voters(self, document: str) -> list[str]:
        """Return the models that have a prediction for a document."""
        return [name for name, counts in self.seen.models.items() if document in counts.documents]

    def candidates(self) -> Iterator[Doubt]:
        """Yield every place about which some model disagrees with gold."""
        lost: set[Place] = set()
        for place, models in sorted(self.seen.lost_rows.items()):
            if models >= {*self.voters(place[0])}:
                lost.add(place)
                yield self._lost_row(place, models)
        for place in sorted(self.seen.wrong):
            if (place[0], place[1].rpartition(".")[0]) not in lost:
                yield self._value(place)
        for slot in sorted(self.seen.extra):
            yield self._slot(slot)
        for document in sorted(self.seen.extra_rows):
            yield from self._extra_rows(document)

    def for_gold(self, document: str, field: str) -> float:
        """Return what it means that every model has gold's value."""
        return sum(
            log(REPEATS_GOLD / self.rates(name, field).right) for name in self.voters(document)
        )

    def _value(self, place: Place) -> Doubt:
        document, path = place
        value = self.seen.values[place]
        field, others = value.field, self.seen.wrong[place]
        agreeing = [name for name in self.voters(document) if name not in others]
        for_gold = sum(log(REPEATS_GOLD / self.rates(name, field).right) for name in agreeing)
        best: tuple[float, Seen | None, list[str]] | None = None
        for proposed, models in self._clusters(field, others):
            odds = self._against(field, proposed, models)
            if best is None or odds > best[0]:
                best = odds, proposed, models
        assert best is not None
        odds, proposed, models = best
        words = self._words(models, agreeing, proposed, document)
        kind = "models" if proposed is not None else "absent"
        return Doubt(
            document,
            path,
            field,
            value.text,
            _as_written_in_gold(value.text, proposed, [others[name] for name in models]),
            log(PRIOR) + odds + for_gold,
            tuple(models),
            (EvidenceKind(kind, words),),
        )

    def _against(self, field: str, proposed: Seen | None, models: Sequence[str]) -> float:
        """Return the weight of models that have one value, or none, instead of gold's."""
        odds = 0.0 if proposed is not None else log(INVENTED)
        for number, name in enumerate(models):
            rates = self.rates(name, field)
            if proposed is not None:
                chance = rates.substituted * (SAME_MISTAKE if number else 1)
                odds += log(rates.right / chance)
            else:
                odds += log(0.8 / max(rates.missed, SAME_GAP if number else 0))
        return odds

    def _clusters(
        self, field: str, others: Mapping[str, Seen | None]
    ) -> Iterator[tuple[Seen | None, list[str]]]:
        """Yield the values that models have, by the comparison of the field's type, and who."""
        missing = [name for name, value in others.items() if value is None]
        if missing:
            yield None, missing
        groups: list[tuple[Seen, list[str]]] = []
        # the best model's spelling stands for those of the others
        for name in sorted(others, key=lambda each: -self._credit(each)):
            value = others[name]
            if value is None:
                continue
            group = next((each for each in groups if self._same(field, each[0], value)), None)
            if group is None:
                groups.append((value, [name]))
            else:
                group[1].append(name)
        yield from groups

    def _credit(self, model: str) -> float:
        counts = self.seen.models[model]
        wrong = counts.substituted.total() + counts.missed.total()
        return counts.right.total() / max(1, counts.right.total() + wrong)

    def _same(self, field: str, left: Seen, right: Seen) -> bool:
        if left.canonical == right.canonical:
            return True
        bound = self.seen.fields[field]
        readings = bound.readings[left.text], bound.readings[right.text]
        if readings[0] is None or readings[1] is None:
            return False
        return bound.equal(readings[0], readings[1])

    def _words(
        self,
        models: Sequence[str],
        agreeing: Sequence[str],
        proposed: Seen | None,
        document: str,
    ) -> str:
        voters = len(self.voters(document))
        if proposed is None:
            what = "finds nothing there" if len(models) == 1 else "find nothing there"
        else:
            what = "has another value" if len(models) == 1 else "agree on another value"
        rest = f"; {', '.join(agreeing)} agree{'s' if len(agreeing) == 1 else ''} with gold"
        return f"{_who(models, voters)} {what}{rest if agreeing else ''}"

    def _slot(self, slot: Slot) -> Doubt:
        document, row, field = slot
        predicted = self.seen.extra[slot]
        name = field.rpartition(".")[2] if row else field
        agreeing = [each for each in self.voters(document) if each not in predicted]
        clusters = [(v, m) for v, m in self._clusters(field, predicted) if v is not None]
        proposed, models = max(clusters, key=lambda each: len(each[1]))
        odds = log(PRIOR * INVENTED)
        for number, each in enumerate(models):
            rates = self.rates(each, field)
            odds += log(0.9 * rates.right / (rates.added * (SAME_MISTAKE if number else 1)))
        odds += sum(log(REPEATS_GOLD + self.rates(each, field).missed) for each in agreeing)
        who = _who(models, len(self.voters(document)))
        finds = "finds a value" if len(models) == 1 else "find the same value"
        rest = f"; {', '.join(agreeing)} find{'s' if len(agreeing) == 1 else ''} nothing"
        words = f"gold has nothing where {who} {finds}{rest if agreeing else ''}"
        path = f"{row}.{name}" if row else name
        evidence = (EvidenceKind("absent", words),)
        return Doubt(document, path, field, None, proposed, odds, tuple(models), evidence)

    def _lost_row(self, place: Place, models: set[str]) -> Doubt:
        document, path = place
        kind = path.rpartition("[")[0].rpartition(".")[2] if "[" in path else path
        own = self._by_document[document]
        inside = [value for value in own if value.path.startswith(f"{path}.")]
        field = inside[0].field.rpartition(".")[0] if inside else kind
        odds = log(PRIOR * INVENTED)
        for number, name in enumerate(sorted(models)):
            rate = max(self.row_rate(name, field, added=False), SAME_GAP if number else 0)
            odds += log(0.9 / rate)
        text = ", ".join(value.text for value in inside)
        words = f"{_who(sorted(models), len(models))} find no such row"
        evidence = (EvidenceKind("absent", words),)
        return Doubt(document, path, field, text, None, odds, tuple(sorted(models)), evidence)

    def _extra_rows(self, document: str) -> Iterator[Doubt]:
        """Yield the rows that gold lacks and models have, those of one content as one."""
        groups: list[tuple[PredictedGroup, list[str]]] = []
        for name, rows in self.seen.extra_rows[document].items():
            for row in rows:
                group = next(
                    (
                        each
                        for each in groups
                        if name not in each[1] and self._same_row(each[0], row)
                    ),
                    None,
                )
                if group is None:
                    groups.append((row, [name]))
                else:
                    group[1].append(name)
        voters = self.voters(document)
        for row, models in groups:
            odds = log(PRIOR * INVENTED)
            for number, name in enumerate(models):
                rate = self.row_rate(name, row.type, added=True)
                odds += log(0.9 / (rate * (SAME_MISTAKE if number else 1)))
            agreeing = [name for name in voters if name not in models]
            odds += sum(
                log(REPEATS_GOLD + self.row_rate(name, row.type, added=False)) for name in agreeing
            )
            has = "has" if len(models) == 1 else "have"
            words = f"gold has no such row, and {_who(models, len(voters))} {has} it"
            yield Doubt(
                document,
                f"{row.type}[+]",
                row.type,
                None,
                row,
                odds,
                tuple(models),
                (EvidenceKind("absent", words),),
            )

    def _same_row(self, left: PredictedGroup, right: PredictedGroup) -> bool:
        if left.type != right.type:
            return False
        shared = left.values.keys() & right.values.keys()
        equal = sum(self._same(field, left.values[field], right.values[field]) for field in shared)
        return 2 * equal > max(len(left.values), len(right.values))


def _who(models: Sequence[str], voters: int) -> str:
    """Return who says something, of so many who could."""
    if voters == 1:
        return f"the model {models[0]}"
    if len(models) == voters:
        return "both models" if voters == 2 else f"all {voters} models"
    return f"{len(models)} of {voters} models ({', '.join(models)})"


def _shrunk(times: int, own: int, total: int, every: int) -> float:
    overall = (total + 1) / (every + 20)
    return min(MOST_RATE, max(LEAST_RATE, (times + SHRINK * overall) / (own + SHRINK)))


def _as_written_in_gold(
    gold: str, proposed: Seen | None, spellings: Sequence[Seen | None]
) -> Seen | None:
    """Return the spelling of a value that has the form of gold's, else the one proposed."""
    form = coarse_form(gold)
    alike = (each for each in spellings if each is not None and coarse_form(each.text) == form)
    return proposed if proposed is None else next(alike, proposed)
