"""The audit of gold: every place about which something speaks against gold, ranked.

The score of a place is the probability that gold is wrong there. It begins with PRIOR, the share of
wrong values that is expected, and each piece of evidence multiplies the odds by how many times more
often it is seen of wrong values than of right ones. What models say is in `jury`, evidence that
needs no model in `evidence`; rules, other fields and the document's text are asked here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from math import exp, log
from pathlib import Path

from docassay.analysis.aggregate import build
from docassay.analysis.audit.evidence import (
    CONFLICT,
    ELSEWHERE,
    RARE,
    GoldValue,
    SourceTexts,
    bare,
    fields_with,
    odd_forms,
    twin_documents,
)
from docassay.analysis.audit.jury import PRIOR, Doubt, Jury
from docassay.analysis.audit.observe import (
    AuditedRun,
    GoldDocument,
    Observations,
    PredictedGroup,
    Seen,
    observe,
    tree_path,
)
from docassay.analysis.audit.result import (
    Audit,
    AuditedScore,
    DuplicateDocuments,
    EvidenceKind,
    Suspect,
)
from docassay.analysis.audit.without import left_out_ledger
from docassay.errors import ConfigurationError
from docassay.load.patch import REMOVE, SET, TAKE_PRED, GoldDecision
from docassay.load.patching import as_written, leaf_value, patched, resolve, value_at
from docassay.run.plan import bind
from docassay.schema.rules.check import HOLDS, SKIPPED
from docassay.version import VERSION

MIN_SCORE = 0.3
LEAST_ASKED = 0.01
"""The score from which on rules are asked what a proposal would change."""
REPAIRS, KEEPS, BREAKS = 15.0, 3.0, 0.15
COMMON_RULE = 0.2
"""A rule that so many documents of gold break says nothing about one of them."""
NOT_THERE, OFTEN = 0.7, 0.97
"""How many wrong values a document's text does not hold; how many right ones it holds at most."""
THERE = 2.0
HEADLINES = ("kieval.aligned", "kieval.entity_f1", "kieval.group_f1", "kieval.documents_exact")


def audit_runs(
    runs: Sequence[AuditedRun],
    *,
    source: Path | None = None,
    min_score: float = MIN_SCORE,
    notes: Sequence[str] = (),
) -> Audit:
    """Return the suspect gold of runs over the same gold, the most suspicious first."""
    if not runs:
        raise ConfigurationError("no run was named", hint="name one or more folders of score --out")
    if not 0 <= min_score <= 1:
        raise ConfigurationError(f"min_score is {min_score}", hint="it is a share, 0 to 1")
    names = [run.name for run in runs]
    if len({*names}) < len(names):
        raise ConfigurationError("a run is named twice", hint=f"the runs are {', '.join(names)}")
    texts = None if source is None else _source(source)
    plan = runs[0].ledger.header.plan
    bound = bind(plan)
    seen, remarks = observe([*runs], bound)
    if any(run.ledger.header.plan.schema != plan.schema for run in runs):
        remarks.append(f"runs have different schemas: that of {runs[0].name} is used")
    jury = Jury(seen)
    further = _Further(seen, texts)
    candidates = [further.hear(each) for each in jury.candidates()]
    taken = {(each.document, each.path) for each in candidates}
    candidates += [each for each in further.alone(jury) if (each.document, each.path) not in taken]
    suspects = [_suspect(each, seen) for each in candidates if _share(each.odds) >= min_score]
    suspects.sort(key=lambda each: (-each.score, each.document, each.path))
    suspects = [*_numbered(suspects, seen)]
    if texts is not None and texts.missing:
        remarks.append(f"{texts.missing:,} documents have no text in {source}")
    twins = further.twins
    return Audit(
        VERSION,
        tuple(names),
        tuple(run.ledger.header.signature for run in runs),
        len(seen.documents),
        len(seen.values),
        min_score,
        tuple(suspects),
        tuple(
            DuplicateDocuments(each.first, each.second, each.shared, len(each.differing))
            for each in twins
        ),
        tuple(_scores(runs, seen, suspects)),
        (*notes, *remarks),
    )


def _source(folder: Path) -> SourceTexts:
    if not folder.is_dir():
        raise ConfigurationError(
            "is no folder", where=str(folder), hint="it holds the text of each document as ID.txt"
        )
    return SourceTexts(folder)


def _share(odds: float) -> float:
    return 1 / (1 + exp(-max(-700.0, min(700.0, odds))))


# --- what else speaks ---------------------------------------------------------------------------


class _Further:
    """Evidence besides the models: rules, forms, twins, other fields and the document's text."""

    def __init__(self, seen: Observations, texts: SourceTexts | None) -> None:
        self.seen = seen
        self.texts = texts
        # values of runs whose inputs are gone are the wrong ones only: nothing about them is usual
        whole = [
            value
            for value in seen.values.values()
            if seen.documents[value.document].tree is not None
        ]
        self.odd = odd_forms(whole)
        self.twins = twin_documents(whole)
        self._conflicts = {
            (document, path): f"{other}, whose other {each.shared} values are the same, "
            f"has {'nothing' if text is None else text} there"
            for each in self.twins
            for path, left, right in each.differing
            for document, other, text in (
                (each.first, each.second, right),
                (each.second, each.first, left),
            )
        }
        self._broken = self._broken_rules()
        self._shares: dict[str, float] = {} if texts is None else self._held_shares(whole, texts)

    def _broken_rules(self) -> dict[str, dict[str, str]]:
        """Return by document the rules that gold breaks, but for those that it breaks often."""
        broken: dict[str, dict[str, str]] = {}
        checked: Counter[str] = Counter()
        failed: Counter[str] = Counter()
        for id, document in self.seen.documents.items():
            for each in document.outcomes:
                checked[each.rule] += each.state != SKIPPED
                if each.broken:
                    failed[each.rule] += 1
                    broken.setdefault(id, {})[each.rule] = each.message
        usual = {
            rule for rule, times in failed.items() if times > max(2, COMMON_RULE * checked[rule])
        }
        return {
            id: {rule: why for rule, why in rules.items() if rule not in usual}
            for id, rules in broken.items()
        }

    def _held_shares(self, values: Iterable[GoldValue], texts: SourceTexts) -> dict[str, float]:
        """Return by field the share of gold's values that the texts hold."""
        held: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for value in values:
            answer = texts.holds(value.document, value.text, self.seen.fields.get(value.field))
            if answer is not None:
                asked[value.field] += 1
                held[value.field] += answer
        return {field: (held[field] + 1) / (asked[field] + 2) for field in asked}

    def hear(self, candidate: Doubt) -> Doubt:
        """Return a candidate with all evidence about it."""
        odds, evidence = candidate.odds, [*candidate.evidence]
        for ratio, piece in self._pieces(candidate):
            odds += log(ratio)
            evidence += [] if piece is None else [piece]
        if _share(odds) >= LEAST_ASKED:
            ratio, piece = self._by_rules(candidate)
            odds += log(ratio)
            evidence += [] if piece is None else [piece]
        return candidate._replace(odds=odds, evidence=tuple(evidence))

    def alone(self, jury: Jury) -> Iterator[Doubt]:
        """Yield values that no model speaks against, and something else does."""
        for document, path in sorted({*self.odd, *self._conflicts}):
            value = self.seen.values.get((document, path))
            if value is None or (document, path) in self.seen.wrong:
                continue
            odds = log(PRIOR) + jury.for_gold(document, value.field)
            yield self.hear(Doubt(document, path, value.field, value.text, None, odds, (), ()))

    def _pieces(self, candidate: Doubt) -> Iterator[tuple[float, EvidenceKind | None]]:
        place = candidate.document, candidate.path
        if place in self.odd:
            ratio, words = self.odd[place]
            yield ratio, EvidenceKind("format", words)
        if place in self._conflicts:
            yield CONFLICT, EvidenceKind("duplicate", self._conflicts[place])
        if isinstance(candidate.proposed, PredictedGroup):
            return
        elsewhere = self._elsewhere(candidate)
        if elsewhere is not None:
            yield ELSEWHERE, EvidenceKind("elsewhere", elsewhere)
        yield from self._by_source(candidate)

    def _elsewhere(self, candidate: Doubt) -> str | None:
        """Return in which other field a value stands, unless the two often have the same."""
        document, field = candidate.document, candidate.field
        if candidate.gold is not None and candidate.models:
            names = [
                {*fields_with(candidate.gold, self.seen.predicted[document].get(model, {}))}
                for model in candidate.models
            ]
            for name in sorted(set.intersection(*names)):
                if self._tells(field, name, document):
                    return f"gold's value is that of {name} in the predictions"
        if isinstance(candidate.proposed, Seen):
            for name in fields_with(candidate.proposed.text, self._in_gold.get(document, {})):
                if self._tells(field, name, document):
                    return f"gold has the proposed value under {name}"
        return None

    def _tells(self, field: str, other: str, document: str) -> bool:
        """Return whether it is rare that two fields of a document have the same value."""
        if field == other:
            return False
        usual = self._alike[field, other] - {document}
        return len(usual) <= RARE * len(self.seen.documents)

    @cached_property
    def _in_gold(self) -> Mapping[str, Mapping[str, set[str]]]:
        """Document -> field -> its values without case and marks."""
        fields: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for value in self.seen.values.values():
            fields[value.document][value.field].add(bare(value.text))
        return fields

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], set[str]]:
        """Two fields -> the documents of gold in which both have one value."""
        alike: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for document, fields in self._in_gold.items():
            holders: defaultdict[str, list[str]] = defaultdict(list)
            for field, texts in fields.items():
                for text in texts:
                    holders[text].append(field)
            for text, names in holders.items():
                for pair in permutations(names if text else (), 2):
                    alike[pair].add(document)
        return alike

    def _by_source(self, candidate: Doubt) -> Iterator[tuple[float, EvidenceKind | None]]:
        if self.texts is None or isinstance(candidate.proposed, PredictedGroup):
            return
        document = candidate.document
        share = min(OFTEN, self._shares.get(candidate.field, 0.5))
        proposed, field = candidate.proposed, self.seen.fields.get(candidate.field)
        if candidate.gold is not None and "[" not in candidate.path[-1:]:
            held = self.texts.holds(document, candidate.gold, field)
            if held is not None:
                ratio = (1 - NOT_THERE) / share if held else NOT_THERE / (1 - share)
                odd = not held and ratio > 1.5
                words = "the document's text does not hold gold's value"
                yield ratio, EvidenceKind("source", words) if odd else None
        if proposed is not None:
            held = self.texts.holds(document, proposed.text, field)
            if held is not None and share > 0.5:
                words = "the document's text holds the proposed value"
                yield (THERE, EvidenceKind("source", words)) if held else (1 / THERE, None)

    def _by_rules(self, candidate: Doubt) -> tuple[float, EvidenceKind | None]:
        """Return what the rules of the schema say about a proposal."""
        document = self.seen.documents[candidate.document]
        if document.rules is None:
            return 1.0, None
        named = document.rules.fields(document.type)
        about = {
            rule
            for rule, fields in named.items()
            if any(
                path == candidate.field or path.startswith(f"{candidate.field}.") for path in fields
            )
        }
        if not about:
            return 1.0, None
        broken = {
            rule: why
            for rule, why in self._broken.get(candidate.document, {}).items()
            if rule in about
        }
        before = {each.rule: each.state for each in document.outcomes}
        decision = _decision(candidate, document)
        if decision is not None:
            tree = patched(document.tree, [decision])
            if tree.applied:
                after = {each.rule: each for each in document.rules.check(tree.tree, document.type)}
                repaired = [rule for rule in broken if after[rule].state == HOLDS]
                if repaired:
                    rule = repaired[0]
                    words = f"gold breaks the rule {rule!r} ({broken[rule]}), and keeps it with "
                    return REPAIRS, EvidenceKind("rule", words + "the proposed value")
                if any(after[rule].broken and before[rule] == HOLDS for rule in about):
                    return BREAKS, None
        kept = self.seen.kept_rules[candidate.document]
        for rule, why in broken.items():
            models = [name for name in candidate.models if rule in kept.get(name, ())]
            if models:
                verb = "keeps" if len(models) == 1 else "keep"
                words = f"gold breaks the rule {rule!r} ({why}), which {', '.join(models)} {verb}"
                return KEEPS, EvidenceKind("rule", words)
        return 1.0, None


# --- proposals ----------------------------------------------------------------------------------


def _decision(candidate: Doubt, document: GoldDocument) -> GoldDecision | None:
    """Return the decision that would correct gold, None where there is no proposal."""
    id, proposed = candidate.document, candidate.proposed
    if isinstance(proposed, PredictedGroup):
        rows = resolve(document.tree, proposed.type)
        held = value_at(document.tree, rows)
        if document.tree is None or (rows is not None and not isinstance(held, list)):
            return None
        row = {
            field.removeprefix(f"{proposed.type}."): value.text
            for field, value in proposed.values.items()
        }
        end = len(held) if isinstance(held, list) else 0
        return GoldDecision(id, f"{proposed.type}[{end}]", SET, None, row)
    if not candidate.models:
        return None
    if candidate.gold is None:
        path = _free_path(candidate, document)
        text = "" if proposed is None else proposed.text
        return None if path is None else GoldDecision(id, path, TAKE_PRED, None, text)
    path = tree_path(document, candidate.path, candidate.field)
    steps = resolve(document.tree, path)
    was = candidate.gold if steps is None else value_at(document.tree, steps)
    if proposed is None:
        return GoldDecision(id, path, REMOVE, leaf_value(was))
    value = as_written(proposed.text, leaf_value(was))
    return GoldDecision(id, path, TAKE_PRED, leaf_value(was), value)


def _free_path(candidate: Doubt, document: GoldDocument) -> str | None:
    """Return where a value can be added, None where gold has others under the same key."""
    steps = resolve(document.tree, candidate.path)
    held = None if steps is None else value_at(document.tree, steps)
    if isinstance(held, list):
        return f"{candidate.path}[{len(held)}]"
    return candidate.path if held is None or held == "" else None


def _suspect(candidate: Doubt, seen: Observations) -> Suspect:
    document = seen.documents[candidate.document]
    decision = _decision(candidate, document)
    proposed = candidate.proposed
    if isinstance(proposed, PredictedGroup):
        text: str | None = ", ".join(value.text for value in proposed.values.values())
    else:
        text = None if proposed is None else proposed.text
    path = candidate.path if decision is None else decision.path
    if decision is not None:
        words = "; ".join(each.words for each in candidate.evidence)
        decision = decision._replace(who="docassay audit", why=words)
    return Suspect(
        candidate.document,
        path,
        candidate.field,
        candidate.gold,
        text,
        round(_share(candidate.odds), 4),
        candidate.evidence,
        candidate.models,
        decision,
    )


def _numbered(suspects: Iterable[Suspect], seen: Observations) -> Iterator[Suspect]:
    """Yield the suspects, rows that gold lacks at places of their own, one after the other."""
    added: Counter[tuple[str, str]] = Counter()
    for suspect in suspects:
        decision = suspect.decision
        if decision is None or decision.action != SET:
            yield suspect
            continue
        kind, _, end = decision.path.removesuffix("]").rpartition("[")
        path = f"{kind}[{int(end) + added[suspect.document, kind]}]"
        added[suspect.document, kind] += 1
        yield suspect._replace(path=path, decision=decision._replace(path=path))


def _scores(
    runs: Sequence[AuditedRun], seen: Observations, suspects: Sequence[Suspect]
) -> Iterator[AuditedScore]:
    for run in runs:
        if run.prepared is None:
            continue
        less = left_out_ledger(run, run.prepared.bound, seen.trees[run.name], suspects)
        reports = [
            {score.address: score.value for score in build(ledger).scores}
            for ledger in (run.ledger, less)
        ]
        for address in HEADLINES:
            if reports[0].get(address) is not None:
                yield AuditedScore(run.name, address, *(each.get(address) for each in reports))
