# What the names of senses.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Sense

cdef class UsualSenses:
    cdef str prefix
    cdef object general

@cython.final
cdef class ExactSenses(UsualSenses):
    pass

@cython.final
cdef class TextSenses(UsualSenses):
    pass

@cython.final
cdef class NumberSenses(UsualSenses):
    pass

cpdef str usual_text(object text)

@cython.locals(whole=str, point=str, places=str, digits=str)
cpdef str usual_number(object text)

cpdef bint are_usual_numbers(object texts)
