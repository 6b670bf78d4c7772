# What the names of cells.py hold, for Cython.
cimport cython

@cython.locals(cells=list)
cpdef str csv_row(list row, object number, object other)

@cython.locals(begun=bint, character=Py_UCS4)
cpdef bint is_plain(str text)
