# What the names of alike.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, values_of
from docassay.kernel.rows cimport are_twins, fields_of, pair_unrepeated, places, token_length

@cython.locals(row=tuple, group=Group)
cpdef bint nested(object rows)

@cython.locals(repeated=set, row=tuple)
cpdef tuple pair_identical(list golds, list preds)

@cython.locals(seen=set, row=tuple)
cdef _add_repeated(list rows, set repeated)

@cython.locals(left=dict, right=dict, pairs=list, rest=list, gold_rows=list, pred_rows=list,
               same=Py_ssize_t, place=Py_ssize_t)
cdef tuple _pair_repeated(list golds, list preds)

@cython.locals(alike=dict, row=tuple, group=Group, same=list)
cdef dict _by_identity(list rows)

@cython.locals(alike=dict, row=tuple, tokens=tuple, same=list)
cpdef sort_by_content(list rows)

@cython.locals(first=tuple, row=tuple, place=Py_ssize_t)
cdef bint _all_twins(list rows)

@cython.locals(numbers=dict, models=list, each=list, row=tuple, group=Group, kind=tuple)
cpdef tuple kinds(object rows)

@cython.locals(width=Py_ssize_t, there=dict, common=list, left=list, right=list, size=Py_ssize_t,
               gold=Py_ssize_t, pred=Py_ssize_t, at=Py_ssize_t)
cpdef list add_shared(Py_ssize_t[::1] equal, Py_ssize_t[::1] length, object golds, object preds,
                      Py_ssize_t most)
