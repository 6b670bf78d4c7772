# What the names of cells.py hold, for Cython.
cimport cython

@cython.locals(cells=list)
cpdef str csv_row(list row, object number, object other)

@cython.locals(begun=bint, character=Py_UCS4)
cpdef bint is_plain(str text)

@cython.locals(columns=dict, place=Py_ssize_t, own=dict, column=list, text=str)
cpdef dict plain_columns(list rows, frozenset marks, dict numbers)

@cython.locals(character=Py_UCS4, text=str)
cdef str _plain_text(object raw)

cdef void _fill(list column, Py_ssize_t number)

@cython.locals(text=str)
cdef str _joined(list texts)
