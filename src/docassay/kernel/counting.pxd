# What the names of counting.py hold, for Cython.
cimport cython

cpdef object ratio(object part, object whole)

cpdef object f1(object tp, object fp, object fn)

cpdef Py_ssize_t members(object tree, Py_ssize_t levels)

@cython.locals(count=Py_ssize_t, inner=Py_ssize_t)
cdef Py_ssize_t _members_of_object(dict tree, Py_ssize_t levels)

@cython.locals(count=Py_ssize_t, inner=Py_ssize_t)
cdef Py_ssize_t _members_of_list(list tree, Py_ssize_t levels)

@cython.locals(count=Py_ssize_t, nodes=list)
cpdef Py_ssize_t leaves(object tree, Py_ssize_t most)

cpdef bint holds_object(dict tree)

@cython.locals(own=dict, below=dict)
cpdef bint is_within_shape(object tree, dict shape, Py_ssize_t rows)

cdef bint _is_plain(object value)

@cython.locals(telling=list, keys=tuple, row=dict)
cpdef list telling_rows(list items)

@cython.locals(place=Py_ssize_t)
cdef bint _is_plain_under(tuple keys, dict row)

cdef Py_ssize_t PRIME
cdef Py_ssize_t OBJECT
cdef Py_ssize_t LIST
cdef Py_ssize_t TEXT
cdef Py_ssize_t NUMBER
cdef Py_ssize_t INTEGER
cdef Py_ssize_t OTHER

@cython.locals(value=Py_ssize_t)
cpdef Py_ssize_t content_hash(object tree, Py_ssize_t levels, object other)

cdef Py_ssize_t _mixed(Py_ssize_t value, Py_ssize_t more)

@cython.final
cdef class WaitingMembers:
    cdef readonly tuple enclosing
    cdef readonly Py_ssize_t depth
    cdef readonly dict lists
    cdef readonly dict inner
    cdef public Py_ssize_t rows

@cython.locals(lists=dict, inner=dict, mapping=dict, values=list, below=WaitingMembers)
cpdef gather(object trees, WaitingMembers members, frozenset marks, object other, Py_ssize_t most)

@cython.locals(rows=Py_ssize_t)
cpdef bint are_rows(list parts, frozenset marks)

cpdef count_texts(dict amounts, list texts, Py_ssize_t most)

@cython.final
cdef class RowSum:
    cdef object _last
    cdef list _sums
    cdef Py_ssize_t _times

    cpdef add(self, object counts)

    @cython.locals(at=Py_ssize_t)
    cpdef _settle(self)

    cpdef object total(self)

@cython.locals(known=dict, table=dict, row=RowSum)
cpdef add_tables(dict sums, object tables)

cpdef list column_sums(object table, Py_ssize_t width)

@cython.locals(sums=list, rows=dict, times=Py_ssize_t)
cpdef list sums_of(object table, tuple columns)

@cython.locals(counts=tuple, at=Py_ssize_t, place=Py_ssize_t)
cdef _add_times(list sums, object row, tuple columns, Py_ssize_t times)

@cython.locals(right=cython.longlong, substituted=cython.longlong, added=cython.longlong,
               deleted=cython.longlong, all_right=cython.longlong, every=cython.longlong)
cpdef tuple count_right(dict fields)

@cython.locals(values=dict, rows=dict, counts=tuple, at=Py_ssize_t)
cpdef dict shares(object table, Py_ssize_t part, tuple whole, object times)

cpdef tuple key_order(object key)

@cython.locals(changed=dict)
cpdef object in_order(object stats)

@cython.locals(tables=dict)
cpdef dict written(object stats)

cdef object _sorted(object table)

@cython.locals(keys=list, ordered=list)
cdef object _with_parts_sorted(object table)

@cython.locals(keys=tuple, order=list)
cdef object _with_texts_sorted(object table)

@cython.locals(number=Py_ssize_t, start=Py_ssize_t, known=dict, table=dict, place=Py_ssize_t,
               counts=tuple, first=Py_ssize_t, at=Py_ssize_t)
cpdef place_counts(double[::1] cells, list starts, list stats, object places)
