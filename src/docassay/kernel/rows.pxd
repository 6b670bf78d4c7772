# What the names of rows.py hold, for Cython.
cimport cython

from docassay.kernel.readings cimport Group, Reading, Sense, key_of, reading_at, same_leaf, sense_of, surely_alike, values_of

@cython.locals(pairs=list, left=list, right=list, place=Py_ssize_t, both=Py_ssize_t,
               gold=Group, pred=Group)
cpdef tuple pair_twins(object golds, object preds)

cdef Py_ssize_t NOBODY
cdef Py_ssize_t SEVERAL

cpdef bint are_twins(Group gold, Group pred)

@cython.locals(place=Py_ssize_t, step=tuple)
cpdef bint same_leaves(list golds, list preds, tuple steps)

@cython.locals(leaves=list, steps=tuple, place=Py_ssize_t, step=tuple, at=Py_ssize_t)
cdef bint _same_by_field(Group gold, Group pred)

cdef bint _same_readings(object gold, tuple own, object pred, tuple other)

cdef object _reader_of(object leaf, tuple step)

@cython.locals(place=Py_ssize_t)
cpdef Py_ssize_t place_of(str path, tuple steps, Py_ssize_t likely)

cdef bint _leads_to(tuple step, str path)

@cython.locals(pairs=list, golds=dict, preds=dict, path=str, own=tuple, other=tuple)
cpdef list value_pairs(Group gold, Group pred, bint same)

@cython.locals(path=str, own=tuple)
cdef _add_alone(list pairs, Group gold, Group pred)

@cython.locals(golds=list, preds=list, steps=tuple, place=Py_ssize_t, step=tuple, own=Reading,
               other=Reading)
cdef _add_other_leaves(list pairs, Group gold, Group pred)

@cython.locals(keyed=list, every=list, place=Py_ssize_t, pair=tuple, gold=Group, pred=Group,
               key=tuple)
cpdef list in_file_order(object pairs)

@cython.locals(most=Py_ssize_t, rows=list, last=tuple, pair=tuple, gold=Group, number=Py_ssize_t,
               ordered=list)
cdef list _by_number(list pairs)

@cython.locals(last=Py_ssize_t, number=Py_ssize_t, gold=Group, pred=Group)
cpdef bint follow_in_order(list pairs)

cpdef bint is_flat(Group row)

cpdef bint are_unread(Group gold, Group pred)

cpdef bint is_whole(Group row)

@cython.locals(steps=tuple, kinds=list, known=dict, numbers=list, first=list, following=list,
               place=Py_ssize_t, number=Py_ssize_t, due=Py_ssize_t, left=list, free=list, pred=Group,
               gold=Group, row=Group)
cdef tuple _twins_anywhere(list golds, list preds, list pairs)

@cython.locals(left=list, right=list, gold=Group, place=Py_ssize_t, twin=Py_ssize_t)
cdef tuple _twins_among_few(list golds, list preds, list pairs)

@cython.locals(rows=list, row=Group)
cdef bint _are_all_unread(list golds, list preds)

@cython.locals(kinds=list, row=Group, leaves=list, missing=Py_ssize_t, place=Py_ssize_t)
cdef list _kinds(list rows, tuple steps)

@cython.locals(leaves=list, place=Py_ssize_t, at=Py_ssize_t)
cdef object _content(Group row, tuple steps, list kinds)

@cython.locals(places=list, leaves=list, own=tuple, place=Py_ssize_t, step=tuple, at=Py_ssize_t)
cdef list _laid_out(Group row, tuple steps)

@cython.locals(leaves=list, steps=tuple, place=Py_ssize_t)
cdef object _unlike(Group row)

cdef object _as_kind(object leaf, tuple step, object kind)

@cython.locals(digits=str)
cdef object _as_whole(str text)

@cython.locals(rows=list, group=Group)
cpdef plain_rows(object groups, frozenset pairwise)

@cython.locals(keys=list, values=dict, readings=tuple)
cpdef frozenset tokens_of(Group group)

@cython.locals(waiting=dict, seen=set, pairs=list, left=list, row=tuple, tokens=frozenset)
cpdef pair_unrepeated(list golds, list preds)

@cython.locals(where=dict, place=Py_ssize_t, at=list)
cpdef dict places(object rows)

@cython.locals(partners=list, suitors=list, pairs=list, single=list, taken=set,
               place=Py_ssize_t, partner=Py_ssize_t)
cpdef list take_obvious(list left, list right)

@cython.locals(every=list, paired=set)
cpdef list with_the_rest(list pairs, object golds, object preds)

@cython.locals(gold=Py_ssize_t, pred=Py_ssize_t, row=tuple, tokens=frozenset)
cdef _introduce_few(list left, list right, list partners, list suitors)

@cython.locals(where=dict, common=dict, several=list, gold=Py_ssize_t, pred=Py_ssize_t, seen=set)
cdef _introduce_many(list left, list right, list partners, list suitors)

@cython.locals(place=Py_ssize_t, first=Py_ssize_t, several=list)
cdef _add_places(list rows, dict where, dict common)

@cython.locals(met=Py_ssize_t)
cdef _meet(list partners, Py_ssize_t own, Py_ssize_t other)

@cython.locals(missed=dict, spurious=dict, gold_values=dict, pred_values=dict, path=str,
               golds=tuple, preds=tuple, own=list, exact=bint)
cpdef bint count_values(dict counts, tuple left, Group gold, Group pred, frozenset pairwise)

@cython.locals(missed=dict, spurious=dict, golds=list, preds=list, steps=tuple, place=Py_ssize_t,
               step=tuple, path=str, own=list, value=Reading, found=Reading, exact=bint)
cdef bint _count_leaves(dict counts, tuple left, Group gold, Group pred)

@cython.locals(leaves=list, steps=tuple, place=Py_ssize_t)
cpdef tuple fields_of(Group row)

@cython.locals(paths=set, steps=tuple, group=Group)
cpdef set paths_in(object groups)

@cython.locals(without=tuple, group=Group)
cpdef bint hold_any(object groups, object paths)

@cython.locals(leaves=list, steps=tuple, place=Py_ssize_t, step=tuple, reading=Reading, row=Group)
cpdef readings_in(Group group, str path, list into)

@cython.locals(leaves=list, row=Group)
cpdef bint texts_in(Group group, list texts)

@cython.locals(readings=tuple, reading=Reading)
cdef bint _own_texts(Group group, list texts)

@cython.locals(found=list)
cpdef tuple value_at(Group root, Py_ssize_t place)

@cython.locals(size=Py_ssize_t, readings=tuple, row=Group)
cdef Py_ssize_t _find(Group group, Py_ssize_t place, list found)

cdef Py_ssize_t _count_own(Group group)

@cython.locals(paths=list)
cpdef list rows_inside(Group gold, Group pred)

@cython.locals(row=Group)
cpdef bint is_nested(Group group)

@cython.locals(shapes=dict, values=dict, rows=dict, group=Group, steps=tuple, shape=tuple, own=tuple)
cpdef tuple count_rows(object groups)

cdef _count_nested(Group group, dict values, dict rows)

@cython.locals(gold=Group, pred=Group, right=Py_ssize_t, extra=Py_ssize_t, missing=Py_ssize_t)
cpdef count_pairs(dict counts, tuple left, object pairs, frozenset pairwise)

cpdef bint is_plain(Group row, frozenset pairwise)

@cython.locals(values=dict, path=str, readings=tuple, own=list, leftover=list, leaves=list,
               steps=tuple, place=Py_ssize_t, step=tuple, reading=Reading)
cpdef count_alone(dict counts, Py_ssize_t column, dict left, Group group)

@cython.locals(waiting=dict, equal=Py_ssize_t, pred=Reading, gold=Reading)
cpdef Py_ssize_t equal_keys(object golds, object preds)

@cython.locals(start=Py_ssize_t, end=Py_ssize_t)
cpdef Py_ssize_t token_length(str token)

@cython.locals(shared=frozenset, length=Py_ssize_t, equal=Py_ssize_t)
cpdef tuple worth(tuple gold, tuple pred)

cpdef tuple worth_of_pair(tuple gold, tuple pred)

@cython.locals(worths=list, row=list, straight=tuple, total=tuple)
cpdef tuple worth_of_few(object golds, object preds, object assign)

cpdef tuple both_worths(tuple one, tuple other)

@cython.locals(both=Py_ssize_t, others=dict, golds=tuple, preds=tuple, place=Py_ssize_t)
cpdef Py_ssize_t overlap(Group gold, Group pred)
