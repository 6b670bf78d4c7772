# What the names of cells.py hold, for Cython.
cimport cython

from docassay.kernel cimport texts
from docassay.kernel.counting cimport Shares
from docassay.kernel.senses cimport number_end

cdef dict _FEW

cpdef str csv_row(list row, object numbers, object other)

cdef object _cell_of(object value, object numbers, object other)

@cython.locals(row=list, shares=Shares)
cpdef str extraction_row(
    object id, dict cells, list heads, object score, object fields, list paths, object numbers,
    object other,
)

@cython.locals(lines=list, row=list, line=str)
cpdef str csv_rows(list rows, object numbers, object other)

cpdef bint is_plain(str text)

@cython.locals(character=Py_UCS4)
cdef bint _begins_usually(str text)

cdef str _cell(str text, int signs, object other)

@cython.final
cdef class CellMember:
    cdef readonly object key
    cdef readonly str head
    cdef readonly bint means_digits
    cdef readonly object rows
    cdef list texts
    cdef int signs

@cython.locals(cells=dict, member=CellMember, text=str)
cpdef dict plain_cells(dict tree, object members, frozenset marks, list others, object other)

@cython.locals(
    found=list, plain=bint, place=Py_ssize_t, member=CellMember, own=list, signs=int, text=str
)
cdef bint _add_rows(dict cells, list rows, object members, frozenset marks, object other)

@cython.locals(member=CellMember, text=str, number=Py_ssize_t)
cdef bint _add_row(dict row, Py_ssize_t place, object members, frozenset marks, list found)

@cython.locals(text=str, signs=int)
cdef str _plain_text(object raw, CellMember member)

cdef bint _prints(str text)

cdef void _fill(list own, Py_ssize_t number)

cdef str _joined(list own)
