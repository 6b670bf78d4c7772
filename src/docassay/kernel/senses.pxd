# What the names of senses.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Sense, UsualSenses

cdef class ExactSenses(UsualSenses):
    @cython.locals(plain=str)
    cpdef Sense of(self, object text)

cdef class TextSenses(UsualSenses):
    @cython.locals(folded=str)
    cpdef Sense of(self, object text)

    @cython.locals(own=str, its=str)
    cpdef bint differ(self, object text, object other)

cdef class NumberSenses(UsualSenses):
    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

    @cython.locals(own=str, its=str, end=Py_ssize_t, its_end=Py_ssize_t)
    cpdef bint differ(self, object text, object other)

cdef class MoneySenses(UsualSenses):
    cdef object _read
    cdef object _dollar

    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

@cython.locals(size=Py_ssize_t, last=cython.Py_UCS4)
cdef bint is_usual_text(str text)

@cython.locals(plain=str)
cpdef str usual_text(object text)

@cython.locals(place=Py_ssize_t, own=cython.Py_UCS4, its=cython.Py_UCS4)
cdef bint _part_ways(str text, str other)

@cython.locals(before=cython.Py_UCS4, character=cython.Py_UCS4)
cpdef str collapsed(str text)

@cython.locals(plain=str, end=Py_ssize_t)
cpdef str usual_number(object text)

@cython.locals(size=Py_ssize_t, start=Py_ssize_t, point=Py_ssize_t, end=Py_ssize_t, place=Py_ssize_t)
cdef Py_ssize_t number_end(str text)

@cython.locals(amount=str, negative=bint, whole=str, cents=str, digits=str)
cpdef str usual_amount(object text)

@cython.locals(groups=list, group=str)
cdef bint _in_thousands(str whole)

cpdef bint are_usual_numbers(object texts)
