# What the names of stored.py hold, for Cython.
cimport cython
from docassay.kernel.counting cimport keys_in_order

cdef bytes STATS, ID, UNSEEN
cdef unsigned char END, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE
cdef unsigned char BRACE, BRACE_END, BRACKET, BRACKET_END
cdef Py_ssize_t MOST_DIGITS, UNREAD, FEW_OTHERS, MOST_KEYS

@cython.final
cdef class WrittenKey:
    cdef object key
    cdef tuple counts
    cdef bytes head, text

@cython.final
cdef class WrittenTable:
    cdef dict by_key
    cdef list texts

@cython.final
cdef class StatsWriter:
    cdef object _encode
    cdef dict _heads, _objects
    cdef WrittenTable _pairs
    cdef Py_ssize_t _remembered

    @cython.locals(parts=list, own=dict, known=WrittenTable)
    cpdef bytes write(self, object stats)

    cdef _forget(self)

    cdef bytes _head(self, str name)

    @cython.locals(left=Py_ssize_t, first=Py_ssize_t, written=WrittenKey)
    cdef bint _added_at_sight(self, list parts, WrittenTable known, dict table)

    @cython.locals(are_texts=bint, own=WrittenTable, first=Py_ssize_t, before=Py_ssize_t,
                   written=WrittenKey, head=bytes)
    cdef _add_table(self, list parts, WrittenTable known, dict table)

    cdef _close(self, list parts, Py_ssize_t first, bytes end)

    @cython.locals(text=bytes)
    cdef bytes _text(self, WrittenKey written, object row, bint are_texts)

@cython.final
cdef class StoredKey:
    cdef bytes key, text
    cdef Py_ssize_t place, number, width

@cython.final
cdef class StoredTable:
    cdef list keys
    cdef dict by_text

@cython.final
cdef class StoredMetric:
    cdef readonly bytes name
    cdef double[::1] cells, latest
    cdef Py_ssize_t width
    cdef dict tables

@cython.final
cdef class StoredCounts:
    cdef list _block_of
    cdef dict _metrics
    cdef readonly Py_ssize_t number, top

    @cython.locals(left=list, view="const unsigned char*", start=Py_ssize_t, end=Py_ssize_t,
                   unit=Py_ssize_t, at=Py_ssize_t)
    cpdef list add(self, bytes lines)

    cdef bint _placed(self, bytes lines, const unsigned char* view, Py_ssize_t at,
                      Py_ssize_t unit)

    @cython.locals(found=Py_ssize_t, after=Py_ssize_t, metric=StoredMetric)
    cdef bint _add(self, bytes lines, const unsigned char* view, Py_ssize_t at,
                   Py_ssize_t unit, Py_ssize_t sign)

@cython.locals(found=list, view="const unsigned char*", start=Py_ssize_t, end=Py_ssize_t,
               at=Py_ssize_t, id_at=Py_ssize_t)
cpdef list own_tables(bytes lines, bytes metric)

@cython.locals(after=Py_ssize_t)
cdef Py_ssize_t _tables_of(const unsigned char* view, Py_ssize_t at, bytes metric)

@cython.locals(after=Py_ssize_t, table=StoredTable)
cdef Py_ssize_t _add_tables(bytes lines, const unsigned char* view, Py_ssize_t at,
                            Py_ssize_t unit, StoredMetric metric, Py_ssize_t sign)

@cython.locals(pairs=bint, expected=Py_ssize_t, key=StoredKey, place=Py_ssize_t)
cdef Py_ssize_t _add_table(bytes lines, const unsigned char* view, Py_ssize_t at,
                           Py_ssize_t first, StoredMetric metric, StoredTable table,
                           Py_ssize_t sign)

@cython.locals(key=StoredKey)
cdef StoredKey _key_at(bytes lines, const unsigned char* view, Py_ssize_t at,
                       StoredMetric metric, StoredTable table, Py_ssize_t expected)

@cython.locals(at=Py_ssize_t, width=Py_ssize_t, negative=bint, begun=Py_ssize_t, count=Py_ssize_t)
cdef bint _read(const unsigned char* view, Py_ssize_t start, StoredMetric metric, StoredKey key)

cdef Py_ssize_t _after_text(const unsigned char* view, Py_ssize_t at)

@cython.locals(depth=Py_ssize_t)
cdef Py_ssize_t _after_value(const unsigned char* view, Py_ssize_t at)
