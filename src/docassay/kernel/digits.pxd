# What the names of digits.py hold, for Cython.
cimport cython

cdef frozenset COUNTING
cdef int ELSEWHERE, BEHIND_DIGIT, BEHIND_SLASH, BEHIND_POWER

@cython.locals(runs=list, start=Py_ssize_t, place=Py_ssize_t, digits=str)
cpdef str digits_of(str text)

cdef int BITS, MOST_FIGURES

@cython.locals(figures=cython.ulonglong, one=cython.ulonglong, size=Py_ssize_t,
               character=Py_UCS4)
cpdef object figures_in(str text)

@cython.locals(digits=Py_ssize_t, character=Py_UCS4)
cpdef Py_ssize_t count_digits(str text)

@cython.locals(letters=Py_ssize_t, character=Py_UCS4)
cpdef Py_ssize_t count_letters(str text)

@cython.locals(where=int, some=bint, slashes=Py_ssize_t, character=Py_UCS4)
cpdef bint is_told(str text)

@cython.locals(end=Py_ssize_t)
cdef bint _ends_in_power(str text)
