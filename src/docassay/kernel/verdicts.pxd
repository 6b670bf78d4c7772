# What the names of verdicts.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, key_of, sense_of, values_of
from docassay.kernel.rows cimport fields_of, in_file_order, starts_of, value_pairs

@cython.final
cdef class Judges:
    cdef object inside
    cdef object several
    cdef object equal
    cdef object compare

@cython.final
cdef class Walk:
    cdef str id
    cdef object pairwise
    cdef Judges judges
    cdef bint every
    cdef bint same
    cdef public list made

    @cython.locals(gold=Group, pred=Group, verdicts=tuple, pairs=list, rows=list, own_starts=list,
                   place=Py_ssize_t)
    cpdef add(self, tuple groups, tuple starts, str kind)

    @cython.locals(gold=Group, pred=Group, pairs=list, made=list, marked=bint, path=str,
                   own=Reading, other=Reading, verdict=str)
    cdef tuple _verdicts(self, tuple groups, tuple starts)

    @cython.locals(gold=Group, pred=Group, made=list, marked=bint, own=tuple, other=tuple)
    cdef tuple _several(self, tuple groups, tuple starts)

    @cython.locals(own=Reading, other=Reading)
    cdef object _verdict(self, str field, str verdict, tuple gold, tuple pred)

cpdef str verdict_on(str path, Reading gold, Reading pred, object pairwise, object equal)

@cython.locals(readings=tuple, path=str)
cdef tuple _value(Group group, str start, str field, Py_ssize_t at)

@cython.locals(prefix=str)
cdef str _path(Group group, str start, str field)

cdef bint _is_marked(Reading reading)

cdef bint _hold_values(Group gold, Group pred)
