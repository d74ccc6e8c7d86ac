package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Creates targets and feeds for Java arrays whose elements are in C order. A target stores the results of a read in an
 * array. A feed supplies the elements of an array to a write.
 */
public final class JavaArrayAdapters {
    private JavaArrayAdapters() {}

    /**
     * Returns the number of carrier words per element: 2 for complex numbers; for raw bits, records and fixed bytes the
     * size in bytes; otherwise 1.
     */
    public static int wordsPerElement(DataType type) {
        return type.carrier().isVariable() || type.carrier() == Carrier.UTF32
                ? 1
                : type.elementSize().orElseThrow() / type.carrier().wordSize();
    }

    /** Returns the class of the Java arrays for {@code carrier}. */
    public static Class<?> arrayClass(Carrier carrier) {
        return switch (carrier) {
            case BOOLEAN -> boolean[].class;
            case BYTE -> byte[].class;
            case SHORT -> short[].class;
            case INT -> int[].class;
            case LONG -> long[].class;
            case FLOAT -> float[].class;
            case DOUBLE -> double[].class;
            case STRING, UTF32 -> String[].class;
            case BYTES -> byte[][].class;
        };
    }

    /**
     * Returns the length of the Java array for {@code shape}.
     *
     * @throws IllegalArgumentException if it exceeds the length of a Java array
     */
    public static int length(DataType type, long[] shape) {
        int words = wordsPerElement(type);
        long maxElements = (Integer.MAX_VALUE - 8L) / words; // JVMs refuse arrays of a few elements fewer than 2^31
        long count = 1; // 0 from the start if a dimension is empty: then the others may have any length
        for (long length : shape) {
            count = length == 0 ? 0 : count;
        }
        for (long length : shape) {
            if (count != 0 && length > maxElements / count) {
                throw new IllegalArgumentException(
                        "a region of shape " + Arrays.toString(shape) + " has more elements of "
                                + type.name() + " than a Java array holds (" + maxElements
                                + "); read it in parts: read(region, Target), or the"
                                + " inner chunks one by one");
            }
            count *= length;
        }
        return (int) count * words;
    }

    /** Allocates an array for {@code shape}. */
    public static Object allocate(DataType type, long[] shape) {
        return Array.newInstance(arrayClass(type.carrier()).getComponentType(), length(type, shape));
    }

    /**
     * Checks that {@code array} is a carrier of {@code type} and long enough.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static void check(DataType type, long[] shape, Object array, int offset) {
        Class<?> expected = arrayClass(type.carrier());
        if (!expected.isInstance(array)) {
            throw new IllegalArgumentException("data type " + type.name() + ": expected " + named(expected) + ", found "
                    + named(array.getClass()));
        }
        int length = length(type, shape);
        if (offset < 0 || offset > Array.getLength(array) - length) {
            throw new IllegalArgumentException("shape " + Arrays.toString(shape) + " of " + type.name() + " needs "
                    + length + " array elements from index " + offset + ", found an array of "
                    + Array.getLength(array));
        }
    }

    /** Returns the name of a class with its article, such as "an int[]". */
    public static String named(Class<?> type) {
        String name = type.getSimpleName();
        return ("AEIOaeio".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
    }

    /** Returns a target that writes into {@code array} from index {@code offset}. */
    public static Target target(DataType type, long[] shape, Object array, int offset) {
        check(type, shape, array, offset);
        return switch (type.carrier()) {
            case UTF32 -> new Utf32.Utf32Target((String[]) array, offset, shape.clone());
            case STRING -> new StringTarget((String[]) array, offset, shape);
            case BYTES -> new BytesTarget((byte[][]) array, offset, shape);
            default -> new WordTarget(type, array, offset, shape);
        };
    }

    /** Returns a feed that reads from {@code array} from index {@code offset}. */
    public static Feed feed(DataType type, long[] shape, Object array, int offset) {
        check(type, shape, array, offset);
        if (type.carrier() == Carrier.UTF32) {
            return new Utf32.Utf32Feed((String[]) array, offset, shape.clone());
        }
        long[] strides = Shapes.strides(shape);
        // In the rows below, a is the position in the array without its offset, and b is the position in the target.
        if (array instanceof String[] strings) {
            return (part, target, targetOffset, targetStrides) -> StridedRows.walk(
                    part, part.firstIn(shape), strides, targetOffset, targetStrides, (a, aStep, b, bStep, n) -> {
                        for (long k = 0; k < n; k++) {
                            ((Elements.Variable) target).values()[(int) (b + k * bStep)] =
                                    utf8(strings, (int) (offset + a + k * aStep));
                        }
                    });
        }
        if (array instanceof byte[][] bytes) {
            return (part, target, targetOffset, targetStrides) -> StridedRows.walk(
                    part, part.firstIn(shape), strides, targetOffset, targetStrides, (a, aStep, b, bStep, n) -> {
                        for (long k = 0; k < n; k++) {
                            ((Elements.Variable) target).values()[(int) (b + k * bStep)] =
                                    present(bytes, (int) (offset + a + k * aStep));
                        }
                    });
        }
        int words = wordsPerElement(type);
        AtomicReference<Object> window = new AtomicReference<>(); // kept between calls, for reuse
        Feed feed = (part, target, targetOffset, targetStrides) -> {
            WindowedRowCopy copy = WindowedRowCopy.toBuffer(
                    type.carrier(), array, ((Elements.Fixed) target).bytes(), part.count() * words, window);
            StridedRows.walk(
                    part, part.firstIn(shape), strides, targetOffset, targetStrides, rows(copy, words, offset, 0));
            copy.end();
        };
        // Not every value is an element of the type. Elements of several words are checked now, others as they are fed.
        if (!type.fields().isEmpty() || ElementChecks.hasUnusedBits(type) && words > 1) {
            ElementChecks.check(type, (byte[]) array, offset, length(type, shape));
            return feed;
        }
        return ElementChecks.hasUnusedBits(type)
                ? ElementChecks.checkedFeed(feed, type, (byte[]) array, offset, shape.clone())
                : feed;
    }

    private static <V> V present(V[] values, int i) {
        if (values[i] == null) {
            throw new IllegalArgumentException("element " + i + " is null");
        }
        return values[i];
    }

    private static byte[] utf8(String[] strings, int i) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(present(strings, i)));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("string " + i + " has an unpaired surrogate and no UTF-8 form", e);
        }
    }

    /**
     * Returns an operation that copies rows of elements as rows of words. If both sides are contiguous, it copies a row
     * at once; otherwise the first word of all elements, then the second, and so on. Offsets count words.
     */
    private static StridedRows.Op rows(WindowedRowCopy copy, int words, int aOffset, int bOffset) {
        if (words == 1) {
            return new WordRows(copy, aOffset, bOffset);
        }
        return (a, aStep, b, bStep, n) -> {
            if (aStep == 1 && bStep == 1) {
                copy.copy((int) a * words + aOffset, 1, (int) b * words + bOffset, 1, (int) n * words);
                return;
            }
            for (int w = 0; w < words; w++) {
                copy.copy(
                        (int) a * words + w + aOffset,
                        (int) aStep * words,
                        (int) b * words + w + bOffset,
                        (int) bStep * words,
                        (int) n);
            }
        };
    }

    /** Copies rows, and blocks of {@code m} rows of {@code n} elements, whose elements have one word. */
    private record WordRows(WindowedRowCopy copy, int aOffset, int bOffset) implements StridedRows.BlockOp {
        @Override
        public void row(long a, long aStep, long b, long bStep, long n) {
            copy.copy((int) a + aOffset, (int) aStep, (int) b + bOffset, (int) bStep, (int) n);
        }

        @Override
        public void block(long a, long aStep, long aAcross, long b, long bStep, long bAcross, long n, long m) {
            if (!copy.copyBlock(
                    (int) a + aOffset, aStep, aAcross, (int) b + bOffset, bStep, bAcross, (int) n, (int) m)) {
                for (long j = 0; j < m; j++) {
                    row(a + j * aAcross, aStep, b + j * bAcross, bStep, n);
                }
            }
        }
    }

    /** Stores elements of fixed size, as words of the carrier. */
    private record WordTarget(
            DataType type, Object array, int offset, long[] shape, long[] strides, AtomicReference<Object> window)
            implements Target {
        WordTarget(DataType type, Object array, int offset, long[] shape) {
            this(type, array, offset, shape.clone(), Shapes.strides(shape), new AtomicReference<>());
        }

        @Override
        public void put(Elements source, long sourceOffset, long[] sourceStrides, Box box) {
            int words = wordsPerElement(type);
            WindowedRowCopy copy = WindowedRowCopy.fromBuffer(
                    type.carrier(), ((Elements.Fixed) source).bytes(), array, box.count() * words, window);
            StridedRows.walk(
                    box, sourceOffset, sourceStrides, box.firstIn(shape), strides, rows(copy, words, 0, offset));
            copy.end();
        }

        @Override
        public void fill(FillValue value, Box box) {
            ByteBuffer fillWords = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            WordBuffer wordBuffer = WordBuffers.of(type.carrier(), array, fillWords);
            int words = wordsPerElement(type);
            long[] noStrides = new long[shape.length]; // every element comes from the one fill value
            StridedRows.walk(box, 0, noStrides, box.firstIn(shape), strides, (a, aStep, b, bStep, n) -> {
                int start = (int) b * words + offset;
                if (bStep == 1) {
                    fillRow(wordBuffer, start, words, (int) n * words);
                    return;
                }
                for (int w = 0; w < words; w++) {
                    wordBuffer.loadStrided(w, 0, start + w, (int) bStep * words, (int) n);
                }
            });
        }
    }

    /** Fills a row by doubling its first element, because array copies are faster than a loop. */
    private static void fillRow(WordBuffer wordBuffer, int start, int words, int n) {
        wordBuffer.load(0, wordBuffer.stridedArray, start, words);
        for (int filled = words; filled < n; filled += Math.min(filled, n - filled)) {
            System.arraycopy(
                    wordBuffer.stridedArray,
                    start,
                    wordBuffer.stridedArray,
                    start + filled,
                    Math.min(filled, n - filled));
        }
    }

    private record StringTarget(String[] array, int offset, long[] shape) implements Target {
        @Override
        public void put(Elements source, long sourceOffset, long[] sourceStrides, Box box) {
            byte[][] values = ((Elements.Variable) source).values();
            ElementWalk.pairs(
                    box,
                    sourceOffset,
                    sourceStrides,
                    shape,
                    (a, b) -> array[offset + b] = new String(values[a], StandardCharsets.UTF_8));
        }

        @Override
        public void fill(FillValue value, Box box) {
            String text = new String(value.bytes(), StandardCharsets.UTF_8);
            ElementWalk.each(box, shape, i -> array[offset + i] = text);
        }
    }

    private record BytesTarget(byte[][] array, int offset, long[] shape) implements Target {
        @Override
        public void put(Elements source, long sourceOffset, long[] sourceStrides, Box box) {
            byte[][] values = ((Elements.Variable) source).values();
            ElementWalk.pairs(box, sourceOffset, sourceStrides, shape, (a, b) -> array[offset + b] = values[a]);
        }

        @Override
        public void fill(FillValue value, Box box) {
            ElementWalk.each(box, shape, i -> array[offset + i] = value.bytes());
        }
    }
}
