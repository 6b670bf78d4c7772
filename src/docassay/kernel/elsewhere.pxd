# What the names of elsewhere.py hold, for Cython.
cimport cython

from docassay.kernel.prints cimport Printer
from docassay.kernel.readings cimport Group, Reading, sense_of
from docassay.kernel cimport texts

cdef class Texts
cdef class Question

@cython.final
cdef class PrintCounts:
    cdef public Printer printer
    cdef dict _counts
    cdef unsigned long _some
    cdef unsigned long long _starts
    cdef public Py_ssize_t untold

    cpdef clear(self)

    @cython.locals(start=int)
    cpdef ask(self, long long told, str text)

    @cython.locals(told=cython.longlong)
    cpdef add(self, str text)

    cpdef Py_ssize_t count(self, long long told)

cdef Py_ssize_t MANY
cdef unsigned long long ALL_STARTS, ONE
cdef dict SMALL_NUMBERS

@cython.final
cdef class Question:
    cdef Texts _among
    cdef Reading _besides
    cdef public long long told
    cdef public PrintCounts counts

    @cython.locals(counts=PrintCounts, besides=Reading, others=Py_ssize_t, its=cython.longlong)
    cpdef bint answer(self)

@cython.final
cdef class Texts:
    cdef list _counts
    cdef list _spare
    cdef public bint asked
    cdef Py_ssize_t _size
    cdef public bint plain

    @cython.locals(counts=PrintCounts)
    cpdef begin(self, Py_ssize_t size)

    @cython.locals(told=cython.longlong, by=Printer, text=str, question=Question)
    cpdef Question ask(self, Reading reading, Reading besides, Printer printer)

    @cython.locals(counts=PrintCounts, place=Py_ssize_t)
    cdef PrintCounts _of(self, Printer printer)

    cpdef add(self, Reading reading)

    @cython.locals(counts=PrintCounts)
    cdef _add(self, str text)

    @cython.locals(reading=Reading, row=Group)
    cpdef add_all(self, Group group)

cdef Printer _printer_for(Reading reading, Printer printer)

cdef bint _tells(Printer printer, long long told)

@cython.final
cdef class Elsewhere:
    cdef dict _printers
    cdef Texts _golds
    cdef Texts _missed
    cdef Texts _spurious

    @cython.locals(number=Py_ssize_t, questions=list, own=Question, its=Question, of_gold=bint,
                   of_pred=bint, found=list)
    cpdef list of(self, list wrong, list doubtful, Group root, dict alone)

    @cython.locals(missed=Py_ssize_t, spurious=Py_ssize_t, place=Py_ssize_t, questions=list,
                   printer=Printer, gold=Reading, pred=Reading, own=Question, its=Question)
    cdef list _ask(self, list wrong, list doubtful, Group root, dict alone)

    @cython.locals(missed=Texts, spurious=Texts, gold=Reading, pred=Reading)
    cdef _add(self, list wrong, Group root)

    cdef Texts _among(self, object pair, Reading pred, dict alone)

@cython.locals(size=Py_ssize_t, character=Py_UCS4)
cdef bint _is_telling(str text)
