# What the names of cells.py hold, for Cython.
cimport cython

from docassay.kernel.senses cimport number_end

cdef Py_ssize_t _PLAIN
cdef Py_ssize_t _QUOTED
cdef Py_ssize_t _UNUSUAL
cdef dict _FEW

@cython.locals(cells=list, kind=Py_ssize_t, text=str)
cpdef str csv_row(list row, object numbers, object other)

cpdef bint is_plain(str text)

@cython.locals(kind=Py_ssize_t, begun=bint, character=Py_UCS4)
cdef Py_ssize_t _kind_of(str text)

@cython.final
cdef class CellMember:
    cdef readonly str head
    cdef readonly bint means_digits
    cdef readonly object rows
    cdef list texts

@cython.locals(cells=dict, member=CellMember, text=str)
cpdef dict plain_cells(dict tree, object members, frozenset marks, list others)

@cython.locals(found=list, plain=bint, place=Py_ssize_t, member=CellMember, texts=list, text=str)
cdef bint _add_rows(dict cells, list rows, object members, frozenset marks)

@cython.locals(member=CellMember, text=str)
cdef bint _add_row(dict row, Py_ssize_t place, object members, frozenset marks, list found)

@cython.locals(character=Py_UCS4, text=str, plain=str)
cdef str _plain_text(object raw, CellMember member)

cdef void _fill(list texts, Py_ssize_t number)

@cython.locals(text=str)
cdef str _joined(list texts)
