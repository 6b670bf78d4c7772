"""Invented documents of any number, with predictions by imperfect models and why each differs."""

from docassay.synth.corpus import Sample, generate, write_corpus
from docassay.synth.formats import HARMLESS
from docassay.synth.predict import Cause
from docassay.synth.profiles import PROFILES, Profile

__all__ = ["HARMLESS", "PROFILES", "Cause", "Profile", "Sample", "generate", "write_corpus"]
