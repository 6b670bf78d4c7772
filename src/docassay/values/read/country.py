"""Countries: the codes of ISO 3166 (two and three letters), English names, common local names."""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

# Each entry: two letters, three letters, and names with a stroke between them.
_TABLE = """
    AD AND Andorra; AE ARE United Arab Emirates/UAE/الإمارات; AF AFG Afghanistan;
    AG ATG Antigua and Barbuda; AI AIA Anguilla; AL ALB Albania/Shqiperia; AM ARM Armenia;
    AO AGO Angola; AQ ATA Antarctica; AR ARG Argentina/Argentinien; AS ASM American Samoa;
    AT AUT Austria/Österreich/Autriche/Oostenrijk; AU AUS Australia/Australien; AW ABW Aruba;
    AX ALA Aland Islands; AZ AZE Azerbaijan;
    BA BIH Bosnia and Herzegovina/Bosnia/Bosna i Hercegovina; BB BRB Barbados; BD BGD Bangladesh;
    BE BEL Belgium/Belgie/Belgique/Belgien/Belgica/Belgio; BF BFA Burkina Faso;
    BG BGR Bulgaria/България/Bulgarien; BH BHR Bahrain; BI BDI Burundi; BJ BEN Benin;
    BL BLM Saint Barthelemy; BM BMU Bermuda; BN BRN Brunei/Brunei Darussalam;
    BO BOL Bolivia/Plurinational State of Bolivia; BQ BES Bonaire Sint Eustatius and Saba;
    BR BRA Brazil/Brasil/Brasilien/Bresil; BS BHS Bahamas/The Bahamas; BT BTN Bhutan;
    BV BVT Bouvet Island; BW BWA Botswana; BY BLR Belarus; BZ BLZ Belize; CA CAN Canada/Kanada;
    CC CCK Cocos Islands/Keeling Islands;
    CD COD Democratic Republic of the Congo/DR Congo/DRC/Congo-Kinshasa/RDC;
    CF CAF Central African Republic; CG COG Republic of the Congo/Congo/Congo-Brazzaville;
    CH CHE Switzerland/Schweiz/Suisse/Svizzera/Svizra/Suiza/Suica/Zwitserland/Swiss Confederation;
    CI CIV Ivory Coast/Cote d'Ivoire; CK COK Cook Islands; CL CHL Chile; CM CMR Cameroon;
    CN CHN China/People's Republic of China/PRC/PR China/中国/中國/中华人民共和国/중국;
    CO COL Colombia;
    CR CRI Costa Rica; CU CUB Cuba; CV CPV Cape Verde/Cabo Verde; CW CUW Curacao;
    CX CXR Christmas Island; CY CYP Cyprus/Kypros;
    CZ CZE Czechia/Czech Republic/Cesko/Ceska republika/Tschechien/Republique tcheque;
    DE DEU Germany/Federal Republic of Germany/Deutschland/Bundesrepublik
    Deutschland/BRD/Allemagne/Alemania/Germania/Alemanha/Duitsland/Niemcy/ドイツ/德国/독일/Германия;
    DJ DJI Djibouti; DK DNK Denmark/Danmark/Dänemark/Danemark/Dinamarca; DM DMA Dominica;
    DO DOM Dominican Republic; DZ DZA Algeria/Algerie; EC ECU Ecuador;
    EE EST Estonia/Eesti/Estland; EG EGY Egypt/مصر/Ägypten/Egypte; EH ESH Western Sahara;
    ER ERI Eritrea; ES ESP Spain/Espana/Spanien/Espagne/Spagna/Espanha/Hiszpania/スペイン/西班牙;
    ET ETH Ethiopia; FI FIN Finland/Suomi/Finnland/Finlande/Finlandia; FJ FJI Fiji;
    FK FLK Falkland Islands/Malvinas; FM FSM Micronesia/Federated States of Micronesia;
    FO FRO Faroe Islands;
    FR FRA France/Frankreich/Francia/Franca/Frankrijk/Francja/フランス/法国/프랑스/Франция;
    GA GAB Gabon;
    GB GBR United Kingdom/UK/Great Britain/Britain/United Kingdom of Great Britain and Northern
    Ireland/Vereinigtes Konigreich/Grossbritannien/Royaume-Uni/Reino Unido/Regno
    Unito/イギリス/英国/영국/Великобритания;
    GD GRD Grenada; GE GEO Georgia; GF GUF French Guiana; GG GGY Guernsey; GH GHA Ghana;
    GI GIB Gibraltar; GL GRL Greenland; GM GMB Gambia/The Gambia; GN GIN Guinea;
    GP GLP Guadeloupe; GQ GNQ Equatorial Guinea;
    GR GRC Greece/Hellas/Ελλάδα/Griechenland/Grece/Grecia/Hellenic Republic;
    GS SGS South Georgia and the South Sandwich Islands; GT GTM Guatemala; GU GUM Guam;
    GW GNB Guinea-Bissau; GY GUY Guyana; HK HKG Hong Kong/香港/Hong Kong SAR;
    HM HMD Heard Island and McDonald Islands; HN HND Honduras; HR HRV Croatia/Hrvatska/Kroatien;
    HT HTI Haiti; HU HUN Hungary/Magyarorszag/Ungarn/Hongrie; ID IDN Indonesia/Indonesien;
    IE IRL Ireland/Eire/Republic of Ireland/Irland/Irlande/Irlanda; IL ISR Israel/ישראל;
    IM IMN Isle of Man; IN IND India/Bharat/भारत/Indien/Inde;
    IO IOT British Indian Ocean Territory; IQ IRQ Iraq; IR IRN Iran/Islamic Republic of Iran;
    IS ISL Iceland/Island; IT ITA Italy/Italia/Italien/Italie/Wlochy/イタリア/意大利/이탈리아;
    JE JEY Jersey;
    JM JAM Jamaica; JO JOR Jordan; JP JPN Japan/日本/Nippon/Nihon/Japon/일본; KE KEN Kenya;
    KG KGZ Kyrgyzstan; KH KHM Cambodia/Kampuchea; KI KIR Kiribati; KM COM Comoros;
    KN KNA Saint Kitts and Nevis; KP PRK North Korea/Democratic People's Republic of Korea/DPRK;
    KR KOR South Korea/Republic of Korea/Korea/Corea del Sur/Sudkorea/대한민국/한국/韓国/韩国;
    KW KWT Kuwait; KY CYM Cayman Islands; KZ KAZ Kazakhstan;
    LA LAO Laos/Lao People's Democratic Republic; LB LBN Lebanon; LC LCA Saint Lucia;
    LI LIE Liechtenstein; LK LKA Sri Lanka; LR LBR Liberia; LS LSO Lesotho;
    LT LTU Lithuania/Lietuva/Litauen; LU LUX Luxembourg/Luxemburg/Letzebuerg;
    LV LVA Latvia/Latvija/Lettland; LY LBY Libya; MA MAR Morocco/Maroc/Marokko/المغرب;
    MC MCO Monaco; MD MDA Moldova/Republic of Moldova; ME MNE Montenegro; MF MAF Saint Martin;
    MG MDG Madagascar; MH MHL Marshall Islands; MK MKD North Macedonia/Macedonia; ML MLI Mali;
    MM MMR Myanmar/Burma; MN MNG Mongolia; MO MAC Macao/Macau/澳門; MP MNP Northern Mariana Islands;
    MQ MTQ Martinique; MR MRT Mauritania; MS MSR Montserrat; MT MLT Malta; MU MUS Mauritius;
    MV MDV Maldives; MW MWI Malawi; MX MEX Mexico/Mexiko/Mexique/Estados Unidos Mexicanos;
    MY MYS Malaysia; MZ MOZ Mozambique; NA NAM Namibia; NC NCL New Caledonia; NE NER Niger;
    NF NFK Norfolk Island; NG NGA Nigeria; NI NIC Nicaragua;
    NL NLD Netherlands/The Netherlands/Holland/Nederland/Niederlande/Pays-Bas/Paises Bajos/Paesi
    Bassi;
    NO NOR Norway/Norge/Noreg/Norwegen/Norvege/Noruega; NP NPL Nepal; NR NRU Nauru; NU NIU Niue;
    NZ NZL New Zealand/Aotearoa/Neuseeland; OM OMN Oman; PA PAN Panama; PE PER Peru;
    PF PYF French Polynesia; PG PNG Papua New Guinea;
    PH PHL Philippines/Pilipinas/The Philippines; PK PAK Pakistan;
    PL POL Poland/Polska/Polen/Pologne/Polonia; PM SPM Saint Pierre and Miquelon; PN PCN Pitcairn;
    PR PRI Puerto Rico; PS PSE Palestine/State of Palestine; PT PRT Portugal/Portogallo;
    PW PLW Palau; PY PRY Paraguay; QA QAT Qatar; RE REU Reunion; RO ROU Romania/Rumänien/Roumanie;
    RS SRB Serbia/Srbija/Србија/Serbien;
    RU RUS Russia/Russian Federation/Россия/Российская Федерация/Russland/Russie/Rusia;
    RW RWA Rwanda; SA SAU Saudi Arabia/KSA/Kingdom of Saudi Arabia/السعودية;
    SB SLB Solomon Islands; SC SYC Seychelles; SD SDN Sudan;
    SE SWE Sweden/Sverige/Schweden/Suede/Suecia; SG SGP Singapore/Singapura/新加坡;
    SH SHN Saint Helena; SI SVN Slovenia/Slovenija/Slowenien; SJ SJM Svalbard and Jan Mayen;
    SK SVK Slovakia/Slovensko/Slowakei/Slovak Republic; SL SLE Sierra Leone; SM SMR San Marino;
    SN SEN Senegal; SO SOM Somalia; SR SUR Suriname; SS SSD South Sudan;
    ST STP Sao Tome and Principe; SV SLV El Salvador; SX SXM Sint Maarten;
    SY SYR Syria/Syrian Arab Republic; SZ SWZ Eswatini/Swaziland; TC TCA Turks and Caicos Islands;
    TD TCD Chad; TF ATF French Southern Territories; TG TGO Togo; TH THA Thailand/ประเทศไทย/ไทย;
    TJ TJK Tajikistan; TK TKL Tokelau; TL TLS Timor-Leste/East Timor; TM TKM Turkmenistan;
    TN TUN Tunisia/Tunisie; TO TON Tonga; TR TUR Turkey/Turkiye/Türkei/Turquie/Turquia;
    TT TTO Trinidad and Tobago; TV TUV Tuvalu; TW TWN Taiwan/台灣/臺灣/台湾;
    TZ TZA Tanzania/United Republic of Tanzania; UA UKR Ukraine/Україна/Украина; UG UGA Uganda;
    UM UMI United States Minor Outlying Islands;
    US USA United States/United States of America/US of A/America/USA/Vereinigte
    Staaten/Etats-Unis/Estados Unidos/EE.UU./EEUU/EUA/Stati Uniti/アメリカ/米国/美国/미국/США;
    UY URY Uruguay; UZ UZB Uzbekistan; VA VAT Vatican City/Holy See/Vatican;
    VC VCT Saint Vincent and the Grenadines; VE VEN Venezuela/Bolivarian Republic of Venezuela;
    VG VGB British Virgin Islands; VI VIR US Virgin Islands/Virgin Islands of the United States;
    VN VNM Vietnam/Viet Nam/Việt Nam; VU VUT Vanuatu; WF WLF Wallis and Futuna; WS WSM Samoa;
    XK XKX Kosovo; YE YEM Yemen; YT MYT Mayotte; ZA ZAF South Africa/RSA/Südafrika/Suid-Afrika;
    ZM ZMB Zambia; ZW ZWE Zimbabwe;
"""
_LONGEST = 60
_GAPS = re.compile(r"[\s.,'()-]+")
_ARTICLE = "the "


def _bare(text: str) -> str:
    """Return a name without case, accents, marks and a leading article."""
    words = _GAPS.sub(" ", unaccented(plain(text)).replace("&", " and ")).strip()
    return words.removeprefix(_ARTICLE)


def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for entry in " ".join(_TABLE.split()).rstrip(";").split("; "):
        code, three, listed = entry.split(" ", 2)
        for name in (code, three, *listed.split("/")):
            bare = _bare(name)
            # U.S.A. is taken apart by its points, and saint is often short
            for spelling in (bare, bare.replace("saint ", "st ")):
                names[spelling] = code
    return names


COUNTRIES = _names()
"""A code or name without case, accents and marks -> the code of two letters."""


@reader("country")
def read_country(text: str) -> str:
    """Read a country by code or name, as its ISO code of two letters."""
    bare = _bare(text) if len(text) <= _LONGEST else ""
    code = COUNTRIES.get(bare)
    if code is None and "," in text:
        name, _, kind = text.partition(",")
        code = COUNTRIES.get(_bare(f"{kind} {name}"))  # "Korea, Republic of"
    if code is None and all(len(part) == 1 for part in bare.split()):
        code = COUNTRIES.get(bare.replace(" ", ""))
    if code is None:
        raise Unreadable("not a country")
    return code
