# What texts.py does, for Cython: modules that use it have it inside them, so it is not compiled.

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const unsigned char* PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    QUOTED = 1
    SEPARATING = 2
    UNUSUAL = 4

cdef inline str as_text(object text):
    return <str>text

cdef inline int signs_in(object text):
    cdef int signs = 0
    cdef Py_ssize_t place
    cdef const unsigned char* characters
    if not PyUnicode_IS_ASCII(text):
        return signs_beyond_ascii(text)
    characters = PyUnicode_1BYTE_DATA(text)
    for place in range(PyUnicode_GET_LENGTH(text)):
        if characters[place] == c'"' or characters[place] == c",":
            signs |= QUOTED
        elif characters[place] == c"|":
            signs |= SEPARATING
        elif not c" " <= characters[place] <= c"~":
            signs |= UNUSUAL
    return signs

cdef inline int signs_beyond_ascii(object text):
    cdef int signs = UNUSUAL
    if "|" in text:
        signs |= SEPARATING
    if '"' in text or "," in text:
        signs |= QUOTED
    return signs

cdef inline bint stands_in_json(object text):
    cdef bint others = False
    cdef Py_ssize_t place
    cdef const unsigned char* characters
    cdef Py_UCS4 character
    if not PyUnicode_IS_ASCII(text):
        for character in <str>text:
            if character < c" " or character == c'"' or character == c"\\":
                return False
        return True
    characters = PyUnicode_1BYTE_DATA(text)
    for place in range(PyUnicode_GET_LENGTH(text)):  # to the end: most have none of them
        others |= characters[place] < c" "
        others |= (characters[place] == c'"') | (characters[place] == c"\\")
    return not others

cdef inline bint is_ascii(str text):
    return PyUnicode_IS_ASCII(text)
