"""Languages: the codes of ISO 639 (two and three letters), English names, common own names.

A region or script behind the code (`en-GB`, `zh-Hant`) is part of the value: stated on both sides
it must agree, stated on one it says no more than the other leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.values.comparator import comparator
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

# Each entry: two letters, three letters (a stroke between two codes), and names.
_TABLE = """
    aa aar Afar; ab abk Abkhazian/Abkhaz; ae ave Avestan; af afr Afrikaans; ak aka Akan;
    am amh Amharic; an arg Aragonese; ar ara Arabic/العربية/arabe; as asm Assamese; av ava Avaric;
    ay aym Aymara; az aze Azerbaijani; ba bak Bashkir; be bel Belarusian;
    bg bul Bulgarian/български; bh bih Bihari; bi bis Bislama; bm bam Bambara;
    bn ben Bengali/Bangla; bo bod/tib Tibetan; br bre Breton; bs bos Bosnian;
    ca cat Catalan/Valencian/catala; ce che Chechen; ch cha Chamorro; co cos Corsican;
    cr cre Cree; cs ces/cze Czech/cestina; cu chu Church Slavic/Old Church Slavonic;
    cv chv Chuvash; cy cym/wel Welsh; da dan Danish/dansk;
    de deu/ger German/Deutsch/allemand/aleman/tedesco/Duits/niemiecki;
    dv div Divehi/Dhivehi/Maldivian; dz dzo Dzongkha; ee ewe Ewe;
    el ell/gre Greek/Modern Greek/Ελληνικά;
    en eng English/Englisch/anglais/ingles/inglese/Engels/angielski/英語/英语; eo epo Esperanto;
    es spa Spanish/Castilian/espanol/castellano/Spanisch/espagnol/spagnolo/スペイン語/西班牙语;
    et est Estonian/eesti; eu eus/baq Basque/euskara; fa fas/per Persian/Farsi/فارسی;
    ff ful Fulah; fi fin Finnish/suomi; fj fij Fijian; fo fao Faroese;
    fr fra/fre French/francais/Französisch/frances/francese/Frans/francuski/フランス語/法语;
    fy fry Western Frisian/Frisian; ga gle Irish/Gaeilge; gd gla Scottish Gaelic/Gaelic;
    gl glg Galician; gn grn Guarani; gu guj Gujarati; gv glv Manx; ha hau Hausa;
    he heb Hebrew/עברית; hi hin Hindi/हिन्दी; ho hmo Hiri Motu; hr hrv Croatian/hrvatski;
    ht hat Haitian Creole/Haitian; hu hun Hungarian/magyar; hy hye/arm Armenian; hz her Herero;
    ia ina Interlingua; id ind Indonesian/Bahasa Indonesia; ie ile Interlingue/Occidental;
    ig ibo Igbo; ii iii Sichuan Yi/Nuosu; ik ipk Inupiaq; io ido Ido; is isl/ice Icelandic;
    it ita Italian/italiano/Italienisch/italien; iu iku Inuktitut; ja jpn Japanese/日本語/日语;
    jv jav Javanese; ka kat/geo Georgian; kg kon Kongo; ki kik Kikuyu/Gikuyu;
    kj kua Kuanyama/Kwanyama; kk kaz Kazakh; kl kal Kalaallisut/Greenlandic;
    km khm Khmer/Central Khmer; kn kan Kannada; ko kor Korean/한국어/韓国語; kr kau Kanuri;
    ks kas Kashmiri; ku kur Kurdish; kv kom Komi; kw cor Cornish; ky kir Kyrgyz/Kirghiz;
    la lat Latin; lb ltz Luxembourgish/Letzebuergesch; lg lug Ganda; li lim Limburgish/Limburgan;
    ln lin Lingala; lo lao Lao; lt lit Lithuanian/lietuviu; lu lub Luba-Katanga;
    lv lav Latvian/latviesu; mg mlg Malagasy; mh mah Marshallese; mi mri/mao Maori;
    mk mkd/mac Macedonian; ml mal Malayalam; mn mon Mongolian; mr mar Marathi;
    ms msa/may Malay/Bahasa Melayu; mt mlt Maltese; my mya/bur Burmese; na nau Nauruan;
    nb nob Norwegian Bokmal/Bokmal; nd nde North Ndebele; ne nep Nepali; ng ndo Ndonga;
    nl nld/dut Dutch/Flemish/Nederlands/Niederländisch/neerlandais;
    nn nno Norwegian Nynorsk/Nynorsk; no nor Norwegian/norsk; nr nbl South Ndebele; nv nav Navajo;
    ny nya Chichewa/Chewa/Nyanja; oc oci Occitan/Provencal; oj oji Ojibwa; om orm Oromo;
    or ori Odia/Oriya; os oss Ossetian/Ossetic; pa pan Punjabi/Panjabi; pi pli Pali;
    pl pol Polish/polski/Polnisch; ps pus Pashto/Pushto;
    pt por Portuguese/portugues/Portugiesisch/portugais; qu que Quechua; rm roh Romansh;
    rn run Rundi; ro ron/rum Romanian/Moldavian/Moldovan/romana;
    ru rus Russian/русский/Russisch/russe; rw kin Kinyarwanda; sa san Sanskrit; sc srd Sardinian;
    sd snd Sindhi; se sme Northern Sami; sg sag Sango; si sin Sinhala/Sinhalese;
    sk slk/slo Slovak; sl slv Slovenian/Slovene; sm smo Samoan; sn sna Shona; so som Somali;
    sq sqi/alb Albanian; sr srp Serbian/srpski/српски; ss ssw Swati; st sot Southern Sotho/Sotho;
    su sun Sundanese; sv swe Swedish/svenska; sw swa Swahili; ta tam Tamil/தமிழ்; te tel Telugu;
    tg tgk Tajik; th tha Thai/ไทย; ti tir Tigrinya; tk tuk Turkmen; tl tgl Tagalog/Filipino;
    tn tsn Tswana; to ton Tongan; tr tur Turkish/turkce; ts tso Tsonga; tt tat Tatar; tw twi Twi;
    ty tah Tahitian; ug uig Uyghur/Uighur; uk ukr Ukrainian/українська; ur urd Urdu; uz uzb Uzbek;
    ve ven Venda; vi vie Vietnamese/Tiếng Việt; vo vol Volapuk; wa wln Walloon; wo wol Wolof;
    xh xho Xhosa; yi yid Yiddish; yo yor Yoruba; za zha Zhuang/Chuang;
    zh zho/chi Chinese/中文/汉语/漢語/Mandarin/Mandarin Chinese/Chinesisch/chinois; zu zul Zulu;
"""
_LONGEST = 40
_TAG = re.compile(r"([a-z]{2,3})[-_]([a-z]{4}|[a-z]{2}|[0-9]{3})(?:[-_]([a-z]{2}|[0-9]{3}))?")


class Language(NamedTuple):
    """A language by its code of two letters, and what is said of its region or script."""

    code: str
    region: str | None
    """None: the text does not say."""

    def __str__(self) -> str:
        return self.code if self.region is None else f"{self.code}-{self.region}"


def _bare(text: str) -> str:
    return " ".join(re.split(r"[\s.,()]+", unaccented(plain(text)))).strip()


def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for entry in " ".join(_TABLE.split()).rstrip(";").split("; "):
        code, three, listed = entry.split(" ", 2)
        for name in (code, *three.split("/"), *listed.split("/")):
            names[_bare(name)] = code
    return names


LANGUAGES = _names()
"""A code or name without case and accents -> the code of two letters."""


@reader("language", compare="language")
def read_language(text: str) -> Language:
    """Read a language by code or name, with the region or script that stands behind a code."""
    bare = _bare(text) if len(text) <= _LONGEST else ""
    tag = _TAG.fullmatch(bare)
    if tag is None:
        code = LANGUAGES.get(bare) or LANGUAGES.get(bare.removesuffix(" language"))
        region = None
    else:
        code = LANGUAGES.get(tag[1])
        region = "-".join(part.upper() for part in tag.groups()[1:] if part is not None)
    if code is None:
        raise Unreadable("not a language")
    return Language(code, region)


def language_key(value: Hashable) -> str:
    """Return the language without its region."""
    return value.code if isinstance(value, Language) else str(value)


def language_region(value: Hashable) -> str | None:
    """Return the region, or None when it is left open."""
    return value.region if isinstance(value, Language) else None


def why_language(gold: Hashable, pred: Hashable) -> str:
    """Say whether languages or regions differ."""
    if language_key(gold) != language_key(pred):
        return f"languages differ: {gold} and {pred}"
    return "equal as languages" if language(gold, pred) else f"regions differ: {gold} and {pred}"


@comparator("language", key=language_key, scope=language_region, why=why_language, binary=True)
def language(gold: Hashable, pred: Hashable) -> float:
    """1 for the same language, in the same region where both state one, else 0."""
    if language_key(gold) != language_key(pred):
        return 0.0
    regions = {language_region(gold), language_region(pred)} - {None}
    return float(len(regions) < 2)
