"""A run, or a comparison of runs, as a page in one file: it opens from disk and loads nothing.

The data stand in the page packed (gzip, base64) and are opened when they are looked at: first all
but the documents, then parts of a hundred documents each. The scripts are the files that the
viewer serves, joined; the page allows these scripts and this style, by their digests, and nothing
else.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import batched

from docassay.model.comparison import Comparison
from docassay.model.report import KeptDiffs, Report
from docassay.model.words import visible
