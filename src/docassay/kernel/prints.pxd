# What the names of prints.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.digits cimport is_told
from docassay.kernel.senses cimport usual_number

cdef int UNTOLD, NO_DIGITS, ZERO, SHORT_NUMBER
cdef long long FACTOR, MOST, FIRST

cdef class Printer:
    cdef public bint apart

    cpdef long long of(self, str text)
    cpdef int start(self, str text)

@cython.locals(place=Py_ssize_t)
cpdef list places_of(long long told, Printer printer, list texts)

cdef class DigitsPrinter(Printer):
    @cython.locals(told=cython.longlong, so_far=cython.longlong, digits=bint, plain=bint,
                   character=Py_UCS4)
    cpdef long long of(self, str text)

cdef class WordsPrinter(Printer):
    cpdef long long of(self, str text)

    @cython.locals(character=Py_UCS4)
    cpdef int start(self, str text)

@cython.locals(told=cython.longlong, code=cython.longlong, character=Py_UCS4)
cdef long long words_print(str text)

cdef class FiguresPrinter(Printer):
    cdef tuple _ordinals

    @cython.locals(word=str, line=str, told=cython.longlong, one=cython.longlong, letters=bint,
                   character=Py_UCS4)
    cpdef long long of(self, str text)

cdef class DatePrinter(Printer):
    cdef frozenset _in_dates

    @cython.locals(number=int, told=cython.longlong)
    cpdef long long of(self, str text)

@cython.locals(size=Py_ssize_t, point=Py_ssize_t, place=Py_ssize_t, decimals=Py_ssize_t)
cdef int _short_number(str text)

@cython.locals(place=Py_ssize_t)
cdef bint _are_dollars(str text)

@cython.locals(place=Py_ssize_t, year=cython.longlong, total=cython.longlong, product=cython.longlong,
               parts=int, digits=int, number=cython.longlong)
cdef long long _figures_print(str text)

cdef class CurrencyPrinter(Printer):
    cdef frozenset _in_names

    cpdef long long of(self, str text)

@cython.locals(character=Py_UCS4)
cdef bint _has_sign(str text)

@cython.locals(line=str, start=Py_ssize_t, place=Py_ssize_t)
cdef bint _are_among(str text, frozenset words, Py_ssize_t shortest)
