# What the names of verdicts.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, key_of, sense_of, values_of
from docassay.kernel.rows cimport fields_of, in_file_order, value_pairs

@cython.no_gc
@cython.final
cdef class RowPlace:
    cdef public str type
    cdef public str gold
    cdef public str pred
    cdef public tuple starts
    cdef dict _paths

    @cython.locals(paths=tuple, name=str, left=str, right=str)
    cpdef tuple paths(self, str field)

@cython.final
cdef class RowPlaces:
    cdef Py_ssize_t _most
    cdef dict _known

    @cython.locals(key=tuple, place=RowPlace)
    cpdef RowPlace inside(self, RowPlace parent, str path, Group gold, Group pred)

cdef int NOT_THERE
cdef int UNNUMBERED

cdef object _number(Group row)

cdef RowPlaces _places

@cython.no_gc
@cython.final
cdef class VerdictBlock:
    cdef public RowPlace place
    cdef public list told
    cdef public tuple groups
    cdef public bint marked

cdef tuple _UNTOLD

@cython.locals(pred=Reading, told=list, place=Py_ssize_t, read=str, other_read=str)
cpdef tell(tuple asked, Reading meant, object alike, str why)

@cython.final
cdef class Judges:
    cdef object inside
    cdef object several
    cdef object equal

@cython.final
cdef class Walk:
    cdef str id
    cdef object pairwise
    cdef Judges judges
    cdef bint same
    cdef public list made
    cdef public list asked

    @cython.locals(gold=Group, pred=Group, told=list, marked=bint, pairs=list, apart=set,
                   pair=tuple, own_place=RowPlace)
    cpdef add(self, tuple groups, RowPlace place, bint twins=*)

    @cython.locals(groups=tuple, found=list, told=list, marked=bint, gold=Group, pred=Group)
    cpdef add_wrong(self, object pair, RowPlace place)

    @cython.locals(block=VerdictBlock)
    cdef _add_block(self, list told, tuple groups, RowPlace place, bint marked)

    @cython.locals(marked=bint, own=Reading, other=Reading, path=str, verdict=str, gold_path=str,
                   pred_path=str)
    cdef bint _add_found(self, list told, list found, RowPlace place) except -1

    @cython.locals(gold=Group, pred=Group, marked=bint, path=str, own=Reading, other=Reading,
                   verdict=str, gold_path=str, pred_path=str)
    cdef bint _add_verdicts(self, list told, tuple groups, RowPlace place) except -1

    @cython.locals(gold=Group, pred=Group, marked=bint, own=Reading, other=Reading, gold_path=str,
                   pred_path=str)
    cdef bint _add_several(self, list told, tuple groups, RowPlace place) except -1

    @cython.locals(read=str)
    cdef _add_verdict(self, list told, str field, str verdict, str gold_path, Reading gold,
                      str pred_path, Reading pred)

cpdef str verdict_on(str path, Reading gold, Reading pred, object pairwise, object equal)

@cython.locals(readings=tuple)
cdef tuple _value(Group group, str path, str field, Py_ssize_t at)

cdef bint _is_marked(Reading reading)

cpdef bint are_single(Group gold, Group pred)

cdef bint _hold_values(Group gold, Group pred)
