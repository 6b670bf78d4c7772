# What the names of survey.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, Sense, key_of, reading_at, UsualSenses, sense_of, usual_senses, values_of

cdef class Survey:
    cdef public set pairwise
    cdef public list flawed
    cdef dict _scopes

    cpdef add(self, str path, Reading reading)

    cdef bint _disagrees(self, str path, object scope)

    cpdef add_value(self, bint of_gold, str path, Reading reading)

    @cython.locals(usual=UsualSenses, key=str)
    cpdef str add_usual(self, tuple step, object leaf)

    @cython.locals(gold_values=dict, pred_values=dict, path=str, golds=tuple, preds=tuple)
    cpdef add_groups(self, Group gold, Group pred)

    @cython.locals(row=Group, values=dict, path=str, readings=tuple)
    cpdef add_rows(self, object rows, bint of_gold)

    @cython.locals(taken=list, row=Group, tokens=list, leaves=list, steps=tuple, place=Py_ssize_t,
                   step=tuple, key=str, reading=Reading, readings=tuple)
    cpdef list add_plain(self, object rows, bint of_gold)

    @cython.locals(path=str, scopes=set)
    cpdef settle_scopes(self, Group gold, Group pred)

@cython.locals(sense=Sense, reading=Reading, row=Group)
cdef bint _add_scopes(set scopes, Group group, str path)

@cython.locals(values=dict, readings=tuple, row=Group)
cdef _tell_apart(Group group, str path, object scope)

@cython.locals(sense=Sense, own=Sense)
cdef Reading _with_scope(Reading reading, object scope)
