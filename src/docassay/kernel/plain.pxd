# What the names of plain.py hold, for Cython.
cimport cython

from docassay.kernel.alike cimport pair_identical
from docassay.kernel.readings cimport Group, Reading, key_of, presence, read_rows, reading_at, same_leaf, unread_group
from docassay.kernel.rows cimport (
    count_pairs,
    count_rows,
    equal_keys,
    hold_any,
    is_whole,
    pair_twins,
    plain_rows,
    take_obvious,
    with_the_rest,
)
from docassay.kernel.survey cimport Survey

@cython.final
cdef class CaseCounts:
    cdef public dict fields
    cdef public dict groups
    cdef public dict missed
    cdef public dict spurious
    cdef public bint exact

@cython.final
cdef class RowPairs:
    cdef public str path
    cdef public object golds
    cdef public object preds
    cdef public list identical
    cdef public Py_ssize_t twins
    cdef public list others
    cdef public dict values

@cython.final
cdef class Compared:
    cdef public CaseCounts counted
    cdef public list rows
    cdef public list flawed
    cdef public frozenset pairwise

@cython.locals(steps=tuple, root=Group, leaves=list, place=Py_ssize_t, rows=list, here=int)
cpdef Group read_plain(object tree, object shapes)

@cython.final
cdef class PlainPair:
    cdef Group gold
    cdef Group pred
    cdef set keyless
    cdef bint keyed
    cdef object choices
    cdef CaseCounts counted
    cdef Survey survey
    cdef set doubtful
    cdef list rows
    cdef list apart

@cython.locals(pair=PlainPair)
cpdef list compare(list pairs)

@cython.locals(survey=Survey)
cdef _count_own(PlainPair pair)

@cython.locals(gold=Group, pred=Group, survey=Survey, rows=RowPairs)
cdef _pair_twins(PlainPair pair)

@cython.locals(gold=Group, pred=Group, survey=Survey, doubtful=set, apart=list, place=Py_ssize_t,
               rows=RowPairs)
cdef Compared _match_and_count(PlainPair pair)

@cython.locals(root=Group)
cdef bint _rows_hold_any(Group gold, Group pred, set paths)

@cython.locals(golds=list, preds=list, steps=tuple, others=tuple, same=bint, where=dict,
               place=Py_ssize_t, at=Py_ssize_t, step=tuple, path=str, exact=bint, left=Reading,
               right=Reading)
cdef bint _count_leaves(CaseCounts counted, Survey survey, object choices, Group gold, Group pred)

@cython.locals(key=str)
cdef bint _are_alike(Survey survey, tuple step, object leaf, tuple its_step, object other)

@cython.locals(right=bint)
cdef bint _count_two(CaseCounts counted, Survey survey, object choices, str path, Reading gold, Reading pred)

cdef _count_alone(CaseCounts counted, Survey survey, bint of_gold, str path, Reading reading)

cdef list _with_tokens(list rows)

@cython.locals(pairs=list)
cdef _match_rows(RowPairs rows, list left, list right, object choices)

@cython.locals(values=dict, pair=tuple, row=Group, first=Group, steps=tuple, step=tuple)
cdef dict _values_in(list pairs)

@cython.locals(fields=dict, own=list, right=Py_ssize_t, extra=Py_ssize_t, missing=Py_ssize_t)
cdef _add_counts(CaseCounts counted, RowPairs rows)

cdef object ONE
cdef object ZERO
cdef tuple ONE_RIGHT
cdef tuple ONE_FOUND
cdef tuple NONE_WRONG

cdef bint _is_one_right(list counts)

@cython.locals(table=dict, counts=list)
cpdef dict with_equal(dict fields, object equal)

@cython.locals(table=dict, counts=list, right=Py_ssize_t, found=Py_ssize_t)
cpdef dict without_groups(dict fields, object equal)

@cython.locals(table=dict, counts=list, right=bint)
cpdef dict corrections_by_field(dict fields)

@cython.locals(counts=list, both=Py_ssize_t, pairs=Py_ssize_t, most=Py_ssize_t)
cpdef Py_ssize_t most_pairs(dict fields)

@cython.locals(equal=dict, counts=list)
cpdef dict equal_anywhere(CaseCounts counted)

@cython.locals(counts=list, right=Py_ssize_t)
cpdef Py_ssize_t equal_values(CaseCounts counted, str path)
