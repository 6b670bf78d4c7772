# What the names of pages.py hold, for Cython.
cimport cython

@cython.locals(at=Py_ssize_t, field=str, head=str, tail=str, text=str)
cpdef add_values(list parts, dict texts, list frames, list others, Py_ssize_t longest, object row,
                 object cut)

@cython.locals(character=Py_UCS4)
cpdef str escaped(str text)
