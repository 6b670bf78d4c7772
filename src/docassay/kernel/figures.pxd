# What the names of figures.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, UsualSenses, sense_of, values_of
from docassay.kernel.rows cimport place_of

@cython.no_gc
@cython.final
cdef class Figure:
    cdef public object number
    cdef public object unit

@cython.no_gc
@cython.final
cdef class Figures:
    cdef public tuple numbers
    cdef public tuple units
    cdef public object unit

@cython.locals(numbers=list, units=list, place=Py_ssize_t, figure=Figure)
cpdef Figures figures_of(list cells)

@cython.final
cdef class TextValues:
    cdef public UsualSenses usual
    cdef object _general
    cdef dict _known
    cdef Py_ssize_t _most

    cpdef object of(self, object text)

    @cython.locals(usual=tuple)
    cpdef object fresh(self, object text)

@cython.final
cdef class RuleValues:
    cdef public str path
    cdef public TextValues texts
    cdef public TextValues numbers
    cdef public object senses

    @cython.locals(values=list, steps=tuple, place=Py_ssize_t, number=Py_ssize_t, group=Group)
    cpdef list under(self, list groups)

    @cython.locals(readings=tuple)
    cpdef object at(self, Py_ssize_t place, Group group)

@cython.locals(values=list, number=Py_ssize_t, field=RuleValues)
cpdef list values_in(Group group, list fields)

@cython.locals(indexes=list, number=Py_ssize_t, group=Group)
cpdef tuple indexes_of(list groups)
