"""Currencies: the codes of ISO 4217, and the signs and names by which documents call them."""

from __future__ import annotations

from docassay.values.read.characters import unaccented

_CODES = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN
    NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK
    SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS
    VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL DEM FRF ITL ESP NLG BEF ATS IEP PTE FIM GRD
"""
CODES = frozenset(_CODES.split())

THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
"""Currencies with thousandths, where 1.234 is a small amount."""

_DOLLARS = "USD AUD CAD NZD SGD HKD TWD FJD BND BBD BSD BZD JMD KYD LRD NAD SBD SRD TTD XCD BMD GYD"
_TABLE = f"""
    $ = {_DOLLARS} MXN ARS CLP COP UYU DOP CUP
    dollar dollars = {_DOLLARS}
    us$ u$s us_dollar us_dollars usd$ = USD
    a$ au$ aud$ australian_dollar australian_dollars = AUD
    c$ ca$ can$ cad$ canadian_dollar canadian_dollars = CAD
    nz$ nzd$ new_zealand_dollars = NZD
    s$ sg$ singapore_dollars = SGD
    hk$ hong_kong_dollars = HKD
    nt$ = TWD
    mx$ mex$ = MXN
    peso pesos = MXN PHP ARS CLP COP UYU DOP CUP
    r$ real reais = BRL
    € euro euros eur. = EUR
    £ pound pounds = GBP EGP GIP FKP SHP
    pound_sterling pounds_sterling sterling gbp£ = GBP
    ¥ = JPY CNY
    yen 円 jp¥ = JPY
    元 圆 rmb yuan renminbi cn¥ 人民币 = CNY
    ₩ won 원 = KRW KPW
    ₹ = INR
    rs rupee rupees ₨ = INR PKR LKR NPR MUR SCR
    rp rupiah = IDR
    rm ringgit = MYR
    ฿ baht = THB
    ₫ đ vnđ dong = VND
    ₱ = PHP
    ₪ nis shekel shekels = ILS
    ₺ tl lira = TRY
    ₽ руб рублей р rubles roubles = RUB
    ₴ грн = UAH
    ₦ naira = NGN
    ₵ gh₵ = GHS
    ksh kes/ = KES
    r rand = ZAR
    kr krone kroner kronor krona = SEK NOK DKK ISK
    zł zloty złoty zlotych złotych = PLN
    kč kc = CZK
    ft forint = HUF
    lei leu = RON MDL
    лв lv = BGN
    fr sfr franken francs franc = CHF XAF XOF
    s/ soles = PEN
    dh dhs dirham dirhams = AED MAD
    dm = DEM
    ر.س sr = SAR
    ريال ﷼ riyal riyals = SAR QAR OMR YER IRR
    ر.ق = QAR
    ر.ع = OMR
    درهم دراهم = AED MAD
    د.ك = KWD
    د.ب = BHD
    د.إ د.أ = AED JOD
    د.ع = IQD
    دينار dinar dinars = KWD BHD IQD JOD LYD TND DZD RSD
    ج.م = EGP
    جنيه = EGP SDG
    ل.ل = LBP
    रु रुपये रुपया = INR
    บาท = THB
    ৳ tk taka = BDT
    ₸ = KZT
    ₾ = GEL
    ₼ = AZN
    ₮ = MNT
    ₭ = LAK
    ៛ = KHR
    ₡ = CRC
    ₲ = PYG
    日元 円也 = JPY
    人民幣 元整 = CNY
"""


def _marks() -> dict[str, tuple[str, ...]]:
    marks: dict[str, tuple[str, ...]] = {code.lower(): (code,) for code in CODES}
    for line in _TABLE.strip().splitlines():
        names, codes = line.split(" = ")
        for name in names.split():
            mark = unaccented(name.replace("_", " "))
            marks[mark] = marks[mark.replace(".", "")] = tuple(codes.split())
    return marks


MARKS = _marks()
"""A sign, code or name without case and accents -> the currencies it can mean, best known first."""
