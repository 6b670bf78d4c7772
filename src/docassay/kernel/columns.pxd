# What the names of columns.py hold, for Cython.
cimport cython

from docassay.kernel.plain cimport CaseCounts, equal_values
from docassay.kernel.readings cimport Group, Reading, Sense, by_keys, reading_at, sense_of, surely_differ, values_of
from docassay.kernel.rows cimport are_twins, are_unread, count_rows, fields_of, is_whole, place_of

@cython.no_gc
@cython.final
cdef class FacingRows:
    cdef object golds
    cdef object preds
    cdef list others

@cython.no_gc
@cython.final
cdef class Contrast:
    cdef public str group
    cdef public Py_ssize_t golds
    cdef public Py_ssize_t preds
    cdef public Py_ssize_t shared
    cdef public Py_ssize_t same
    cdef public Py_ssize_t in_place
    cdef public Py_ssize_t matched
    cdef str _path
    cdef CaseCounts _counted
    cdef FacingRows _rows
    cdef tuple _cells
    cdef tuple _items

    @cython.locals(items=tuple)
    cpdef tuple rests(self)

    @cython.locals(counted=CaseCounts, golds=list, preds=list)
    cpdef tuple unequal(self)

cdef FacingRows NO_ROWS

@cython.locals(contrast=Contrast)
cdef Contrast _unread_column(str group, str path, FacingRows rows)

@cython.locals(contrast=Contrast, pair=tuple)
cpdef Contrast contrast_items(str group, tuple items, list pairs)

@cython.locals(columns=dict, right=list, others=dict)
cpdef tuple contrast_documents(Group gold, Group pred, CaseCounts counted, frozenset pairwise)

@cython.locals(every=dict, columns=dict, contrast=Contrast)
cpdef dict contrast_columns(Group gold, Group pred, CaseCounts counted, frozenset pairwise)

@cython.locals(rows=list, row=Group)
cdef bint _has_plain_rows(Group root)

@cython.locals(counter=ColumnCounter, right=list, others=dict, steps=tuple, place=Py_ssize_t,
               contrast=Contrast)
cdef tuple contrast_values(Group gold, Group pred, CaseCounts counted, frozenset pairwise)

@cython.locals(rows=FacingRows, counter=ColumnCounter, both=Py_ssize_t, twins=list, others=list,
               place=Py_ssize_t)
cpdef dict contrast_rows(object golds, object preds, str group)

@cython.locals(row=Group)
cdef tuple _first_steps(object rows)

@cython.final
cdef class ColumnCounter:
    cdef dict columns
    cdef FacingRows rows
    cdef str _group
    cdef tuple _steps
    cdef list _usual

    @cython.locals(contrast=Contrast)
    cdef Contrast _column(self, str path)

    @cython.locals(contrast=Contrast)
    cdef Contrast _column_at(self, tuple steps, Py_ssize_t place)

    @cython.locals(usual=Py_ssize_t, row=Group, place=Py_ssize_t)
    cdef add_twins(self, list rows)

    @cython.locals(contrast=Contrast)
    cdef add_alone(self, Group row, Py_ssize_t golds, Py_ssize_t preds)

    cdef add_same(self, Contrast contrast, Py_ssize_t count)

    @cython.locals(steps=tuple, place=Py_ssize_t, gold_values=dict, pred_values=dict,
                   values=tuple, partners=tuple, contrast=Contrast)
    cdef add_pair(self, Group gold, Group pred)

    @cython.locals(contrast=Contrast, step=tuple)
    cdef add_leaves(self, tuple steps, Py_ssize_t place, object gold, object pred)

    cdef _add_readings(self, Contrast contrast, Reading gold, Reading pred)

    cdef _add_shared(self, Contrast contrast, int equal)

@cython.locals(gold_cells=list, pred_cells=list, place=Py_ssize_t, gold=Reading, pred=Reading)
cdef tuple _cells_of(FacingRows rows, str path)

@cython.locals(both=Py_ssize_t, place=Py_ssize_t, golds=list, preds=list)
cdef tuple _items_apart(FacingRows rows, str path)

@cython.locals(items=list, row=Group, item=Reading)
cpdef tuple column_of(object rows, str path)

@cython.locals(place=Py_ssize_t, values=tuple)
cdef Reading _cell(Group row, str path)

@cython.locals(waiting=dict, both=set, gold_rest=list, pred_rest=list, free=Py_ssize_t)
cpdef tuple part_items(tuple golds, tuple preds)

@cython.locals(count=Py_ssize_t, place=Py_ssize_t, gold=Reading, pred=Reading, settled=int)
cpdef Py_ssize_t count_equal(object golds, object preds, object equal)

@cython.locals(item=Reading, sense=Sense)
cpdef bint have_keys(tuple items)
