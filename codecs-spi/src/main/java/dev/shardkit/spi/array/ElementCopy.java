package dev.shardkit.spi.array;

import java.nio.ByteBuffer;

/**
 * Copies elements between strided views and swaps the bytes of words if the byte orders differ. Stateless and
 * thread-safe.
 */
public final class ElementCopy {
    private ElementCopy() {}

    /** Copies a box of {@code shape} elements. Both sides must have the same kind and element size. */
    public static void copy(
            Elements from, long a, long[] aStrides, Elements to, long b, long[] bStrides, long[] shape) {
        if (from instanceof Elements.Variable v && to instanceof Elements.Variable w) {
            Rows.walk(shape, a, aStrides, b, bStrides, (i, sourceStep, j, targetStep, n) -> {
                for (long k = 0; k < n; k++) {
                    w.values()[(int) (j + k * targetStep)] = v.values()[(int) (i + k * sourceStep)];
                }
            });
            return;
        }
        if (!(from instanceof Elements.Fixed f)
                || !(to instanceof Elements.Fixed t)
                || f.elementSize() != t.elementSize()) {
            throw new IllegalArgumentException("elements of different kinds");
        }
        int size = f.elementSize();
        boolean swap = f.bytes().order() != t.bytes().order() && f.wordSize() > 1;
        Rows.walk(shape, a, aStrides, b, bStrides, (i, sourceStep, j, targetStep, n) -> {
            if (sourceStep == 1 && targetStep == 1 && !swap) {
                t.bytes().put((int) (j * size), f.bytes(), (int) (i * size), (int) (n * size));
            } else if (sourceStep == 1 && targetStep == 1) {
                swapRow(f.bytes(), (int) (i * size), t.bytes(), (int) (j * size), (int) (n * size), f.wordSize());
            } else {
                for (long k = 0; k < n; k++) {
                    element(
                            f,
                            (int) ((i + k * sourceStep) * size),
                            t.bytes(),
                            (int) ((j + k * targetStep) * size),
                            swap ? f.wordSize() : 1);
                }
            }
        });
    }

    private static void element(Elements.Fixed from, int a, ByteBuffer to, int b, int swapped) {
        if (swapped > 1) {
            swapRow(from.bytes(), a, to, b, from.elementSize(), swapped);
            return;
        }
        // Words of one byte have no byte order, but buffers cannot read elements of several such words as numbers.
        int size = from.elementSize();
        switch (size == 1 || from.bytes().order() == to.order() ? size : 0) {
            case 1 -> to.put(b, from.bytes().get(a));
            case 2 -> to.putShort(b, from.bytes().getShort(a));
            case 4 -> to.putInt(b, from.bytes().getInt(a));
            case 8 -> to.putLong(b, from.bytes().getLong(a));
            default -> to.put(b, from.bytes(), a, from.elementSize());
        }
    }

    /** Copies {@code n} bytes word by word; each side's byte order is its buffer's. */
    private static void swapRow(ByteBuffer from, int a, ByteBuffer to, int b, int n, int wordSize) {
        switch (wordSize) {
            case 2 -> {
                for (int k = 0; k < n; k += 2) {
                    to.putShort(b + k, from.getShort(a + k));
                }
            }
            case 4 -> {
                for (int k = 0; k < n; k += 4) {
                    to.putInt(b + k, from.getInt(a + k));
                }
            }
            case 8 -> {
                for (int k = 0; k < n; k += 8) {
                    to.putLong(b + k, from.getLong(a + k));
                }
            }
            default -> throw new IllegalArgumentException("expected words of 1, 2, 4 or 8 bytes, found " + wordSize);
        }
    }

    /** Sets a box of {@code shape} elements to {@code value}. */
    public static void fill(FillValue value, Elements to, long b, long[] bStrides, long[] shape) {
        if (to instanceof Elements.Variable v) {
            byte[] bytes = value.bytes();
            Rows.walk(shape, b, bStrides, b, bStrides, (i, si, j, step, n) -> {
                for (long k = 0; k < n; k++) {
                    v.values()[(int) (j + k * step)] = bytes;
                }
            });
            return;
        }
        Elements.Fixed t = (Elements.Fixed) to;
        ByteBuffer element = element(value, t);
        int size = t.elementSize();
        Rows.walk(shape, b, bStrides, b, bStrides, (i, si, j, step, n) -> {
            if (step == 1) {
                fillRow(element, t.bytes(), (int) (j * size), (int) (n * size));
                return;
            }
            for (long k = 0; k < n; k++) {
                t.bytes().put((int) ((j + k * step) * size), element, 0, size);
            }
        });
    }

    /** Repeats {@code element} over {@code n} bytes by copying the filled part, which doubles each time. */
    private static void fillRow(ByteBuffer element, ByteBuffer to, int begin, int n) {
        int filled = Math.min(n, element.limit());
        to.put(begin, element, 0, filled);
        while (filled < n) {
            int length = Math.min(filled, n - filled);
            to.put(begin + filled, to, begin, length);
            filled += length;
        }
    }

    /** Returns whether every element equals {@code value} bit by bit. */
    static boolean isAll(Elements.Fixed elements, FillValue value) {
        ByteBuffer bytes = elements.bytes();
        int size = elements.elementSize();
        if (bytes.limit() == 0) {
            return true;
        }
        if (!element(value, elements).equals(bytes.slice(0, size))) {
            return false;
        }
        return bytes.slice(size, bytes.limit() - size).mismatch(bytes.slice(0, bytes.limit() - size)) < 0;
    }

    /** Returns one element of {@code value} in the byte order of {@code like}. */
    private static ByteBuffer element(FillValue value, Elements.Fixed like) {
        ByteBuffer element =
                ByteBuffer.allocate(like.elementSize()).order(like.bytes().order());
        for (int k = 0; k < like.elementSize(); k++) {
            int word = k / like.wordSize() * like.wordSize();
            boolean little = element.order() == java.nio.ByteOrder.LITTLE_ENDIAN;
            element.put(k, value.byteAt(little ? k : word + like.wordSize() - 1 - (k - word)));
        }
        return element;
    }
}
