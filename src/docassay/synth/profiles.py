"""Profiles: how often and in which ways a make-believe model goes wrong, and whether it knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docassay.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Profile:
    """Chances of each kind of mistake on a document of average difficulty."""

    name: str
    wrong: float
    """That a value is not the one on the page."""
    reformatted: float
    """That a right value is written in another way."""
    invented: float
    """That a field the document does not have is filled in."""
    dropped: float
    """That a row is left out; `merged`, `split` and `duplicated` are per row too."""
    merged: float
    split: float
    duplicated: float
    added: float
    """That a row is made up; `swapped` and `reordered` are per document too."""
    swapped: float
    """That two rows exchange the values of a column."""
    reordered: float
    prone: tuple[str, ...]
    """Mistakes three times as frequent as the others."""
    candour: float
    """The share of its doubt that a confidence admits: 1 is calibrated, less is over-confident."""


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            "careful",
            wrong=0.02,
            reformatted=0.06,
            invented=0.03,
            dropped=0.006,
            merged=0.003,
            split=0.003,
            duplicated=0.003,
            added=0.03,
            swapped=0.03,
            reordered=0.02,
            prone=("other_field", "day_month_swapped", "truncated"),
            candour=1.0,
        ),
        Profile(
            "hasty",
            wrong=0.08,
            reformatted=0.10,
            invented=0.05,
            dropped=0.025,
            merged=0.015,
            split=0.015,
            duplicated=0.006,
            added=0.12,
            swapped=0.08,
            reordered=0.08,
            prone=("ocr", "missing", "separator", "extra_text", "sign_lost"),
            candour=0.3,
        ),
    )
}


def profile_of(profile: Profile | str) -> Profile:
    """Return the profile itself or the built-in one of a name."""
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        raise UnknownName("profile", profile, PROFILES)
    return PROFILES[profile]
