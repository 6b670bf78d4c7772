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

@cython.locals(items=list, count=Py_ssize_t)
cpdef Py_ssize_t leaves_at_sight(object tree, Py_ssize_t levels)

cpdef bint holds_object(dict tree)

@cython.locals(own=dict, below=dict)
cpdef bint is_within_shape(object tree, dict shape, Py_ssize_t rows)

cdef bint _is_plain(object value)

@cython.locals(telling=list, keys=tuple, row=dict)
cpdef list telling_rows(list items)

@cython.locals(place=Py_ssize_t)
cdef bint _is_plain_under(tuple keys, dict row)

cdef double EXACT
cdef Py_ssize_t FEW_COLUMNS
cdef cython.longlong LARGE
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
    cdef readonly tuple full
    cpdef forget(self)

@cython.locals(
    lists=dict, inner=dict, mapping=dict, values=list, below=WaitingMembers, full=bint
)
cpdef gather(object trees, WaitingMembers members, frozenset marks, object other, Py_ssize_t most)

@cython.locals(known=bint)
cdef bint _gathered(list parts, WaitingMembers members, frozenset marks, object other, Py_ssize_t most)

@cython.locals(own=dict, place=Py_ssize_t)
cdef bint _add_nothing(list parts, tuple keys)

@cython.locals(rows=Py_ssize_t)
cpdef bint are_rows(list parts, frozenset marks)

cpdef bint are_single_values(list values, Py_ssize_t longest)

cdef bint _is_single_value(str text)

cpdef count_texts(dict amounts, list texts, Py_ssize_t most)

@cython.final
cdef class RowSum:
    cdef object _last
    cdef double[::1] _sums
    cdef list _large
    cdef Py_ssize_t _times

    cpdef add(self, object counts)

    @cython.locals(last=tuple, at=Py_ssize_t, number=cython.longlong, times=double, more=double,
                   total=double)
    cpdef _settle(self)

    cpdef object total(self)

@cython.locals(known=dict, table=dict, row=RowSum)
cpdef add_tables(dict sums, object tables)

@cython.locals(known=dict)
cpdef add_by_metric(dict sums, object documents)

cpdef list column_sums(object table, Py_ssize_t width)

cpdef list table_sums(object tables, object name, Py_ssize_t width)

@cython.locals(sums=list)
cpdef object share_of_sum(object tables, object name, tuple columns)

@cython.locals(sums=list, rows=dict, place=Py_ssize_t)
cpdef list sums_of(object table, tuple columns)

@cython.locals(width=Py_ssize_t, at=Py_ssize_t, places=Py_ssize_t[8], numbers=cython.longlong[8],
               sums=cython.longlong[8], counts=tuple)
cdef list _small_sums(dict rows, tuple columns)

@cython.locals(right=cython.longlong, substituted=cython.longlong, added=cython.longlong,
               deleted=cython.longlong, all_right=cython.longlong, every=cython.longlong)
cpdef tuple count_right(dict fields)

@cython.final
cdef class Shares:
    cdef dict _table
    cdef Py_ssize_t _part
    cdef tuple _whole
    cdef object _times
    cdef object _last
    cdef object _share

    cpdef object keys(self)

    cpdef object get(self, object key)

    @cython.locals(counts=tuple, at=Py_ssize_t)
    cdef object _share_of(self, object row)

@cython.final
cdef class KeptFormula:
    cdef object _formula
    cdef Py_ssize_t _most
    cdef dict _known

    @cython.locals(values=list, rows=dict)
    cpdef list of_rows(self, object table)

    cdef object _of(self, tuple row)

@cython.locals(values=list, rows=dict, counts=tuple)
cpdef object mean_f1(object table)

@cython.locals(values=list, rows=dict, counts=tuple)
cpdef object mean_share(object table, Py_ssize_t part, Py_ssize_t whole, object times)

@cython.locals(sums=list, rows=dict, counts=tuple, at=Py_ssize_t)
cpdef list weighted_sums(object table, tuple columns, object weights, object other)

cpdef tuple key_order(object key)

@cython.locals(changed=dict)
cpdef object in_order(object stats)

@cython.locals(keys=tuple, order=list)
cpdef tuple keys_in_order(dict table)

cdef object _sorted(object table)

@cython.locals(pairs=list)
cdef object _with_parts_sorted(object table)

@cython.locals(pairs=list)
cdef list _pairs_sorted(object table)

@cython.final
cdef class _LatestOrder:
    cdef tuple keys_and_order

cdef _LatestOrder _latest

@cython.locals(order=list, own=dict)
cdef object _with_texts_sorted(object table)

cdef object _texts_in_order(dict table)

@cython.locals(keys=tuple, order=list)
cdef list _known_order(dict table)

@cython.locals(at=Py_ssize_t)
cdef bint _has_keys(dict table, tuple keys)

@cython.locals(number=Py_ssize_t, start=Py_ssize_t, known=dict, table=dict, place=Py_ssize_t,
               counts=tuple, first=Py_ssize_t, at=Py_ssize_t, count=Py_ssize_t)
cpdef place_counts(double[::1] cells, list starts, list stats, object places)
