# What the names of senses.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Sense, UsualSenses, meant

cdef class ExactSenses(UsualSenses):
    @cython.locals(plain=str)
    cpdef Sense of(self, object text)

    @cython.locals(plain=str)
    cpdef str key(self, object text)

cdef class TextSenses(UsualSenses):
    @cython.locals(folded=str)
    cpdef Sense of(self, object text)

    @cython.locals(folded=str)
    cpdef str key(self, object text)

    @cython.locals(own=str, its=str)
    cpdef bint differ(self, object text, object other)

cdef class NumberSenses(UsualSenses):
    cdef object _made
    cdef bint _signs

    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

    @cython.locals(digits=str)
    cpdef str key(self, object text)

    @cython.locals(digits=str)
    cdef str _digits(self, object text)

    @cython.locals(own=str, its=str, end=Py_ssize_t, its_end=Py_ssize_t)
    cpdef bint differ(self, object text, object other)

    @cython.locals(digits=str)
    cpdef tuple figure(self, object text)

    @cython.locals(plain=str, end=Py_ssize_t)
    cpdef object whole(self, object text)

cdef class MoneySenses(UsualSenses):
    cdef object _stated_in
    cdef object _open
    cdef object _dollar
    cdef object _dollars

    @cython.locals(digits=str)
    cpdef Sense of(self, object text)

    @cython.locals(digits=str)
    cpdef str key(self, object text)

    @cython.locals(amount=str)
    cpdef object scope(self, object text)

    @cython.locals(digits=str)
    cpdef tuple figure(self, object text)

    @cython.locals(plain=str, start=Py_ssize_t)
    cpdef object whole(self, object text)

    cpdef object dollar(self, object text)

cdef class DateSenses(UsualSenses):
    cdef object _made
    cdef bint _day_first

    @cython.locals(day=str)
    cpdef Sense of(self, object text)

    @cython.locals(day=str)
    cpdef str key(self, object text)

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
cpdef Py_ssize_t number_end(str text)

@cython.locals(amount=str, pointed=bint, point=Py_ssize_t, negative=bint, start=Py_ssize_t, whole=str)
cpdef str usual_amount(object text)

@cython.locals(point=Py_ssize_t, start=Py_ssize_t, mark=cython.Py_UCS4, other=cython.Py_UCS4)
cdef Py_ssize_t amount_start(str amount, bint pointed)

@cython.locals(number=cython.longlong, decimals=Py_ssize_t, behind=Py_ssize_t, place=Py_ssize_t, character=cython.Py_UCS4)
cdef object ten_thousandths(str text, Py_ssize_t start, Py_ssize_t end)

@cython.locals(marks=int, digits=Py_ssize_t, place=Py_ssize_t, character=cython.Py_UCS4)
cdef bint is_grouped(str amount, Py_ssize_t start, Py_ssize_t end, cython.Py_UCS4 mark)

cdef Py_ssize_t SHORTEST_DAY
cdef Py_ssize_t LONGEST_DAY
cdef int FIRST_YEAR
cdef int LAST_YEAR
cdef int FEBRUARY
cdef int MONTHS

@cython.locals(plain=str, size=Py_ssize_t, middle=Py_ssize_t, end=Py_ssize_t, year=int, month=int, day=int)
cpdef str usual_day(object text, bint day_first)

cdef bint is_date_mark(cython.Py_UCS4 mark, cython.Py_UCS4 other)

@cython.locals(number=int, place=Py_ssize_t)
cdef int figures(str text, Py_ssize_t start, Py_ssize_t end)

@cython.locals(leap=bint, short=bint)
cdef bint is_day(int year, int month, int day)

cdef int MIXED
cdef int NAME
cdef int PAIR
cdef int FIGURES

@cython.locals(plain=str, lower=str, words=list, start=Py_ssize_t, place=Py_ssize_t,
               character=cython.Py_UCS4)
cpdef list usual_words(object text)

@cython.locals(kind=int, before=int)
cpdef bint stand_apart(object words)

@cython.locals(size=Py_ssize_t, digits=Py_ssize_t, place=Py_ssize_t)
cpdef int kind_of(str word)

cdef bint is_letter(cython.Py_UCS4 character)

cdef bint is_digit(cython.Py_UCS4 character)
