# What the names of pairs.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.mistakes cimport ascii_words, mistakes_in
from docassay.kernel.readings cimport Group, Reading, values_of
from docassay.kernel.rows cimport rows_inside

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

@cython.locals(pairs=list)
cpdef list with_others(GroupPair pair, object make, object match)

@cython.locals(rows=list, others=list)
cdef _add_others(GroupPair pair, object make, object match, list pairs)

@cython.locals(wrong=list, pair=GroupPair, found=list)
cpdef list wrong_values(list pairs, frozenset pairwise, object field_of, object are_equal,
                        object spell_out)

@cython.locals(counts=dict, key=tuple, own=tuple, place=Py_ssize_t)
cpdef dict count_by_kind(list wrong, list causes)

@cython.final
cdef class FirstCauses:
    cdef object _between
    cdef frozenset _sure
    cdef str _document_type
    cdef str _split
    cdef str _missing
    cdef str _hallucinated

    @cython.locals(causes=list, doubtful=list, place=Py_ssize_t, gold=Reading, pred=Reading,
                   row=tuple, path=str, by_text=str, is_of_type=bint, is_seam=bint, cause=str)
    cpdef tuple of(self, list wrong, dict alone, set seams, str type_field, object is_unlisted)

    cdef str _settled(self, str by_text, bint is_of_type, bint is_missing, tuple row, bint is_seam)

    cdef str _assumed(self, str by_text, bint is_missing, tuple row)

@cython.locals(alone=dict, pair=GroupPair, gold=Group, pred=Group)
cpdef dict lone_rows(list pairs, object are_strangers)

@cython.locals(missed=Py_ssize_t)
cdef bint _all_are_wrong(GroupPair pair, Group gold)

cdef Py_ssize_t _size(Group group)

@cython.locals(path=str, golds=list, preds=list, pair=GroupPair, wrong=list, gold_wholes=list,
               pred_wholes=list)
cpdef tuple company_of(list alone, list pairs)

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
