# What texts.py does, for Cython: modules that use it have it inside them, so it is not compiled.

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef inline str as_text(object text):
    return <str>text

cdef inline bint is_ascii(str text):
    return PyUnicode_IS_ASCII(text)
