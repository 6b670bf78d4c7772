"""Names of months and weekdays in the main European languages, found by any unmistakable start.

`juil` is July because every month that begins so is July; `jui` is nothing, since it may be June.
The three-letter forms of English win over longer names of other languages.
"""

from __future__ import annotations

from collections.abc import Iterable

from docassay.read.characters import unaccented

_MONTHS = """
    january february march april may june july august september october november december
    januar februar märz april mai juni juli august september oktober november dezember
    jänner feber maerz april mai juni juli august september oktober november dezember
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus september oktober november december
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    januari februari mars april maj juni juli augusti september oktober november december
    januar februar marts april maj juni juli august september oktober november desember
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
    ledna února března dubna května června července srpna září října listopadu prosince
    leden únor březen duben květen červen červenec srpen září říjen listopad prosinec
    január február március április május június július augusztus szeptember október november december
    ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
    ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
    ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
"""  # noqa: E501 - one language a line
_SHORT_MONTHS = """
    jan feb mar apr may jun jul aug sep oct nov dec
    jän fév mrt avr mai jui# juil aoû sept okt nov dez
    ene feb mrz abr maj cze lip ago set ott nov dic
    - - - - - čvn čvc - - - - -
"""

_WEEKDAYS = """
    monday tuesday wednesday thursday friday saturday sunday
    montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes miércoles jueves viernes sábado domingo
    lunedì martedì mercoledì giovedì venerdì sabato domenica
    segunda terça quarta quinta sexta feira
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    poniedziałek wtorek środa czwartek piątek sobota niedziela
    måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag
    maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
    pondělí úterý středa čtvrtek pátek neděle
    hétfő kedd szerda csütörtök péntek szombat vasárnap
    luni marți miercuri joi vineri sâmbătă duminică
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
    pazartesi salı çarşamba perşembe cuma cumartesi pazar
    mo di mi do fr sa so tu we th su lu ma me je ve
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 曜
"""

_FILLERS = """
    st nd rd th er re e de del den der des the of le el il di dia do da d г года год р gada ngay
    年 月 日 년 월 일 號 号 kl at um on am no år
"""


def _starts(name: str) -> Iterable[str]:
    return (name[:length] for length in range(min(3, len(name)), len(name) + 1))


def _month_starts() -> dict[str, int]:
    found: dict[str, set[int]] = {}
    for line in unaccented(_MONTHS).strip().splitlines():
        for month, name in enumerate(line.split(), start=1):
            for start in _starts(name):
                found.setdefault(start, set()).add(month)
    sure = {start: months.pop() for start, months in found.items() if len(months) == 1}
    whole = {
        name: month
        for line in unaccented(_MONTHS).strip().splitlines()
        for month, name in enumerate(line.split(), start=1)
    }
    short = {
        name: month
        for line in unaccented(_SHORT_MONTHS).strip().splitlines()
        for month, name in enumerate(line.split(), start=1)
        if name.isalpha()
    }
    return {**sure, **whole, **short}


MONTHS = _month_starts()
"""A name's start without case and accents -> 1..12."""

WEEKDAYS = frozenset(start for name in unaccented(_WEEKDAYS).split() for start in _starts(name))
FILLERS = frozenset(unaccented(_FILLERS).split())
"""Words that stand in dates and say nothing."""
