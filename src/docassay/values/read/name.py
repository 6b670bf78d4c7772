"""Names of people and companies: one form for case, punctuation, titles and legal forms."""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.values.read.characters import fold, plain, unaccented
from docassay.values.reader import reader

LONGEST = 10_000
"""Longer texts are refused, because taking a whole book apart would cost minutes."""

_HONORIFICS = """
    mr mrs ms miss mx dr prof professor sir madam dame rev hon herr frau hr fr mme mlle monsieur
    madame mademoiselle señor señora señorita sr sra srta sig sigra signor signora dott ing dipl
    dhr mevr
"""
_TABLE = """
    inc = incorporated
    ltd = limited
    pty = proprietary
    corp = corporation
    co = company
    plc = public_limited_company
    llc = limited_liability_company
    llp = limited_liability_partnership
    gmbh = gesellschaft_mit_beschrankter_haftung
    ag = aktiengesellschaft
    sa = societe_anonyme sociedad_anonima
    sl = sociedad_limitada
    bros = brothers
    intl = international
    mfg = manufacturing
    assoc = associates
    jr = junior
    sr = senior
    and = & und et
    st = saint
"""
_PHRASES = {
    unaccented(long.replace("_", " ")): line.split(" =")[0].strip()
    for line in _TABLE.strip().splitlines()
    for long in line.split(" = ")[1].split()
}
_LONG = re.compile(rf"\b(?:{'|'.join(phrase for phrase in _PHRASES if ' ' in phrase)})\b")
_LEGAL = """
    inc ltd pty corp co plc llc llp lp gmbh ag kg ohg ug ev sa sas sarl srl spa bv nv oy oyj ab as
    aps sl lda ltda kft zrt doo sro pte bhd sdn jr sr ii iii iv phd md esq cpa
"""
HONORIFICS = frozenset(unaccented(_HONORIFICS).split())
AFTER_NAMES = frozenset(_LEGAL.split())
"""Legal forms and suffixes, before which a comma does not turn a name round."""
_MARKS = re.compile("[™®©℠]")
_WORD = re.compile(r"&|\w+")


@reader("name", compare="edit")
def read_name(text: str, *, accents: bool = False) -> str:
    """Read a name without titles, `Last, First` turned round; `accents` tells accents apart."""
    if len(text) > LONGEST:
        raise Unreadable("too long for a name")
    line = plain(_MARKS.sub("", text)).replace("'", "")
    line = fold(line) if accents else unaccented(line)
    line = _LONG.sub(lambda phrase: _PHRASES[phrase[0]], line)
    words = _words(_turned(line))
    while len(words) > 1 and words[0] in HONORIFICS:
        del words[0]
        if len(words) > 1 and words[0] == "and" and words[1] in HONORIFICS:
            del words[0]
    if not words:
        raise Unreadable("not a name")
    return " ".join(words)


def _turned(line: str) -> str:
    """Return `Last, First` as `First Last`; a comma before a legal form or in a list stays."""
    last, comma, first = line.partition(",")
    words = _words(first)
    if not comma or "," in first or "&" in line or not 1 <= len(words) <= 3:
        return line
    given = [word for word in words if word in AFTER_NAMES or word == "and" or not word.isalpha()]
    if given or len(_words(last)) > 3 or "and" in _words(last):
        return line
    return f"{first} {last}"


def _words(line: str) -> list[str]:
    """Return the words in short form, initials and dotted letters grown together: `s.a.` is sa."""
    words: list[str] = []
    letters = False
    for written in _WORD.findall(line):
        word = _PHRASES.get(written, written)
        single = len(word) == 1 and word.isalpha()
        if single and letters:
            words[-1] += word
        else:
            words.append(word)
        letters = single
    # letters grown together may spell a word that has a short form, as `e.t.` does
    return [_PHRASES.get(word, word) for word in words]
