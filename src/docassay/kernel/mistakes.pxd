# What the names of mistakes.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, key_of, reading_at, values_of
from docassay.kernel.senses cimport usual_number

cdef bytes LOOKS

@cython.locals(golds=dict, preds=dict, paths=list, path=str, own=tuple, other=tuple, mistakes=list)
cpdef list mistakes_in(Group gold, Group pred, frozenset pairwise, object field_of)

@cython.locals(wrong=list, told=bint, path=str, own=Reading, its=Reading)
cdef list _unread_mistakes(Group gold, Group pred, frozenset pairwise, object field_of)

@cython.locals(golds=list, preds=list, steps=tuple, place=Py_ssize_t)
cdef bint _add_place_by_place(list wrong, Group gold, Group pred, frozenset pairwise)

@cython.locals(golds=list, preds=list, steps=tuple, others=tuple, where=dict, place=Py_ssize_t,
               at=Py_ssize_t, path=str, step=tuple)
cdef bint _add_path_by_path(list wrong, Group gold, Group pred, frozenset pairwise)

@cython.locals(same=bint, place=Py_ssize_t)
cdef bint _same_places(list golds, list preds)

cdef bint _are_same(object leaf, object other)

@cython.locals(own=Reading, its=Reading)
cdef bint _add_other(list wrong, tuple step, object leaf, tuple other_step, object other,
                     frozenset pairwise)

@cython.locals(paths=list, path=str, own=tuple, other=tuple)
cdef list _wrong_fields(dict golds, dict preds, frozenset pairwise)

@cython.locals(mistakes=list, values=dict, path=str, readings=tuple)
cdef list _all_of(Group group, bint of_gold, object field_of)

cpdef tuple usual_words(str text)

@cython.locals(words=list, start=Py_ssize_t, place=Py_ssize_t, character=Py_UCS4)
cpdef tuple words_in(str line)

@cython.locals(first=Py_ssize_t, second=Py_ssize_t, place=Py_ssize_t)
cpdef bint transposed(str gold, str pred)

@cython.final
cdef class Spellings:
    cdef frozenset number_kinds
    cdef frozenset open_kinds
    cdef frozenset cents_kinds
    cdef frozenset before_numbers
    cdef frozenset in_dates
    cdef dict causes
    cdef object rules

    cpdef str cause_between(self, Reading gold, Reading pred, object field)

    cpdef str cause_of(self, str gold, str pred, object field)

    @cython.locals(gold_words=tuple, pred_words=tuple, letters=tuple, sizes=tuple, number=tuple,
                   other=tuple, told=int, size=str)
    cpdef int between(self, str gold, str pred, str kind, str dates)

    @cython.locals(words=tuple)
    cpdef tuple words(self, str text)

    @cython.locals(open_kind=bint, usual=str)
    cpdef tuple number(self, str text, str kind)

    cdef str _spelling(self, str text, tuple words)

    @cython.locals(same=bint, digits=str)
    cdef int _of_numbers(self, tuple gold, tuple pred, tuple sizes)

    @cython.locals(looks=tuple)
    cdef bint _loses_digits(self, tuple letters)

    cdef tuple _looks(self, tuple letters)

@cython.locals(word=str)
cpdef bint begins_with_a_word(str text, frozenset before_numbers)

@cython.locals(word=str, found=bint)
cpdef bint has_a_word(str text, tuple words, frozenset in_dates)

cdef bint _same_words(tuple golds, tuple preds)

@cython.locals(count=Py_ssize_t, character=Py_UCS4)
cdef Py_ssize_t _digits_in(str text)

cpdef bint look_alike(str gold, str pred)

@cython.locals(place=Py_ssize_t, own=Py_ssize_t, code=Py_ssize_t)
cdef bint _look_alike(str run, str other)

cdef str _joined(str text)

@cython.locals(written=list, spelt=list, in_full=tuple, digits=tuple, spelling=tuple, seen=tuple)
cpdef int spelt_otherwise(tuple gold_words, tuple pred_words, tuple letters, tuple looks, tuple sizes)

cpdef str significant(str size)

@cython.locals(gold_whole=str, gold_part=str, pred_whole=str, pred_part=str, places=Py_ssize_t)
cdef tuple _of_one_length(str gold, str pred)

@cython.locals(gold=str, pred=str)
cpdef int part_of(tuple gold_words, tuple pred_words, list written)

@cython.locals(size=Py_ssize_t, found=Py_ssize_t, word=str)
cpdef bint is_part(tuple part, tuple whole)

cpdef bint is_inside(str part, str whole)
