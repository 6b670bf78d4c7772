# What the names of senses.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Sense, UsualSenses

cdef class ExactSenses(UsualSenses):
    @cython.locals(plain=str)
    cpdef Sense of(self, object text)

cdef class TextSenses(UsualSenses):
    @cython.locals(folded=str)
    cpdef Sense of(self, object text)

cdef class NumberSenses(UsualSenses):
    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

@cython.locals(plain=str)
cpdef str usual_text(object text)

cpdef str collapsed(str text)

@cython.locals(whole=str, point=str, places=str, digits=str)
cpdef str usual_number(object text)

cpdef bint are_usual_numbers(object texts)
