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
            Rows.walk(shape, a, aStrides, b, bStrides, (i, si, j, sj, n) -> {
                for (long k = 0; k < n; k++) {
                    w.values()[(int) (j + k * sj)] = v.values()[(int) (i + k * si)];
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
        Rows.walk(shape, a, aStrides, b, bStrides, (i, si, j, sj, n) -> {
            if (si == 1 && sj == 1 && !swap) {
                t.bytes().put((int) (j * size), f.bytes(), (int) (i * size), (int) (n * size));
            } else if (si == 1 && sj == 1) {
                swapRow(f.bytes(), (int) (i * size), t.bytes(), (int) (j * size), (int) (n * size), f.wordSize());
            } else {
                for (long k = 0; k < n; k++) {
                    one(
                            f,
                            (int) ((i + k * si) * size),
                            t.bytes(),
                            (int) ((j + k * sj) * size),
                            swap ? f.wordSize() : 1);
                }
            }
        });
    }

    private static void one(Elements.Fixed from, int a, ByteBuffer to, int b, int swapped) {
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
            Rows.walk(shape, b, bStrides, b, bStrides, (i, si, j, sj, n) -> {
                for (long k = 0; k < n; k++) {
                    v.values()[(int) (j + k * sj)] = bytes;
                }
            });
            return;
        }
        Elements.Fixed t = (Elements.Fixed) to;
        ByteBuffer one = one(value, t);
        int size = t.elementSize();
        Rows.walk(shape, b, bStrides, b, bStrides, (i, si, j, sj, n) -> {
            if (sj == 1) {
                fillRow(one, t.bytes(), (int) (j * size), (int) (n * size));
                return;
            }
            for (long k = 0; k < n; k++) {
                t.bytes().put((int) ((j + k * sj) * size), one, 0, size);
            }
        });
    }

    /** Repeats {@code one} over {@code n} bytes by copying the filled part, which doubles each time. */
    private static void fillRow(ByteBuffer one, ByteBuffer to, int at, int n) {
        int done = Math.min(n, one.limit());
        to.put(at, one, 0, done);
        while (done < n) {
            int more = Math.min(done, n - done);
            to.put(at + done, to, at, more);
            done += more;
        }
    }

    /** Returns whether every element equals {@code value} bit by bit. */
    static boolean isAll(Elements.Fixed elements, FillValue value) {
        ByteBuffer bytes = elements.bytes();
        int size = elements.elementSize();
        if (bytes.limit() == 0) {
            return true;
        }
        if (!one(value, elements).equals(bytes.slice(0, size))) {
            return false;
        }
        return bytes.slice(size, bytes.limit() - size).mismatch(bytes.slice(0, bytes.limit() - size)) < 0;
    }

    /** Returns one element of {@code value} in the byte order of {@code like}. */
    private static ByteBuffer one(FillValue value, Elements.Fixed like) {
        ByteBuffer one =
                ByteBuffer.allocate(like.elementSize()).order(like.bytes().order());
        for (int k = 0; k < like.elementSize(); k++) {
            int word = k / like.wordSize() * like.wordSize();
            boolean little = one.order() == java.nio.ByteOrder.LITTLE_ENDIAN;
            one.put(k, value.byteAt(little ? k : word + like.wordSize() - 1 - (k - word)));
        }
        return one;
    }
}
