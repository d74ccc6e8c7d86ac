package dev.shardkit.spi.array;

import java.nio.ByteBuffer;

/**
 * Copies elements between strided views and swaps the bytes of words if the byte orders differ. {@code a} is an index
 * in the source, {@code b} one in the target. Within a row, {@code i} is an index in the source, {@code j} one in the
 * target. All indices count elements, except in the methods that copy single elements and rows, where they count bytes.
 * Stateless and thread-safe.
 */
public final class ElementCopy {
    private ElementCopy() {}

    /**
     * Copies a box of {@code shape} elements. The first one is element {@code a} of the source and becomes element
     * {@code b} of the target. Both sides must have the same kind and element size.
     */
    public static void copy(
            Elements source, long a, long[] aStrides, Elements target, long b, long[] bStrides, long[] shape) {
        if (source instanceof Elements.Variable v && target instanceof Elements.Variable w) {
            StridedRows.walk(shape, a, aStrides, b, bStrides, (i, sourceStep, j, targetStep, n) -> {
                for (long k = 0; k < n; k++) {
                    w.values()[(int) (j + k * targetStep)] = v.values()[(int) (i + k * sourceStep)];
                }
            });
            return;
        }
        if (!(source instanceof Elements.Fixed sourceWords)
                || !(target instanceof Elements.Fixed targetWords)
                || sourceWords.elementSize() != targetWords.elementSize()) {
            throw new IllegalArgumentException("elements of different kinds");
        }
        int size = sourceWords.elementSize();
        boolean swap = sourceWords.bytes().order() != targetWords.bytes().order() && sourceWords.wordSize() > 1;
        StridedRows.walk(shape, a, aStrides, b, bStrides, (i, sourceStep, j, targetStep, n) -> {
            if (sourceStep == 1 && targetStep == 1 && !swap) {
                targetWords.bytes().put((int) (j * size), sourceWords.bytes(), (int) (i * size), (int) (n * size));
            } else if (sourceStep == 1 && targetStep == 1) {
                swapRow(
                        sourceWords.bytes(),
                        (int) (i * size),
                        targetWords.bytes(),
                        (int) (j * size),
                        (int) (n * size),
                        sourceWords.wordSize());
            } else {
                for (long k = 0; k < n; k++) {
                    element(
                            sourceWords,
                            (int) ((i + k * sourceStep) * size),
                            targetWords.bytes(),
                            (int) ((j + k * targetStep) * size),
                            swap ? sourceWords.wordSize() : 1);
                }
            }
        });
    }

    /** Copies one element; {@code swapped} is the size of the words whose bytes are swapped, 1 for none. */
    private static void element(Elements.Fixed source, int a, ByteBuffer target, int b, int swapped) {
        if (swapped > 1) {
            swapRow(source.bytes(), a, target, b, source.elementSize(), swapped);
            return;
        }
        // An element whose size a buffer can read as a number is copied in one access. If the byte orders differ, which
        // is possible here for words of one byte, its bytes are copied one by one, because the access would swap them.
        int size = source.elementSize();
        switch (size == 1 || source.bytes().order() == target.order() ? size : 0) {
            case 1 -> target.put(b, source.bytes().get(a));
            case 2 -> target.putShort(b, source.bytes().getShort(a));
            case 4 -> target.putInt(b, source.bytes().getInt(a));
            case 8 -> target.putLong(b, source.bytes().getLong(a));
            default -> target.put(b, source.bytes(), a, source.elementSize());
        }
    }

    /** Copies {@code n} bytes word by word. The buffers have different byte orders, so this swaps the bytes. */
    private static void swapRow(ByteBuffer source, int a, ByteBuffer target, int b, int n, int wordSize) {
        switch (wordSize) {
            case 2 -> {
                for (int k = 0; k < n; k += 2) {
                    target.putShort(b + k, source.getShort(a + k));
                }
            }
            case 4 -> {
                for (int k = 0; k < n; k += 4) {
                    target.putInt(b + k, source.getInt(a + k));
                }
            }
            case 8 -> {
                for (int k = 0; k < n; k += 8) {
                    target.putLong(b + k, source.getLong(a + k));
                }
            }
            default -> throw new IllegalArgumentException("expected words of 1, 2, 4 or 8 bytes, found " + wordSize);
        }
    }

    /** Sets a box of {@code shape} elements to {@code value}. */
    public static void fill(FillValue value, Elements target, long b, long[] bStrides, long[] shape) {
        if (target instanceof Elements.Variable v) {
            byte[] bytes = value.bytes();
            // A walk has two views. Here only the target matters, so it is passed as both.
            StridedRows.walk(shape, b, bStrides, b, bStrides, (i, si, j, step, n) -> {
                for (long k = 0; k < n; k++) {
                    v.values()[(int) (j + k * step)] = bytes;
                }
            });
            return;
        }
        Elements.Fixed targetWords = (Elements.Fixed) target;
        ByteBuffer element = element(value, targetWords);
        int size = targetWords.elementSize();
        StridedRows.walk(shape, b, bStrides, b, bStrides, (i, si, j, step, n) -> {
            if (step == 1) {
                fillRow(element, targetWords.bytes(), (int) (j * size), (int) (n * size));
                return;
            }
            for (long k = 0; k < n; k++) {
                targetWords.bytes().put((int) ((j + k * step) * size), element, 0, size);
            }
        });
    }

    /** Repeats {@code element} over {@code n} bytes by copying the filled part, which doubles each time. */
    private static void fillRow(ByteBuffer element, ByteBuffer target, int begin, int n) {
        int filled = Math.min(n, element.limit());
        target.put(begin, element, 0, filled);
        while (filled < n) {
            int length = Math.min(filled, n - filled);
            target.put(begin + filled, target, begin, length);
            filled += length;
        }
    }

    /** Returns whether every element equals {@code value} bit by bit. */
    public static boolean isAll(Elements.Fixed elements, FillValue value) {
        ByteBuffer bytes = elements.bytes();
        int size = elements.elementSize();
        if (bytes.limit() == 0) {
            return true;
        }
        if (!element(value, elements).equals(bytes.slice(0, size))) {
            return false;
        }
        // the first element equals the value; compares each further element with the one before it
        return bytes.slice(size, bytes.limit() - size).mismatch(bytes.slice(0, bytes.limit() - size)) < 0;
    }

    /** Returns one element of {@code value} in the byte order of {@code format}. */
    private static ByteBuffer element(FillValue value, Elements.Fixed format) {
        ByteBuffer element =
                ByteBuffer.allocate(format.elementSize()).order(format.bytes().order());
        for (int k = 0; k < format.elementSize(); k++) {
            int word = k / format.wordSize() * format.wordSize();
            boolean little = element.order() == java.nio.ByteOrder.LITTLE_ENDIAN;
            element.put(k, value.byteAt(little ? k : word + format.wordSize() - 1 - (k - word)));
        }
        return element;
    }
}
