# What the names of likeness.py hold, for Cython.
cimport cython

cpdef double best_of_few(list rows)

@cython.locals(row=list, best=double, at=Py_ssize_t, value=double)
cdef double _best_below(list rows, Py_ssize_t place, Py_ssize_t taken, double total)

@cython.locals(bounds=list, i=Py_ssize_t, j=Py_ssize_t, own=Py_ssize_t, other=Py_ssize_t, row=list,
               bound=list, longer=Py_ssize_t, most=double, edits=double, length=Py_ssize_t,
               worth=double)
cpdef list chain_bounds(list golds, list preds, list likeness, set lengths)
