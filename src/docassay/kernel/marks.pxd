# What the names of marks.py hold, for Cython.
cimport cython

from docassay.kernel.columns cimport Contrast
from docassay.kernel.counting cimport f1, ratio

cdef double _PARTS

@cython.no_gc
@cython.final
cdef class Marks:
    cdef public double exact
    cdef public double anls
    cdef public double f1
    cdef public double order_aware_f1
    cdef public double kieval_cost
    cdef public Py_ssize_t tp
    cdef public Py_ssize_t fp
    cdef public Py_ssize_t fn
    cdef public bint parted

    cpdef double rate(self, int method)

@cython.locals(marks=Marks)
cdef Marks _marked(double exact, double anls, double f1, double order_aware_f1, double kieval_cost,
                   Py_ssize_t tp, Py_ssize_t fp, Py_ssize_t fn)

@cython.locals(golds=Py_ssize_t, preds=Py_ssize_t, cost=double)
cpdef Marks mark_counts(Contrast contrast, Py_ssize_t in_place, Py_ssize_t tp, bint substitution_is_fn)

@cython.locals(right=Py_ssize_t)
cpdef double mark_order(Contrast contrast, Py_ssize_t in_place, bint substitution_is_fn)

cdef class FieldJudge:
    cdef public bint strict
    cdef public bint binary
    cdef public bint all_or_nothing
    cdef public bint by_letters
    cdef public bint substitution_is_fn
    cdef public Py_ssize_t most
    cdef object _likeness

    @cython.locals(golds=Py_ssize_t, preds=Py_ssize_t, in_place=Py_ssize_t, matched=Py_ssize_t, marks=Marks)
    cpdef Marks judge(self, Contrast contrast)

    @cython.locals(golds=tuple, preds=tuple, likeness=double)
    cdef Marks _judge_wrong(self, Contrast contrast)

    @cython.locals(golds=tuple, preds=tuple, same=Py_ssize_t)
    cpdef double likeness_of_lists(self, Contrast contrast) except? -2.0

    cpdef object likeness(self)

    cpdef object make_likeness(self)

    cpdef double likeness_of_all(self, Contrast contrast) except? -2.0

    cpdef Marks compare(self, Contrast contrast)

cpdef Marks all_right(Py_ssize_t items)

@cython.final
cdef class ScoredField:
    cdef public str path
    cdef public bint counts
    cdef public bint expected
    cdef public int method
    cdef public str unit
    cdef public FieldJudge judge

@cython.locals(count=Py_ssize_t)
cpdef Py_ssize_t count_known(object paths, frozenset known)

@cython.locals(counting=list, contrast=Contrast, column=ScoredField)
cpdef list counting_fields(dict contrasts, dict known)

@cython.locals(table=dict)
cpdef dict settled_rows(list right, frozenset expected, tuple listed, tuple unlisted)

@cython.locals(scored=list, field=ScoredField, contrast=Contrast)
cpdef list judged(list fields)

@cython.locals(contrast=Contrast, marks=Marks)
cpdef bint are_in_order(list scored)

@cython.locals(columns=dict, own=list, scores=list, contrast=Contrast, marks=Marks)
cpdef dict correlations(list scored, dict rows)

@cython.final
cdef class DocumentMarks:
    cdef public bint any
    cdef public list means
    cdef public Py_ssize_t parted

@cython.locals(exact=double, anls=double, f1s=double, ordered=double, cost=double,
               parted=Py_ssize_t, shared=dict, by_unit=dict, column=ScoredField, contrast=Contrast,
               marks=Marks, path=str, group=str, correlation=double, method=int, accuracy=double,
               number=Py_ssize_t)
cpdef DocumentMarks tabulate(dict table, list scored, dict correlations, double matched_above, Py_ssize_t perfect)

@cython.locals(total=double, rate=double)
cdef double _sum(object rates)

cdef Py_ssize_t _mean(double rates, Py_ssize_t perfect, Py_ssize_t number)

@cython.locals(counts=list)
cpdef bint any_wrong(dict fields, dict table)

cpdef tuple row_of(Marks marks, double correlation, double accuracy, bint expected, bint gold, bint pred, bint matched)

@cython.locals(scaled=double, whole=Py_ssize_t, rest=double)
cpdef Py_ssize_t parts_of(double value)

cdef Py_ssize_t PERFECT
cdef Py_ssize_t METHODS

@cython.locals(values=list, place=Py_ssize_t)
cpdef list accuracies(object documents, list sums, object average)
