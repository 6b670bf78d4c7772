# What the names of stored.py hold, for Cython.
cimport cython

cdef bytes STATS, ID
cdef unsigned char END, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE
cdef unsigned char BRACE, BRACE_END, BRACKET, BRACKET_END
cdef Py_ssize_t MOST_DIGITS, UNREAD

@cython.final
cdef class StoredCounts:
    cdef double[::1] _cells
    cdef Py_ssize_t _width, _blocks
    cdef bytes _metric
    cdef dict _places
    cdef readonly Py_ssize_t number, top

    @cython.locals(left=list, view="const unsigned char*", start=Py_ssize_t, end=Py_ssize_t,
                   unit=Py_ssize_t, at=Py_ssize_t)
    cpdef list add(self, bytes lines)

    @cython.locals(first=Py_ssize_t, id=bytes)
    cdef Py_ssize_t _unit(self, bytes lines, const unsigned char* view, Py_ssize_t start)

    @cython.locals(at=Py_ssize_t, after=Py_ssize_t)
    cdef Py_ssize_t _tables(self, bytes lines, const unsigned char* view, Py_ssize_t start,
                            Py_ssize_t end)

    cdef bint _placed(self, bytes lines, const unsigned char* view, Py_ssize_t at,
                      Py_ssize_t first)

    @cython.locals(after=Py_ssize_t, pairs=bint)
    cdef Py_ssize_t _add_table(self, bytes lines, const unsigned char* view, Py_ssize_t at,
                               Py_ssize_t first, dict places, Py_ssize_t sign)

    @cython.locals(after=Py_ssize_t, places=dict)
    cdef bint _add(self, bytes lines, const unsigned char* view, Py_ssize_t at,
                   Py_ssize_t first, Py_ssize_t sign)

    @cython.locals(cell=Py_ssize_t, negative=bint, begun=Py_ssize_t, count=Py_ssize_t)
    cdef Py_ssize_t _add_row(self, const unsigned char* view, Py_ssize_t at,
                             Py_ssize_t first, Py_ssize_t place, Py_ssize_t sign)

cdef Py_ssize_t _after_text(const unsigned char* view, Py_ssize_t at)

@cython.locals(depth=Py_ssize_t)
cdef Py_ssize_t _after_value(const unsigned char* view, Py_ssize_t at)
