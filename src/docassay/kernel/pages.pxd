# What the names of pages.py hold, for Cython.
cimport cython

from docassay.kernel.judged cimport ValueTexts, escaped
from docassay.kernel.readings cimport Group, Reading
from docassay.kernel.rows cimport follow_in_order
from docassay.kernel.verdicts cimport RowPlace, VerdictBlock

@cython.final
cdef class Frames:
    cdef object _make
    cdef Py_ssize_t _most
    cdef Py_ssize_t _made
    cdef dict _known

    @cython.locals(frames=dict)
    cpdef dict by_place(self, tuple fields, bint moved)

    @cython.locals(frame=tuple)
    cpdef tuple made(self, tuple fields, RowPlace place, bint moved)

@cython.final
cdef class RowFrames:
    cdef Frames _frames
    cdef tuple _fields
    cdef bint _moved
    cdef object _steps
    cdef dict _by_place

    @cython.locals(steps=object, frame=tuple)
    cpdef tuple of(self, Group row, RowPlace place, bint moved)

cdef tuple _fields_in(Group row)

@cython.locals(head=str, values=list, at=Py_ssize_t, same=Py_ssize_t, leaves=list,
               place=Py_ssize_t, field=str, first=str, start=str, end=str, text=str,
               reading=Reading)
cpdef Py_ssize_t add_row(list parts, Group row, tuple frame, list others, Py_ssize_t longest,
                         object shown, object cut)

cdef _add_value(list parts, str text, Py_ssize_t before)

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
    cdef RowFrames frames
    cdef list parts
    cdef public dict counts
    cdef public Py_ssize_t moved
    cdef public Py_ssize_t moved_rows
    cdef public dict fields
    cdef public dict causes
    cdef public dict verdicts

    @cython.locals(place=Py_ssize_t, block=VerdictBlock)
    cpdef add_all(self, list blocks, object causes, object moved)

    @cython.locals(gold=Group, pred=Group, own=list, told=tuple, at=Py_ssize_t, cause=str,
                   parts=list, frame=tuple)
    cpdef add(self, VerdictBlock block, object causes, bint moved)

    @cython.locals(field=str, verdict=str, style=PageStyle, moved=str)
    cdef str _value(self, VerdictBlock block, tuple told, str cause)

    @cython.locals(parts=list)
    cpdef str between(self, str start, str end)

@cython.locals(series=dict, place=Py_ssize_t, block=VerdictBlock, gold=Group, pred=Group, own=list,
               moved=set, here=RowPlace)
cpdef set moved_rows(list blocks)

@cython.locals(last=Py_ssize_t, number=Py_ssize_t)
cdef bint _rise(list rows)

cpdef str parent_of(str path)

@cython.locals(ends=list, lengths=list, moved=set, wanted=Py_ssize_t, highest=Py_ssize_t,
               at=Py_ssize_t, number=Py_ssize_t)
cdef set _out_of_order(list rows)

cdef Py_ssize_t _length(str text)
