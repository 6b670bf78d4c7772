# What the names of likeness.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Reading, Sense, sense_of, texts_meant

cdef class TextLikeness:
    cdef public object score
    cdef public object forms
    cdef public bint by_letters
    cdef public double floor

    cpdef form(self, Reading reading)

    @cython.locals(forms=list, value=Reading)
    cpdef list forms_of(self, object values)

    cpdef double of(self, Reading gold, Reading pred) except? -2.0

    cpdef double of_any(self, Reading gold, Reading pred) except? -2.0

    cpdef double of_forms(self, Reading gold, Reading pred) except? -2.0

    @cython.locals(likeness=double)
    cdef double _alike(self, object form, object other) except? -2.0

    @cython.locals(gold=Reading, left=list, right=list, likeness=list, rows=list, best=double, texts=list)
    cpdef object best_beside(self, tuple golds, tuple preds, object settled)

    cpdef list chained(self, list golds, list preds, list rows, list texts)

cpdef double best_of_few(list rows)

@cython.locals(row=list, best=double, at=Py_ssize_t, value=double)
cdef double _best_below(list rows, Py_ssize_t place, Py_ssize_t taken, double total)

cpdef list likeness_of_few(list golds, list preds, object score)

@cython.locals(row=list, direct=double)
cpdef list from_floor(list likeness, double floor)

@cython.locals(bounds=list, i=Py_ssize_t, j=Py_ssize_t, own=Py_ssize_t, other=Py_ssize_t, row=list,
               bound=list, longer=Py_ssize_t, most=double, edits=double, length=Py_ssize_t,
               peak=Py_ssize_t)
cpdef list chain_bounds(list golds, list preds, list likeness, set lengths=*)

@cython.locals(worth=double)
cdef double _chain_worth(Py_ssize_t length, Py_ssize_t own, Py_ssize_t other, double edits, double least)
