# What the names of elsewhere.py hold, for Cython.
cimport cython

from docassay.kernel.prints cimport Printer
from docassay.kernel.readings cimport Group, Reading, sense_of
from docassay.kernel.rows cimport texts_in

cdef class Question

@cython.final
cdef class PrintCounts:
    cdef public Printer printer
    cdef dict _counts
    cdef unsigned long _some
    cdef public Py_ssize_t untold

    cpdef ask(self, long long told)

    @cython.locals(told=cython.longlong)
    cpdef add(self, str text)

    cpdef Py_ssize_t count(self, long long told)

cdef Py_ssize_t MANY

@cython.final
cdef class Texts:
    cdef list _counts
    cdef public Py_ssize_t size
    cdef public bint plain

    @cython.locals(told=cython.longlong, counts=PrintCounts)
    cpdef Question ask(self, Reading reading, Reading besides, Printer printer)

    @cython.locals(counts=PrintCounts)
    cdef PrintCounts _of(self, Printer printer)

    @cython.locals(text=str, counts=PrintCounts)
    cpdef add(self, Reading reading)

    @cython.locals(texts=list, text=str, counts=PrintCounts)
    cpdef add_all(self, Group root)

@cython.final
cdef class Question:
    cdef Texts _among
    cdef PrintCounts _counts
    cdef long long _told
    cdef Reading _besides

    @cython.locals(counts=PrintCounts, told=cython.longlong, its=cython.longlong,
                   others=Py_ssize_t)
    cpdef bint answer(self)

@cython.locals(golds=Texts, missed=Texts, spurious=Texts, questions=list, printer=Printer,
               gold=Reading, pred=Reading, anywhere=bint, of_gold=Question, of_pred=Question)
cpdef list stand_elsewhere(list asked, list wrong, Group root, dict printers, dict alone)

cdef bint _answer(Question question)

@cython.locals(size=Py_ssize_t, character=Py_UCS4)
cdef bint _is_telling(str text)
