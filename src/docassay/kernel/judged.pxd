# What the names of judged.py hold, for Cython.
cimport cython

from docassay.kernel.cells cimport is_plain

@cython.locals(character=Py_UCS4)
cpdef str escaped(str text)

cpdef str quoted(str text)

@cython.final
cdef class ValueTexts:
    cdef object _number
    cdef object _cell

    cpdef str number(self, object value)

    cpdef str cell(self, str text)

    @cython.locals(verdicts=tuple, row=str, place=Py_ssize_t, wrong=bint, groups=tuple)
    cpdef add_lines(self, list lines, list errors, list blocks, object causes, bint every, str end)

    @cython.locals(verdict=str)
    cdef str _verdict_line(self, object entry)

    @cython.locals(verdict=str)
    cdef str _error_line(self, object entry, str row, str cause, str end)

    @cython.locals(verdict=str, parts=list)
    cpdef str page_value(self, object entry, str head, str reason, str cause, str moved)

cdef _add(list parts, str name, str text)

cpdef str said_more(str text, str read)

cpdef bint is_same_text(str read, str text)
