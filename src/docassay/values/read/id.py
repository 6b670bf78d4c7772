"""Identifiers: letters and digits only, without a known label before them.

A label is taken off only where it stands apart ("ABN 51 824 753 556", "Invoice No. 7"), never where
it is grown together with the rest ("INV-001"), and never when nothing would remain. Words that
often begin an identifier ("PO 123" is "PO-123") are labels only before a mark or another label.
A text that is nothing but a number keeps its sign and its decimal mark: 208.33 is not 20833.
"""

from __future__ import annotations

import re
import unicodedata

from docassay.errors import Unreadable
from docassay.kernel.digits import digits_of
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

_LABELS = """
    abn acn arbn bsb tfn acct account a/c card client contract customer document doc ein fein gst
    gstin iban bic swift id inv invoice job member number numbers no nos num nr nro n order po
    policy quote receipt ref reference reg registration registered register serial sku ssn tax tin
    transaction txn uid ust ustid vat charity company business organisation organization
    identification licence license passport permit ticket voucher bill statement booking delivery
    duns lei utr uen brn ssm roc sst ssic co org pan cin tan ie ic rc cf se
    rechnung rechnungs rechnungsnummer rechnungsnr kunden kundennummer kundennr nummer
    steuer steuernummer steuernr st-nr stnr idnr umsatzsteuer umsatzsteuer-identifikationsnummer
    ust-id vertrags vertragsnummer auftrags auftragsnummer bestell bestellnummer lieferschein
    handelsregisternummer konto kontonummer mandatsreferenz gläubiger-id
    facture factura fattura fatura faktura faktury fakturanummer faktur numero numéro número num
    siret siren nif nie dni cif curp rfc ruc rut cuit nit piva partita iva p.iva codice fiscale
    cnpj cpf cnh tva intracommunautaire siège commande client devis avoir pedido cliente recibo
    nota inscrição inscricao estadual municipal contribuinte
    kvk btw btw-nummer kvk-nummer factuur factuurnummer klantnummer bestelnummer mwst moms
    cvr cvr-nr org.nr orgnr organisationsnummer orgnummer momsnr y-tunnus alv fakturanr kundnr
    nip regon krs pesel konta zamówienia umowy rachunek rachunku paragon numer
    ič ičo dič daňové číslo objednávky adószám cégjegyzékszám számlaszám cui cif oib jmbg vkn tckn
    vergi инн кпп огрн огрнип бик счет счёт номер договор заказ накладная едрпоу иин бин αφμ
    npwp nib nik nomor nombor invois resit kwitansi pelanggan pendaftaran cukai akaun rujukan
    mst số mã thuế hóa đơn
    الرقم رقم الضريبي ضريبي الفاتورة فاتورة السجل التجاري سجل تجاري الحساب حساب الموحد العميل
    التسجيل الطلب الهوية
    संख्या क्रमांक नंबर सं पैन जीएसटीआईएन जीएसटी बीजक चालान खाता पंजीकरण
    เลขที่ เลขประจำตัวผู้เสียภาษี เลขทะเบียน ใบแจ้งหนี้
    №
"""
LABELS = tuple(_LABELS.split())

PREFIXES = frozenset(
    {"inv", "po", "doc", "job", "ref", "txn", "sku", "co", "org", "pan", "cin", "tan", "ie", "ic"}
    | {"rc", "cf", "se"}
)
"""Labels that are as often a part of the identifier."""

_BETWEEN = frozenset(
    {"de", "du", "da", "do", "del", "della", "di", "des", "der", "of", "the", "for", "la", "le"}
    | {"el", "van", "dla", "in", "and", "england", "wales", "scotland"}
)
"""Words between two labels: `numéro de TVA`."""
_ENDINGS = ("nummer", "number", "nr", "no", "num", "id")
"""What makes a label of a label: `ustid` and `nr`."""
_LETTERS = r"[^\W\d_](?:[^\W\d_]|[\u0900-\u0963\u0e01-\u0e4e])*"
_MARK = re.compile(r"\s*[:#]")
_WORD = re.compile(
    rf"[\s#:;,()/\[\]]*({_LETTERS}(?:[./-]{{1,2}}{_LETTERS})*)(?=[\s.:#°º]|$)[.:#°º]*"
)
# Scripts without spaces grow a label together with what it labels.
_EASTERN = re.compile(
    r"[\s(\[]*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3 ]{0,16}?"
    r"(?:番号|番號|号码|號碼|编号|編號|代码|代碼|税号|稅號|번호|コード|识别号|登记号|登記號|注册号"
    r"|号(?= ?:))[\s:.#)\]]*"
)
_TWO_WORDS = re.compile(r"(?<=\bp\.) (?=iva\b)", re.IGNORECASE)
_KNOWN = frozenset(re.sub("[./-]", "", unaccented(label)) for label in LABELS)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_WHOLE = re.compile(r"([0-9]{4,})\.0")


@reader("id", gist=digits_of)
def read_id(text: str, *, labels: tuple[str, ...] = ()) -> str:
    """Read an identifier without punctuation, spaces and case; `labels` adds to the known ones."""
    digits = text.replace(" ", "")
    if digits.isdecimal() and digits.isascii():
        return digits
    line = plain(text)
    if "." in line:
        line = _TWO_WORDS.sub("", line)
    if not line.isascii():
        line = line.replace("№", "No ").replace("Nº", "No ").replace("N°", "No ")
    own = _unlabelled(line, _KNOWN.union(map(_bare, labels)) if labels else _KNOWN).strip()
    if _NUMBER.fullmatch(own):
        return _number(own if own == line else own.lstrip("-"))
    identifier = "".join(filter(str.isalnum, _caseless(own)))
    if not identifier.isascii():
        # a mark inside a label hid it
        identifier = _unlabelled(identifier, frozenset())
    if not identifier:
        raise Unreadable("not an identifier")
    return identifier


def _unlabelled(line: str, labels: frozenset[str]) -> str:
    """Return what is left of a text when the labels before it are taken off."""
    start, before = 0, False
    while True:
        word = None if line.isascii() else _EASTERN.match(line, start)
        if word is None:
            word = _WORD.match(line, start)
            if word is None or not _is_label(word, line, labels, between=before):
                break
        if not any(character.isalnum() for character in line[word.end() :]):
            break
        start, before = word.end(), True
    return line[start:]


def _is_label(
    word: re.Match[str], line: str, labels: frozenset[str], *, between: bool = False
) -> bool:
    label = _bare(word[1])
    if between and label in _BETWEEN:
        following = _WORD.match(line, word.end())
        return following is not None and _is_label(following, line, labels, between=True)
    if label not in labels:
        return _is_compound(label, labels)
    if label not in PREFIXES or word.end() > word.end(1) or _MARK.match(line, word.end()):
        return True
    following = _WORD.match(line, word.end())
    return following is not None and _bare(following[1]) in labels


def _is_compound(label: str, labels: frozenset[str]) -> bool:
    return any(
        label.endswith(ending) and label.removesuffix(ending) in labels for ending in _ENDINGS
    )


def _number(own: str) -> str:
    """Return a number as an identifier: a comma before three digits groups, a point never does."""
    whole, comma, rest = own.removeprefix("+").partition(",")
    if comma and len(rest) == 3 and len(whole.lstrip("-")) <= 3:
        return whole + rest
    plain_number = f"{whole}.{rest}" if comma else whole
    # a spreadsheet that had a hole in the column writes 20833.0
    artefact = _WHOLE.fullmatch(plain_number)
    return plain_number if artefact is None else artefact[1]


def _bare(label: str) -> str:
    return re.sub("[./ -]", "", unaccented(label))


def _caseless(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.casefold())
