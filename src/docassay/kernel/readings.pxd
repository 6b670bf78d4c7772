# What the names of readings.py hold, for Cython.
cimport cython

@cython.no_gc
@cython.final
cdef class Sense:
    cdef object _value
    cdef public object key
    cdef public object scope
    cdef public object problem
    cdef object _digits

@cython.locals(sense=Sense)
cpdef Sense meant(object value, object key, object scope=*, object digits=*)

cdef class UsualSenses:
    cdef str prefix
    cdef object general

    cpdef Sense of(self, object text)
    cpdef str key(self, object text)
    cpdef object scope(self, object text)
    cpdef bint differ(self, object text, object other)
    cpdef tuple figure(self, object text)
    cpdef object whole(self, object text)
    cpdef object dollar(self, object text)

@cython.no_gc
@cython.final
cdef class Reading:
    cdef public object text
    cdef public object make
    cdef public Sense made
    cdef public object confidence
    cdef public object page
    cdef public object box
    cdef public tuple alternatives
    cdef public bint normalised
    cdef public Reading origin

@cython.no_gc
@cython.final
cdef class Group:
    cdef public str type
    cdef public object index
    cdef dict _values
    cdef public object groups
    cdef public object slots
    cdef public bint single
    cdef list _leaves
    cdef tuple _steps
    cdef Py_ssize_t _count

    cpdef add_rows(self, str path, list rows)

    cpdef str prefix(self, str parent, str parent_type)

@cython.final
cdef class Readings:
    cdef public object senses
    cdef public frozenset absent
    cdef public dict known
    cdef Py_ssize_t _most
    cdef public bytes sure
    cdef public bint sure_numbers

    @cython.locals(reading=Reading)
    cpdef Reading of(self, object text)

    cpdef Reading fresh(self, str text)

    @cython.locals(code=Py_ssize_t)
    cpdef bint begins_surely(self, str text)

@cython.locals(at=Py_ssize_t, step=tuple, path=str, reading=Reading)
cpdef Py_ssize_t read_leaves(dict values, list raws, tuple steps, Py_ssize_t place, object reader=*)

cdef bint _is_single(tuple step, object leaf)

@cython.locals(texts=Readings, sure=double, reading=Reading)
cdef Reading _sure_reading(tuple step, dict leaf)

@cython.locals(values=dict)
cpdef dict values_of(Group group)

@cython.locals(texts=Readings)
cpdef Reading reading_at(tuple step, object leaf)

@cython.locals(text=str, found=str)
cpdef bint same_leaf(object leaf, object other)

@cython.locals(texts=Readings)
cpdef UsualSenses usual_senses(tuple step, object leaf)

@cython.locals(usual=UsualSenses)
cpdef bint surely_differ(tuple step, object leaf, object other)

@cython.locals(usual=UsualSenses, its=UsualSenses, key=str)
cpdef bint surely_alike(tuple step, object leaf, object other)

cdef bint may_be_several(object text)

@cython.locals(texts=Readings)
cpdef int presence(tuple step, object leaf)

@cython.locals(group=Group)
cpdef Group unread_group(str type, object index, list leaves, tuple steps, Py_ssize_t count)

@cython.locals(index=Py_ssize_t, rows=list, keys=tuple, steps=tuple, leaves=list, count=Py_ssize_t,
               place=Py_ssize_t, here=int)
cpdef list read_rows(list items, str path, object shapes)

@cython.locals(leaves=list, place=Py_ssize_t)
cpdef list leaves_under(tuple keys, dict item)

@cython.locals(keys=tuple, own=tuple)
cpdef bint are_whole(list items, object known)

@cython.locals(reading=Reading)
cdef Reading usual_reading(str text, object make, Sense made, object confidence, Reading origin)

@cython.locals(made=Sense, usual=UsualSenses)
cpdef Sense sense_of(Reading reading)

cpdef object key_of(Reading reading)

@cython.locals(texts=list, reading=Reading)
cpdef list texts_meant(object readings)

@cython.locals(own=Sense, other=Sense)
cpdef int by_keys(Reading gold, Reading pred)
