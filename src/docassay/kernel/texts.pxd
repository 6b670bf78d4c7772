# What texts.py does, for Cython: modules that use it have it inside them, so it is not compiled.

cdef inline str as_text(object text):
    return <str>text
