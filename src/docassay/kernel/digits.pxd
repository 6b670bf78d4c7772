# What the names of digits.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Reading, sense_of
from docassay.kernel.senses cimport usual_number, usual_text

cdef frozenset COUNTING
cdef int ELSEWHERE, BEHIND_DIGIT, BEHIND_POWER, BEHIND_MARK

@cython.locals(runs=list, start=Py_ssize_t, place=Py_ssize_t, digits=str)
cpdef str digits_of(str text)

cdef int BITS, MOST_FIGURES

@cython.locals(figures=cython.ulonglong, one=cython.ulonglong, size=Py_ssize_t,
               character=Py_UCS4)
cpdef object figures_in(str text)

@cython.locals(text=str, told=Py_ssize_t)
cpdef bint are_told(list texts)

@cython.locals(digits=str, other=str, same=Py_ssize_t)
cpdef bint are_unlike(Reading reading, Reading besides, list texts)

@cython.final
cdef class ToldTexts:
    cdef readonly list texts
    cdef readonly bint whole
    cdef readonly bint told
    cdef dict _amounts
    cdef str _folded

    @cython.locals(digits=str, amount=Py_ssize_t)
    cpdef bint lack(self, Reading reading, Reading besides)

    @cython.locals(text=str)
    cpdef bint lack_words(self, Reading reading)

@cython.locals(line=str)
cdef str _folded(list texts)

cdef str _fold(str text)

@cython.locals(amounts=dict, text=str, digits=str)
cdef dict _amounts(list texts)

@cython.locals(places=list, place=Py_ssize_t, text=str)
cpdef list places_of(str digits, list texts)

@cython.locals(where=int, some=bint, character=Py_UCS4)
cdef bint _is_told(str text)

@cython.locals(size=Py_ssize_t, found=Py_ssize_t, character=Py_UCS4)
cdef bint _are_digits(str digits, str text)

@cython.locals(gists=list, text=str)
cpdef list dates_or_texts(object texts, frozenset in_dates, object other)

@cython.locals(gists=list, text=str)
cpdef list no_currencies(object texts, frozenset in_names, object other)

@cython.locals(start=Py_ssize_t, size=Py_ssize_t, place=Py_ssize_t, letter=bint)
cpdef bint has_word_beside(str text, Py_ssize_t shortest, frozenset known)

@cython.locals(place=Py_ssize_t)
cpdef bint is_iso_day(str text)

cdef int LONGEST_NUMBER

@cython.locals(size=Py_ssize_t, point=Py_ssize_t, whole=cython.longlong, part=cython.longlong,
               place=Py_ssize_t, character=Py_UCS4, places=Py_ssize_t)
cpdef bint is_no_date(str text)

@cython.locals(places=dict, place=Py_ssize_t, own=list)
cpdef dict places_by_kind(object kinds)
