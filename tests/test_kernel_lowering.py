"""Elements of arrays and loops in kernels: short for LLVM, and the same as in Python."""

import itertools

import numpy as np
import pytest
from numba.core.caching import NullCache

from flexura._kernel import allocating, kernel
from flexura._kernel_compiler import Code


def compiled(function, make=kernel):
    """A kernel that is compiled now, whatever is on disk."""
    made = make(function)
    made._cache = NullCache()
    return made


def orders(array):
    """An array with its rows one after the other, its columns, and neither."""
    spread = np.zeros(tuple(2 * n for n in array.shape), dtype=array.dtype)
    view = spread[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return np.ascontiguousarray(array), np.asfortranarray(array), view


@pytest.fixture(scope="module")
def picked():
    """Elements by one index after the other, by all at once, and by some known in advance."""

    @compiled
    def pick(x, i, j, k, out):
        out[0] = x[i, j, k]
        out[1] = x[i][j][k]
        out[2] = x[i, j][k]
        out[3] = x[-1, 0, k]
        out[4] = x[0][-2, -1]
        out[5] = x[2, 1, 3]
        out[6] = len(x[i]) + 10 * x[i].size + 1000 * x[i].ndim + x[i, j].strides[0]

    return pick


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.bool_])
def test_elements_are_those_of_numpy(picked, dtype):
    numbers = np.random.default_rng(0).integers(0, 2 if dtype is np.bool_ else 99, (3, 4, 5))
    for x in orders(numbers.astype(dtype)):
        for i, j, k in [(0, 0, 0), (2, 3, 4), (-1, -4, -5), (-3, 1, -2)]:
            found, expected = np.zeros(7), np.zeros(7)
            picked(x, i, j, k, found)
            picked.py_func(x, i, j, k, expected)
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("index", [np.int32(-2), np.uint64(1), np.uint8(2), np.int8(-1)])
def test_indices_may_be_whole_numbers_of_any_width(picked, index):
    x, found, expected = np.arange(60.0).reshape(3, 4, 5), np.zeros(7), np.zeros(7)
    picked(x, index, index, index, found)
    picked.py_func(x, index, index, index, expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.uint8])
def test_what_is_written_is_found_there(dtype):
    @compiled
    def put(x, i, j, value):
        x[i, j] = value
        x[0, -1] = 1
        x[i][0] = True
        x[-1, 1] += x[0, -1]

    for made, plain in zip(*(orders(np.zeros((3, 4), dtype)) for _ in range(2)), strict=True):
        put(made, 1, -2, 3)
        put.py_func(plain, 1, -2, 3)
        np.testing.assert_array_equal(made, plain)
        assert plain.any()


def test_rows_are_views():
    @compiled
    def fill(x):
        for i in range(len(x)):
            row = x[i]
            for j in range(len(row)):
                row[j] = 10 * i + j

    for x in orders(np.zeros((3, 4))):
        fill(x)
        np.testing.assert_array_equal(x, [[10 * i + j for j in range(4)] for i in range(3)])


def every_other(stop):
    """Numbers in steps of two, for whoever takes it for one of ``range`` itself."""
    return range(0, stop, 2)


def counting(every_other):
    """A function with loops of all kinds; it returns how many numbers they have taken."""

    def count(a, b, c, out):
        n = 0
        for i in range(b):
            out[n % 50] += i
            n += 1
        for i in range(a, b):
            out[n % 50] += 3 * i
            n += 1
            if i == 4:
                break
        for i in range(a, b, c):
            out[n % 50] += 5 * i
            n += 1
        for i in every_other(b):
            out[n % 50] += 7 * i
            n += 1
        numbers = range(a, b) if c > 0 else range(b, a, -1)
        for _ in range(2):
            for i in numbers:
                for j in range(i, b):
                    if j % 2:
                        continue
                    out[n % 50] += 11 * j
                    n += 1
        return n

    return count


@pytest.fixture(scope="module")
def counted():
    return compiled(counting(compiled(every_other)))


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [*itertools.product((-3, 0, 2), (-4, 0, 1, 9), (1, 2)), (5, -5, -1), (9, 0, -4)],
)
def test_loops_take_the_numbers_of_python(counted, a, b, c):
    found, expected = np.zeros(50), np.zeros(50)
    assert counted(a, b, c, found) == counting(every_other)(a, b, c, expected)
    np.testing.assert_array_equal(found, expected)


def test_a_step_of_zero_is_an_error():
    @compiled
    def forever(step):
        total = 0
        for i in range(0, 3, step):
            total += i
        return total

    assert forever(2) == 2
    with pytest.raises(ValueError, match="must not be zero"):
        forever(0)


def test_kernels_that_make_arrays_are_left_to_numba():
    def rows(x):
        total = np.zeros(x.shape[1])
        for i in range(len(x)):
            total += x[i] * x[-1, 0]
        return total[1:]

    x = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(compiled(rows, allocating)(x), rows(x))


def test_a_kernel_is_short_for_llvm(monkeypatch):
    """Numba takes 389 instructions for two loops and two elements, and LLVM reads all of them."""
    written = []
    read = Code.add_ir_module

    def count(code, module):
        written.append(sum(len(b.instructions) for f in module.functions for b in f.blocks))
        read(code, module)

    monkeypatch.setattr(Code, "add_ir_module", count)

    @compiled
    def move(x, y):
        for i in range(len(x)):
            for j in range(2):
                y[i, j] = x[j, i]

    move(np.zeros((2, 2)), np.zeros((2, 2)))
    assert 20 < written[0] < 160
