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

cdef class MoneySenses(UsualSenses):
    cdef object _read
    cdef object _dollar

    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

@cython.locals(plain=str)
cpdef str usual_text(object text)

@cython.locals(before=cython.Py_UCS4, character=cython.Py_UCS4)
cpdef str collapsed(str text)

@cython.locals(whole=str, point=str, places=str, digits=str)
cpdef str usual_number(object text)

@cython.locals(amount=str, negative=bint, whole=str, cents=str, digits=str)
cpdef str usual_amount(object text)

@cython.locals(groups=list, group=str)
cdef bint _in_thousands(str whole)

cpdef bint are_usual_numbers(object texts)
