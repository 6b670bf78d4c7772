# What the names of pages.py hold, for Cython.
cimport cython

from docassay.kernel.judged cimport ValueTexts, escaped
from docassay.kernel.readings cimport Group, Reading

@cython.final
cdef class Frames:
    cdef object _make
    cdef Py_ssize_t _most
    cdef dict _known

    @cython.locals(key=tuple, known=tuple)
    cpdef tuple of(self, Group row, tuple starts, bint moved)

cdef tuple _fields_in(Group row)

@cython.locals(head=str, values=list, at=Py_ssize_t, same=Py_ssize_t, leaves=list,
               place=Py_ssize_t, field=str, start=str, end=str, text=str, reading=Reading)
cpdef Py_ssize_t add_row(list parts, Group row, tuple frame, list others, Py_ssize_t longest,
                         object shown, object cut)

@cython.final
cdef class PageStyle:
    cdef ValueTexts texts
    cdef Frames frames
    cdef dict moved
    cdef object head
    cdef object start
    cdef object unusual
    cdef object cut

@cython.final
cdef class PageRows:
    cdef PageStyle style
    cdef Py_ssize_t longest
    cdef public bint alone
    cdef list parts
    cdef public dict counts
    cdef public Py_ssize_t moved
    cdef public Py_ssize_t moved_rows
    cdef public dict fields
    cdef public dict causes
    cdef public dict verdicts

    @cython.locals(place=Py_ssize_t)
    cpdef add_all(self, list blocks, object causes, object moved)

    @cython.locals(gold=Group, pred=Group, own=list, at=Py_ssize_t, cause=str, parts=list,
                   frame=tuple)
    cpdef add(self, object block, object causes, bint moved)

    @cython.locals(field=str, verdict=str, style=PageStyle, moved=str)
    cdef str _value(self, object block, object entry, str cause)

cdef Py_ssize_t _length(str text)
