# What the names of pairs.py hold, for Cython.
cimport cython

from docassay.kernel.digits cimport ToldTexts
from docassay.kernel.mistakes cimport Spellings, mistakes_in
from docassay.kernel.readings cimport Group, Reading, values_of
from docassay.kernel.rows cimport texts_in

cdef tuple SUBSTITUTED, ADDED, DELETED

cdef class GroupPair:
    cdef public str type
    cdef public Group gold
    cdef public Group pred
    cdef public bint identical
    cdef public object matching
    cdef public list _mistakes
    cdef public dict _others
    cdef public object _fates
    cdef public object _wrong
    cdef public object _inside

@cython.locals(found=list)
cpdef list mistakes_of(GroupPair pair)

@cython.locals(others=dict)
cpdef dict others_of(GroupPair pair)

cpdef bint is_nested(GroupPair pair)

@cython.locals(pairs=list, rows=list, row=GroupPair)
cpdef list walk_others(GroupPair pair)

@cython.locals(alone=dict, pair=GroupPair, gold=Group, pred=Group, in_list=bint, mistakes=list)
cpdef dict rows_alone(list pairs, object are_strangers)

@cython.locals(missed=Py_ssize_t, values=dict, readings=tuple, own=object)
cdef bint _all_missed(Group gold, list mistakes)

@cython.locals(values=tuple, value=Reading)
cpdef tuple words_in_group(Group group, str path, Spellings spellings)

@cython.locals(wider=dict, lends=bint, own=dict, others=dict, path=str, words=tuple, fewer=tuple)
cpdef tuple wider_fields(Group partner, Group whole, list mistakes, Spellings spellings)

@cython.final
cdef class Around:
    cdef readonly ToldTexts spurious
    cdef readonly Group root
    cdef ToldTexts _golds

    cpdef ToldTexts golds(self)

@cython.final
cdef class PlainCauses:
    cdef str missing
    cdef str hallucinated
    cdef str split
    cdef str document_type
    cdef frozenset sure
    cdef Spellings spellings
    cdef frozenset of_digits
    cdef object of_texts

    @cython.locals(causes=list, unsure=list, alone=dict, seams=set, pair=GroupPair, mistakes=list,
                   row=tuple, split=bint, gold=Reading, pred=Reading, other=bint, cause=str,
                   sure=bint)
    cpdef tuple of(self, list pairs, Around around, object rows, object type_field, object foreign)

    cdef tuple _of_one(self, bint missing, tuple row, bint split, bint other_form)

    cdef tuple _of_two(self, object field, Reading gold, Reading pred, tuple row, bint split,
                       bint of_type)

    cdef bint _stands_alone(self, Around around, object gist, Reading gold, Reading pred)

    cdef bint _lack(self, ToldTexts texts, object gist, Reading reading, Reading besides)

@cython.locals(counts=dict, place=Py_ssize_t, pair=GroupPair, key=tuple, one=tuple, own=tuple)
cpdef dict count_by_kind(list pairs, list causes)
