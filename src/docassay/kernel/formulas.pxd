# What the names of formulas.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, UsualSenses
from docassay.kernel.rows cimport place_of

@cython.no_gc
@cython.final
cdef class Series:
    cdef public list cells
    cdef public object per
    cdef public object unit
    cdef public bint single

@cython.final
cdef class TextWholes:
    cdef UsualSenses _usual
    cdef object _general
    cdef public object per
    cdef dict _known
    cdef Py_ssize_t _most

    cpdef object add(self, object text, list cells, Py_ssize_t place, object unit)

cdef object joined(object unit, object other)

cdef class FormulaPart:
    cpdef Series of(self, Group root, list values)
    cpdef bint is_same(self, Group root, list values, Group other, list others)

cdef class Given(FormulaPart):
    cdef Series _series

    cpdef Series of(self, Group root, list values)
    cpdef bint is_same(self, Group root, list values, Group other, list others)

cdef class NamedWholes(FormulaPart):
    cdef str _path
    cdef object _group
    cdef TextWholes _texts
    cdef TextWholes _numbers

    @cython.locals(groups=list, cells=list, steps=tuple, place=Py_ssize_t, number=Py_ssize_t, group=Group)
    cpdef Series of(self, Group root, list values)

    @cython.locals(rows=list, its=list, steps=tuple, place=Py_ssize_t, number=Py_ssize_t, row=Group, twin=Group)
    cpdef bint is_same(self, Group root, list values, Group other, list others)

    cdef list _rows(self, Group root)

cdef class OfTwo(FormulaPart):
    cdef Py_ssize_t _left
    cdef Py_ssize_t _right

    @cython.locals(left=Py_ssize_t, right=Py_ssize_t)
    cpdef bint is_same(self, Group root, list values, Group other, list others)

cdef class Addition(OfTwo):
    cdef bint _minus

    @cython.locals(left=Series, right=Series, size=Py_ssize_t, cells=list, number=Py_ssize_t)
    cpdef Series of(self, Group root, list values)

cdef class Product(OfTwo):
    @cython.locals(left=Series, right=Series, size=Py_ssize_t, cells=list, number=Py_ssize_t)
    cpdef Series of(self, Group root, list values)

cdef class Quotient(OfTwo):
    @cython.locals(left=Series, right=Series, cells=list, number=Py_ssize_t)
    cpdef Series of(self, Group root, list values)

cdef tuple common_parts(Series left, Series right)

cdef Py_ssize_t rows_of(Series left, Series right)

cdef Series result(list cells, object per, Series left, Series right)

cdef class Total(OfTwo):
    @cython.locals(addend=Series)
    cpdef Series of(self, Group root, list values)

@cython.final
cdef class WholeMargin:
    cdef public object part
    cdef public object whole
    cdef public object relative_part
    cdef public object relative_whole

    cpdef bint equal(self, object left, object right, object per)

cdef class ComparedWholes(OfTwo):
    cdef WholeMargin _margin
    cdef bint _less
    cdef bint _equal
    cdef bint _more

    @cython.locals(left=Series, right=Series, size=Py_ssize_t, cells=list, number=Py_ssize_t)
    cpdef Series of(self, Group root, list values)

cdef class Ordered(OfTwo):
    cdef bint _rising
    cdef bint _falling

    @cython.locals(column=Series, pairs=Py_ssize_t, rises=Py_ssize_t, falls=Py_ssize_t, right=bint)
    cpdef Series of(self, Group root, list values)

cdef class Running(FormulaPart):
    cdef Py_ssize_t _balance
    cdef Py_ssize_t _in
    cdef Py_ssize_t _out
    cdef WholeMargin _margin

    @cython.locals(balance=Series, money_in=Series, money_out=Series, given=Series, changes=list)
    cpdef Series of(self, Group root, list values)

    @cython.locals(number=Py_ssize_t)
    cdef object _follow(self, list balances, list changes, object per)

@cython.final
cdef class Program:
    cdef list _parts
    cdef list _rules

    @cython.locals(values=list, place=Py_ssize_t, part=FormulaPart)
    cpdef list values(self, Group root, Group other=*, list others=*)

    @cython.locals(states=list, check=Py_ssize_t, when=Py_ssize_t)
    cpdef tuple states(self, list values)

cdef object _state(Series truths)
