# What the names of pairs.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.mistakes cimport ascii_words, mistakes_in
from docassay.kernel.readings cimport Group, Reading, values_of

cdef class GroupPair:
    cdef public object matching
    cdef public str type
    cdef public Group gold
    cdef public Group pred
    cdef public bint identical
    cdef public list found
    cdef public object rows_inside

cdef tuple ONE_OTHER, ONE_ADDED, ONE_DELETED
cdef int STRANGERS

@cython.locals(pair=GroupPair, gold=Group, pred=Group)
cpdef bint hold_rows(object pairs)

@cython.locals(wrong=list, pair=GroupPair, found=list)
cpdef list wrong_values(list pairs, frozenset pairwise, object field_of, object spell_out)

@cython.locals(counts=dict, key=tuple, own=tuple, place=Py_ssize_t)
cpdef dict count_by_kind(list wrong, list causes)

@cython.locals(alone=dict, pair=GroupPair, gold=Group, pred=Group)
cpdef dict lone_rows(list pairs, object are_strangers)

@cython.locals(missed=Py_ssize_t)
cdef bint _all_are_wrong(GroupPair pair, Group gold)

cdef Py_ssize_t _size(Group group)

@cython.locals(first=dict)
cpdef list may_hold_any(object pairs, list rows, bint of_gold)

@cython.locals(gold=Group, pred=Group, own=Reading, other=Reading, fewer=Reading, more=Reading,
               lends=bint, own_text=str, its_text=str, path=str, begun=set)
cdef bint _may_hold_any(GroupPair pair, list rows, bint of_gold, dict first)

@cython.locals(words=set, row=Group, readings=tuple, reading=Reading, line=str)
cdef set _first_words(str path, list rows)

@cython.locals(own=dict, values=dict, row=Group)
cdef bint _lacks_all_of(Group partner, list rows)

@cython.locals(words=Py_ssize_t, inside=bint, character=Py_UCS4)
cpdef Py_ssize_t count_words(str text)
