# What the names of mistakes.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.readings cimport Group, Reading, key_of, reading_at, values_of
from docassay.kernel.senses cimport usual_number

cdef bytes LOOKS

@cython.locals(golds=dict, preds=dict, paths=list, path=str, own=tuple, other=tuple, mistakes=list)
cpdef list mistakes_in(Group gold, Group pred, frozenset pairwise, object field_of,
                       object are_equal)

@cython.locals(golds=list, preds=list, steps=tuple, others=tuple, where=dict, wrong=list,
               place=Py_ssize_t, at=Py_ssize_t, path=str, own=Reading, its=Reading, same=bint)
cdef list _unread_mistakes(Group gold, Group pred, frozenset pairwise, object field_of,
                           object are_equal)

@cython.locals(place=Py_ssize_t)
cdef dict _places_of(list leaves, tuple steps, list besides)

@cython.locals(paths=list, path=str, own=tuple, other=tuple)
cdef list _wrong_fields(dict golds, dict preds, frozenset pairwise, object are_equal)

cdef bint _mean_the_same(str path, Reading gold, Reading pred, frozenset pairwise,
                         object are_equal)

@cython.locals(mistakes=list, values=dict, path=str, readings=tuple)
cdef list _all_of(Group group, bint of_gold, object field_of)

@cython.locals(line=str)
cpdef tuple ascii_words(object text)

@cython.locals(words=list, start=Py_ssize_t, place=Py_ssize_t, character=Py_UCS4)
cpdef tuple words_in(str line)

cpdef bint same_words(tuple gold_words, tuple pred_words)

@cython.locals(character=Py_UCS4, digits=Py_ssize_t)
cdef bint _same_words(tuple gold_words, tuple pred_words, str gold, str pred)

@cython.locals(word=str, others=Py_ssize_t)
cpdef bint has_other_word(tuple words, frozenset known, Py_ssize_t shortest)

@cython.locals(first=Py_ssize_t, second=Py_ssize_t, place=Py_ssize_t)
cpdef bint transposed(str gold, str pred)

cpdef bint look_alike(str gold, str pred)

@cython.locals(place=Py_ssize_t, own=Py_ssize_t, code=Py_ssize_t)
cdef bint _look_alike(str run, str other)

@cython.locals(before=Py_UCS4, character=Py_UCS4)
cdef bint _joins(str text)

cdef str _joined(str text)

@cython.locals(written=list, spelt=list, in_full=tuple, digits=tuple, spelling=tuple, seen=tuple)
cpdef int spelt_otherwise(tuple gold_words, tuple pred_words, tuple letters, tuple looks, tuple sizes)

@cython.final
cdef class TextKinds:
    cdef bint numbers
    cdef bint pointed
    cdef frozenset before_numbers
    cdef frozenset in_dates

@cython.locals(own=str, its=str, number=str, other=str, words=tuple, others=tuple, letters=tuple)
cpdef int usual_difference(object gold, object pred, TextKinds kinds)

cdef bint _has_stroke(str text)

cdef str _number_in(str text, TextKinds kinds)

cdef str _size(str number)

@cython.locals(digits=str, words=tuple, others=tuple, letters=tuple)
cdef int _between_numbers(str gold, str pred, str size, str other, bint same)

@cython.locals(word=str)
cdef bint _begins_with_other_word(str text, frozenset known)

@cython.locals(digits=str)
cpdef str significant(str size)

@cython.locals(gold_whole=str, gold_part=str, pred_whole=str, pred_part=str, places=Py_ssize_t)
cdef tuple _of_one_length(str gold, str pred)

@cython.locals(gold=str, pred=str)
cpdef int part_of(tuple gold_words, tuple pred_words, list written)

@cython.locals(size=Py_ssize_t, found=Py_ssize_t, word=str)
cpdef bint is_part(tuple part, tuple whole)

cpdef bint is_inside(str part, str whole)
