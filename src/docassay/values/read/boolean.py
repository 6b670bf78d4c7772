"""Booleans: yes and no in many words, and the marks of ticked and empty boxes."""

from __future__ import annotations

from docassay.errors import Unreadable
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

# A cross in a box, and a lone x, tick it; a cross beside a list says no, as the tick says yes.
_TRUE = """
    true yes y t 1 1.0 on checked ticked selected enabled
    x [x] (x) {x} [v] [✓] [✔] ☑ ☒ ✓ ✔ √ ✅ 🗹 ■ ⬛ ● ◉ 🔘
    ja wahr j oui vrai si verdadero vero sim verdadeiro s tak prawda ano kylla igen da adevarat
    ναι да evet dogru はい 是 예 네
"""
_FALSE = """
    false no n f 0 0.0 off unchecked unticked unselected disabled [] () {} ☐ □ ◻ ⬜ ○ ◯ ✗ ✘ ✕ ❌
    ❎ nein falsch non faux falso nao nie falsz ne ei nem nu fals oxi όχι нет hayir yanlis nej nei
    nee いいえ 否 아니요 아니오
"""
_MEANINGS = {
    **{unaccented(word): "true" for word in _TRUE.split()},
    **{unaccented(word): "false" for word in _FALSE.split()},
}
_LONGEST = 20


@reader("boolean")
def read_boolean(text: str) -> str:
    """Read a yes or a no as `true` or `false`."""
    if len(text) <= _LONGEST:
        # An emoji may carry a selector that says how to draw it.
        word = unaccented(plain(text)).replace("\ufe0f", "").replace(" ", "").strip(".,;!")
        meaning = _MEANINGS.get(word)
        if meaning is not None:
            return meaning
    raise Unreadable("not a yes or no")
