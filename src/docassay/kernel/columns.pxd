# What the names of columns.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, Sense, by_keys, sense_of, values_of
from docassay.kernel.rows cimport are_twins, count_rows

@cython.locals(equal=list, others=list, both=Py_ssize_t, place=Py_ssize_t, gold=Group, pred=Group,
               same=dict, changes=dict)
cpdef tuple compare_cells(object golds, object preds)

@cython.locals(own=tuple, other=tuple, change=tuple)
cdef _add_cells(dict golds, dict preds, dict same, dict changes)

@cython.locals(items=list, row=Group, values=tuple)
cpdef tuple column_of(object rows, str path)

@cython.locals(count=Py_ssize_t, place=Py_ssize_t, gold=Reading, pred=Reading, settled=int)
cpdef Py_ssize_t count_equal(object golds, object preds, object equal)

@cython.locals(item=Reading, sense=Sense)
cpdef bint have_keys(tuple items)
