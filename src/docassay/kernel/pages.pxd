# What the names of pages.py hold, for Cython.
cimport cython

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

@cython.locals(character=Py_UCS4)
cpdef str escaped(str text)
