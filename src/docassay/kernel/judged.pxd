# What the names of judged.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.cells cimport is_plain
from docassay.kernel.pairs cimport GroupPair
from docassay.kernel.verdicts cimport RowPlace, VerdictBlock

@cython.locals(by_row=dict, last=GroupPair, pair=GroupPair, own=list, place=Py_ssize_t)
cpdef dict causes_by_row(list wrong, list causes)

cpdef str escaped(str text)

cpdef str quoted(str text)

@cython.final
cdef class ValueTexts:
    cdef object _number
    cdef object _cell

    cpdef str number(self, object value)

    cpdef str cell(self, str text)

    @cython.locals(block=VerdictBlock, place=RowPlace, row=str, at=Py_ssize_t, told=tuple,
                   wrong=bint, own=list)
    cpdef add_lines(self, list lines, list errors, list blocks, object causes, bint every, str end)

    @cython.locals(verdict=str)
    cdef str _verdict_line(self, tuple told)

    @cython.locals(verdict=str)
    cdef str _error_line(self, tuple told, str row, str cause, str end)

    @cython.locals(verdict=str, gold_path=str, pred_path=str, gold=str, pred=str, own=str,
                   other=str, parts=list)
    cpdef str page_value(self, tuple told, str head, str reason, str cause, str moved)

cdef _add_text(list parts, str text)

cdef _add(list parts, str start, str text)

cpdef str said_more(str text, str read)

@cython.locals(folded=str)
cpdef bint is_same_text(str read, str text)
