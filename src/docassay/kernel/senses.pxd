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

    @cython.locals(digits=str)
    cpdef tuple figure(self, object text)

cdef class MoneySenses(UsualSenses):
    cdef object _stated_in
    cdef object _open
    cdef object _dollar
    cdef object _dollars

    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

    @cython.locals(digits=str)
    cpdef tuple figure(self, object text)

    cpdef object dollar(self, object text)

@cython.locals(plain=str)
cpdef str usual_text(object text)

@cython.locals(before=cython.Py_UCS4, character=cython.Py_UCS4)
cpdef str collapsed(str text)

@cython.locals(whole=str, point=str, places=str, digits=str)
cpdef str usual_number(object text)

@cython.locals(amount=str, point=Py_ssize_t, negative=bint, start=Py_ssize_t, commas=int, whole=str)
cpdef str usual_amount(object text)

@cython.locals(commas=int, digits=Py_ssize_t, place=Py_ssize_t, character=cython.Py_UCS4)
cpdef int has_thousands(str amount, Py_ssize_t start, Py_ssize_t end)

cdef bint is_digit(cython.Py_UCS4 character)

cpdef bint are_usual_numbers(object texts)
