"""Names of people and companies: one form for case, punctuation, titles and legal forms.

An umlaut is written with its mark, without it, or as two letters. `Müller` may stand for both
`Muller` and `Mueller`, which are not each other, so a name with such a letter has no key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Levenshtein

from docassay.errors import ConfigurationError, Unreadable
from docassay.kernel.digits import digits_of
from docassay.values.comparator import comparator, pairwise
from docassay.values.compare.texts import edit_batch, why_edit
from docassay.values.read.characters import (
    TWO_LETTERS,
    WORD_MARKS,
    fold,
    plain,
    unaccented,
    without_gaps,
)
from docassay.values.reader import reader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 10_000
"""Longer texts are refused, because taking a whole book apart would cost minutes."""

_HONORIFICS = """
    mr mrs ms miss mx dr prof professor sir madam dame rev hon herr frau hr fr mme mlle monsieur
    madame mademoiselle señor señora señorita sr sra srta sig sigra signor signora dott dipl
    dhr mevr messrs shri smt encik puan tuan bapak bpk datuk
"""
_TABLE = """
    inc = incorporated
    ltd = limited
    pty = proprietary
    pvt = private
    corp = corporation
    co = company
    plc = public_limited_company
    llc = limited_liability_company limited_liability_co
    llp = limited_liability_partnership
    lp = limited_partnership
    na = national_association
    gmbh = gesellschaft_mit_beschränkter_haftung gesellschaft_mit_beschraenkter_haftung
    mbh = mit_beschränkter_haftung
    ag = aktiengesellschaft
    kgaa = kommanditgesellschaft_auf_aktien
    kg = kommanditgesellschaft
    ohg = offene_handelsgesellschaft
    ug = unternehmergesellschaft
    ev = eingetragener_verein
    eg = eingetragene_genossenschaft
    gbr = gesellschaft_bürgerlichen_rechts
    se = societas_europaea
    sa = societe_anonyme sociedad_anonima sociedade_anonima spolka_akcyjna
    sa_de_cv = sociedad_anonima_de_capital_variable
    psa = prosta_spolka_akcyjna
    sas = societe_par_actions_simplifiee sociedad_por_acciones_simplificada
    sasu = societe_par_actions_simplifiee_unipersonnelle
    sarl = societe_a_responsabilite_limitee
    eurl = entreprise_unipersonnelle_a_responsabilite_limitee
    snc = societe_en_nom_collectif
    sci = societe_civile_immobiliere
    sl = sociedad_limitada
    slu = sociedad_limitada_unipersonal
    spa = societa_per_azioni
    srl = societa_a_responsabilita_limitata societate_cu_raspundere_limitata
    srl = sociedad_de_responsabilidad_limitada
    ltda = limitada
    ltee = limitee
    cia = companhia compania
    sp_zoo = spolka_z_ograniczona_odpowiedzialnoscia spolka_z_oo spolka_z_o_o spzoo
    sp_j = spolka_jawna
    sp_k = spolka_komandytowa
    sp_p = spolka_partnerska
    sro = spolecnost_s_rucenim_omezenym spolocnost_s_rucenim_obmedzenym
    as = akciova_spolecnost aktieselskab aksjeselskap anonim_sirketi
    kft = korlatolt_felelossegu_tarsasag
    zrt = zartkoruen_mukodo_reszvenytarsasag
    doo = drustvo_s_ogranicenom_odgovornoscu
    ab = aktiebolag aktiebolaget
    oyj = julkinen_osakeyhtio
    oy = osakeyhtio
    aps = anpartsselskab
    asa = allmennaksjeselskap
    bv = besloten_vennootschap
    nv = naamloze_vennootschap
    sti = sirketi
    sdn = sendirian
    bhd = berhad
    pt = perseroan_terbatas
    tbk = terbuka
    cv = commanditaire_vennootschap persekutuan_komanditer
    ооо = общество_с_ограниченной_ответственностью
    оао = открытое_акционерное_общество
    зао = закрытое_акционерное_общество
    пао = публичное_акционерное_общество
    ао = акционерное_общество
    ип = индивидуальный_предприниматель
    тов = товариство_з_обмеженою_відповідальністю
    लि = लिमिटेड
    प्रा = प्राइवेट
    cty = cong_ty
    tnhh = trach_nhiem_huu_han
    ذمم = ذات_مسؤولية_محدودة ذات_المسؤولية_المحدودة
    bros = brothers
    intl = international
    mfg = manufacturing
    assoc = associates
    assn = association
    dept = department
    univ = university
    jr = junior
    sr = senior
    and = & und et og och
    st = saint
"""
_EASTERN = {
    "株式会社": "kk", "(株)": "kk", "株式會社": "kk",
    "有限会社": "yk", "(有)": "yk",
    "合同会社": "gk", "(同)": "gk", "(合)": "gk",
    "주식회사": "jusik", "(주)": "jusik",
    "유한회사": "yuhan", "(유)": "yuhan",
    "有限责任公司": "有限公司",
}  # fmt: skip
"""Legal forms that are written without a space, and what stands for them."""
_PHRASES = {
    unaccented(long.replace("_", " ")): line.split(" =")[0].strip().replace("_", " ")
    for line in _TABLE.strip().splitlines()
    for long in line.split(" = ")[1].split()
}
_LONG = re.compile(
    rf"\b(?:{'|'.join(sorted((p for p in _PHRASES if ' ' in p), key=len, reverse=True))})\b"
)
_LEGAL = """
    lp ev jr sr ii iii iv phd md esq cpa lda pte kk yk gk jusik yuhan
"""
HONORIFICS = frozenset(unaccented(_HONORIFICS).split())
AFTER_NAMES = frozenset(_LEGAL.split()).union(
    word for short in _PHRASES.values() for word in short.split() if word not in ("and", "st", "de")
)
"""Legal forms and suffixes, before which a comma does not turn a name round."""
_BEHIND = re.compile(r"(?<=\w) ?(?:様|御中|殿)$|(?<=\w) (?:さん|先生|귀하|귀중|님)$")
_ENGINEER = re.compile(r"\bing\. ?(?=\w)")
_MARKS = re.compile("[™®©℠]")
_ROUNDS = 8
_LEGAL_EASTERN = re.compile("|".join(map(re.escape, _EASTERN)))
_WORD = re.compile(rf"&|(?:\w|[{WORD_MARKS}])+")


class PartyName(NamedTuple):
    """A name in its canonical form, and the other ways to write it that its likeness needs."""

    text: str
    written: str
    """Its words without case and accents as they stand, by which a misspelt word is measured."""
    spelt: str
    """The canonical form with umlauts as two letters; empty when there are none."""

    def __str__(self) -> str:
        return self.text


@reader("name", compare="name", gist=digits_of)
def read_name(text: str, *, accents: bool = False, spaces: str = "keep") -> PartyName:
    """Read a name; `accents` tells accents apart, `spaces: ignore` overlooks lost spaces."""
    if len(text) > LONGEST:
        raise Unreadable("too long for a name")
    if spaces not in ("keep", "ignore"):
        raise ConfigurationError(
            f"option spaces: {spaces!r} is no way to treat spaces", hint="there is: keep, ignore"
        )
    line = plain(_MARKS.sub("", text)).replace("'", "")
    folded = fold(line) if accents else unaccented(line)
    canonical = _canonical(folded)
    written = " ".join(_WORD.findall(folded))
    if not canonical:
        raise Unreadable("not a name")
    spelt = ""
    if not accents and not line.isascii():
        letters = unicodedata.normalize("NFC", line.casefold())
        two = letters.translate(TWO_LETTERS)
        spelt = "" if two == letters else _canonical(unaccented(two))
    if spaces == "ignore":
        canonical, spelt = canonical.replace(" ", ""), spelt.replace(" ", "")
    return PartyName(canonical, written, spelt)


def _canonical(folded: str) -> str:
    """Return a name in its canonical form, which is its own."""
    line = folded
    # a legal form may come to light only when a mark inside it is gone
    for _ in range(_ROUNDS):
        canonical = _once(line)
        if canonical == line:
            break
        line = canonical
    return line


def _once(folded: str) -> str:
    line = _ENGINEER.sub("", _BEHIND.sub("", folded))
    if not line.isascii():
        line = _LEGAL_EASTERN.sub(lambda form: f" {_EASTERN[form[0]]} ", line)
    line = _LONG.sub(lambda phrase: _PHRASES[phrase[0]], line)
    words = _words(_turned(line))
    while len(words) > 1 and words[0] in HONORIFICS:
        del words[0]
        if len(words) > 1 and words[0] == "and" and words[1] in HONORIFICS:
            del words[0]
    if len(words) > 2 and words[0] == "the":
        del words[0]
    return without_gaps(" ".join(words))


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
        elif word in ("co", "cia") and words and words[-1] == "and":
            # "Smith & Co" is as often written without the mark
            words[-1] = word
        else:
            words.append(word)
        letters = single
    # letters grown together may spell a word that has a short form, as `e.t.` does
    return [short for word in words for short in _PHRASES.get(word, word).split()]


def name_key(value: Hashable) -> str | None:
    """Return the canonical form, or None for a name that may be spelt in two ways."""
    if not isinstance(value, PartyName):
        return str(value)
    return None if value.spelt else value.text


def _same(gold: PartyName, pred: PartyName) -> bool:
    if gold.text == pred.text:
        return True
    if not gold.spelt and not pred.spelt:
        return False
    # each word may have its umlauts written in its own way
    left, right = (
        [*zip(name.text.split(), (name.spelt or name.text).split(), strict=False)]
        for name in (gold, pred)
    )
    return len(left) == len(right) and all(
        not set(ways).isdisjoint(others) for ways, others in zip(left, right, strict=True)
    )


def why_name(gold: Hashable, pred: Hashable) -> str:
    """Say how many characters differ, where names are most alike."""
    if not (isinstance(gold, PartyName) and isinstance(pred, PartyName)):
        return why_edit(gold, pred)
    if _same(gold, pred):
        return "equal"
    pairs = [(gold.text, pred.text), (gold.written, pred.written)]
    pairs = [(left, right) for left, right in pairs if left != right]
    return why_edit(*max(pairs, key=lambda pair: Levenshtein.normalized_similarity(*pair)))


def names_batch(golds: Sequence[Hashable], preds: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return the similarity of every gold with every pred name."""
    import numpy as np

    if any(not isinstance(value, PartyName) or value.spelt for value in (*golds, *preds)):
        return pairwise(name, golds, preds)
    similar = edit_batch(golds, preds)
    written = edit_batch(
        [value.written for value in golds if isinstance(value, PartyName)],
        [value.written for value in preds if isinstance(value, PartyName)],
    )
    longest = np.array([[_longest(gold, pred) for pred in preds] for gold in golds])
    cap = 1.0 - 1.0 / (longest.reshape(similar.shape) + 1)
    return np.where(similar == 1.0, 1.0, np.maximum(similar, np.minimum(written, cap)))


def _longest(gold: Hashable, pred: Hashable) -> int:
    return max(len(str(gold)), len(str(pred)))


@comparator("name", key=name_key, batch=names_batch, why=why_name)
def name(gold: Hashable, pred: Hashable) -> float:
    """1 for one name, else the edit similarity, of canonical forms or as written."""
    if not (isinstance(gold, PartyName) and isinstance(pred, PartyName)):
        return Levenshtein.normalized_similarity(str(gold), str(pred))
    if _same(gold, pred):
        return 1.0
    cap = 1.0 - 1.0 / (_longest(gold, pred) + 1)
    written = min(Levenshtein.normalized_similarity(gold.written, pred.written), cap)
    canonical = max(
        Levenshtein.normalized_similarity(left, right)
        for left in {gold.text, gold.spelt or gold.text}
        for right in {pred.text, pred.spelt or pred.text}
    )
    return max(min(canonical, cap), written)
