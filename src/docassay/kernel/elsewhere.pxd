# What the names of elsewhere.py hold, for Cython.
cimport cython

from docassay.kernel.prints cimport Printer
from docassay.kernel.readings cimport Group, Reading, sense_of
from docassay.kernel cimport texts

@cython.final
cdef class PrintCounts:
    cdef public Printer printer
    cdef dict _counts
    cdef unsigned long _some
    cdef public Py_ssize_t untold

    cpdef clear(self)

    cpdef ask(self, long long told)

    @cython.locals(told=cython.longlong)
    cpdef add(self, str text)

    cpdef Py_ssize_t count(self, long long told)

cdef Py_ssize_t MANY

@cython.final
cdef class Texts:
    cdef list _counts
    cdef list _spare
    cdef public bint asked
    cdef public Py_ssize_t size
    cdef public bint plain

    @cython.locals(counts=PrintCounts)
    cpdef clear(self)

    @cython.locals(told=cython.longlong, by=Printer)
    cpdef ask(self, Reading reading, Printer printer)

    @cython.locals(told=cython.longlong, its=cython.longlong, others=Py_ssize_t, by=Printer)
    cpdef bint may_hold(self, Reading reading, Reading besides, Printer printer)

    @cython.locals(counts=PrintCounts, place=Py_ssize_t)
    cdef PrintCounts _of(self, Printer printer)

    cpdef add(self, Reading reading)

    @cython.locals(counts=PrintCounts)
    cdef _add(self, str text)

    cpdef add_all(self, Group root)

    @cython.locals(values=dict, reading=Reading, row=Group)
    cdef _add_group(self, Group group)

cdef Printer _printer_for(Reading reading, Printer printer)

cdef bint _tells(Printer printer, long long told)

@cython.final
cdef class Elsewhere:
    cdef dict _printers
    cdef Texts _golds
    cdef Texts _missed
    cdef Texts _spurious

    @cython.locals(place=Py_ssize_t, printer=Printer, gold=Reading, pred=Reading, of_gold=bint,
                   of_pred=bint, found=list)
    cpdef list of(self, list wrong, list doubtful, Group root, dict alone)

    @cython.locals(place=Py_ssize_t, printer=Printer, gold=Reading, pred=Reading)
    cdef _ask(self, list wrong, list doubtful, dict alone)

    @cython.locals(missed=Texts, spurious=Texts, gold=Reading, pred=Reading)
    cdef _add(self, list wrong, Group root)

    cdef Texts _among(self, object pair, Reading pred, dict alone)

@cython.locals(size=Py_ssize_t, character=Py_UCS4)
cdef bint _is_telling(str text)
