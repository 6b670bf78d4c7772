"""Speed of `vrdu` and `vrdu_official` on ad-buy forms of 30 line items, against a bare loop.

    python benchmarks/vrdu.py [--docs 300] [--items 30] [--rounds 5]

Documents per CPU second with reading included and imports excluded, medians of interleaved rounds.
The bare loop decodes the same two files and counts values that are equal as text, name by name: the
least that any scorer of these files has to do.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import scipy.optimize  # noqa: F401 - imported here so that no measured call pays for it

import docassay
from docassay.analysis.draw import stream
from docassay.synth.vrdu.corpus import Skill, extract, meta_of, record_of
from docassay.synth.vrdu.forms import ad_buy_form

SEED = 7
PRED = "Bench-mixed_template-train_50-test_{docs}-valid_0-SD_0-test_predictions.json"
TRAINED = (3, 47)
"""Documents of the same template and of others that the made-up model was trained on."""


def write_forms(folder: Path, docs: int, items: int) -> Path:
    """Write a data set of ad-buy forms and return the file of predictions for all of it."""
    main = folder / "main"
    main.mkdir(parents=True)
    forms = [ad_buy_form(SEED, index, items=items) for index in range(docs)]
    encode = msgspec.json.encode
    (main / "dataset.jsonl").write_bytes(b"\n".join(encode(record_of(one)) for one in forms))
    (main / "meta.json").write_bytes(encode(meta_of("ad-buy-form")))
    skill = Skill.after(*TRAINED)
    results = {
        form.filename: extract(form, skill, stream(SEED, index, "bench"))
        for index, form in enumerate(forms)
    }
    pred = folder / PRED.format(docs=docs)
    pred.write_bytes(encode({"meta": {}, "results": results}))
    return pred


def by_docassay(metric: str) -> Callable[[Path, Path], float | None]:
    """Return a run of docassay as a user starts it."""

    def run(gold: Path, pred: Path) -> float | None:
        report = docassay.score(gold, pred, metrics=[metric])
        return report[f"{metric}.micro_f1"].value

    return run


def bare(gold: Path, pred: Path) -> float:
    """Return the F1 of values that are equal as text, whatever row they stand in."""
    decode = msgspec.json.Decoder().decode
    results = decode(pred.read_bytes())["results"]
    right = ours = theirs = 0
    with (gold / "main" / "dataset.jsonl").open("rb") as lines:
        for line in lines:
            record = decode(line)
            wanted: Counter[tuple[str, str]] = Counter()
            for name, found in record["annotations"]:
                if isinstance(name, str):
                    wanted[name, found[0][0].strip()] += 1
                else:
                    pairs = zip(name, found[0], strict=True)
                    wanted.update((one, entity[0].strip()) for one, entity in pairs)
            got = Counter((name, one[0].strip()) for name, one in results[record["filename"]])
            right += (wanted & got).total()
            ours += wanted.total()
            theirs += got.total()
    return 2 * right / (ours + theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--docs", type=int, default=300)
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    sides = {
        "bare loop": bare,
        "vrdu": by_docassay("vrdu"),
        "vrdu_official": by_docassay("vrdu_official"),
    }
    rates: dict[str, list[float]] = {name: [] for name in sides}
    scores: dict[str, float | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        gold = Path(folder)
        pred = write_forms(gold, chosen.docs, chosen.items)
        for _ in range(chosen.rounds):
            for name, side in sides.items():
                start = time.process_time()
                scores[name] = side(gold, pred)
                rates[name].append(chosen.docs / (time.process_time() - start))
    print(f"{chosen.docs} documents of {chosen.items} line items, {chosen.rounds} rounds")
    print(f"{'':14} {'docs / CPU s':>12} {'to bare':>8} {'to official':>12} {'F1':>7}")
    for name, found in rates.items():
        to_bare, to_official = (
            statistics.median(a / b for a, b in zip(found, rates[other], strict=True))
            for other in ("bare loop", "vrdu_official")
        )
        print(
            f"{name:14} {statistics.median(found):12,.0f} {to_bare:8.3f} {to_official:12.2f}"
            f" {scores[name]:7.4f}"
        )


if __name__ == "__main__":
    main()
