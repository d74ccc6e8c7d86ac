package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * HDF5's filter 6, scaleoffset. An encoded chunk consists of the number of bits of each difference, the minimum of all
 * elements, and the difference of each element from the minimum, the most significant bit first. Floating-point numbers
 * are first multiplied by a power of ten and rounded (D-scale). The largest difference stands for the fill value. This
 * encoder does not compress: it stores all bits of each element. Immutable and thread-safe.
 *
 * @param parameters the parameters of the filter, as stored in the file: the type of the scale; the power of ten, or
 *     for integers the number of bits; the number of elements of a chunk; the class (0 integer, 1 floating-point); the
 *     size of an element; the sign; the byte order (1 big-endian); whether there is a fill value; its bits in two
 *     numbers of 32 bits
 */
public record ScaleOffset(long[] parameters) implements BytesToBytesCodec {
    public static final String NAME = "hdf5.scaleoffset";
    public static final String PARAMETERS = "parameters";
    /**
     * The size of the header: the number of bits of a difference (4 bytes), the size of the minimum (1 byte), and the
     * minimum (16 bytes).
     */
    private static final int HEADER = 21;

    // The indices of the parameters that are used.
    private static final int SCALE_TYPE = 0;
    private static final int SCALE_FACTOR = 1;
    private static final int COUNT = 2;
    private static final int CLASS = 3;
    private static final int SIZE = 4;
    private static final int BYTE_ORDER = 6;
    private static final int HAS_FILL = 7;
    /** The offset of the minimum in the header of a chunk. */
    private static final int MIN_OFFSET = 5;
    /** The index of the first parameter with the fill value. */
    private static final int FILL_PARAMETER = 8;

    // Types of scale: powers of ten for floating-point numbers, and integers.
    private static final int D_SCALE = 0;
    private static final int INTEGER_SCALE = 2;

    /** Returns a description of the problem with parameters; empty if they are supported. */
    public static String problem(long[] parameters) {
        if (parameters.length < FILL_PARAMETER + 2) {
            return "scaleoffset with " + parameters.length + " parameters (at least " + (FILL_PARAMETER + 2) + ")";
        }
        boolean isReal = parameters[CLASS] == 1;
        long size = parameters[SIZE];
        boolean isSize = size == 4 || size == 8 || !isReal && (size == 1 || size == 2);
        if (parameters[SCALE_TYPE] != (isReal ? D_SCALE : INTEGER_SCALE) || parameters[CLASS] > 1 || !isSize) {
            return "scaleoffset of scale type " + parameters[SCALE_TYPE] + " for elements of class " + parameters[CLASS]
                    + " and " + size + " bytes (only integers, and floating-point numbers with D-scale)";
        }
        return "";
    }

    private int size() {
        return (int) parameters[SIZE];
    }

    private boolean isReal() {
        return parameters[CLASS] == 1;
    }

    private boolean isBig() {
        return parameters[BYTE_ORDER] == 1;
    }

    /**
     * Returns whether the filter stores integers with all their bits. It then leaves chunks unchanged, without header.
     */
    private boolean keepsAllBits() {
        return !isReal() && parameters[SCALE_FACTOR] == 8L * size();
    }

    private long decodedSize() {
        return parameters[COUNT] * size();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(PARAMETERS, Json.of(parameters));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        if (keepsAllBits()) {
            return decoded.copy();
        }
        if (decoded.size() != decodedSize()) {
            throw new UnsupportedException(NAME + ": its parameters are those of chunks of " + decodedSize()
                    + " bytes, found a chunk of " + decoded.size());
        }
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        byte[] output = new byte[HEADER + input.size()];
        output[0] = (byte) (8 * size());
        output[4] = Long.BYTES; // the size of the minimum, which is 0 and not used if all bits are stored
        WordOrder wordOrder = new WordOrder(size(), isBig());
        WordOrder littleEndian = new WordOrder(size(), false);
        for (int offset = 0; offset < input.size(); offset += size()) {
            littleEndian.put(output, HEADER + offset, wordOrder.get(input.array(), input.from() + offset));
        }
        return Bytes.of(output);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (keepsAllBits()) {
            expected.check(encoded.size(), NAME + " decoded");
            return encoded;
        }
        expected.check(decodedSize(), NAME + " of " + parameters[COUNT] + " elements");
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        long bits = input.size() < HEADER ? -1 : Words.int32(input.array(), input.from()) & 0xffffffffL;
        long minSize = HEADER + (parameters[COUNT] * bits + 7) / 8;
        if (bits < 0 || bits > 8L * size() || input.size() < minSize) {
            throw new CorruptDataException(NAME + ": expected " + parameters[COUNT] + " elements of at most "
                    + 8 * size() + " bits after a header of " + HEADER + " bytes, found " + input.size()
                    + " bytes for elements of " + bits + " bits");
        }
        CodecOutput output = CodecOutput.decoding(DecodedSize.exactly(decodedSize()), decodedSize(), scratch);
        decodeElements(input, (int) bits, output.array());
        output.advance((int) decodedSize());
        return output.borrowed();
    }

    /** Decodes all elements. {@code bits} is the number of bits of a difference. */
    private void decodeElements(HeapBytes input, int bits, byte[] output) {
        int start = input.from() + HEADER;
        // elements that need all bits are stored themselves, not as differences
        boolean hasAllBits = bits == 8 * size();
        long min = readMin(input);
        boolean hasFill = parameters[HAS_FILL] == 1;
        long fill = parameters[FILL_PARAMETER] | parameters[FILL_PARAMETER + 1] << Integer.SIZE;
        long fillDifference = (1L << bits) - 1;
        WordOrder wordOrder = new WordOrder(size(), isBig());
        WordOrder littleEndian = new WordOrder(size(), false);
        double scale = Math.pow(10, (int) parameters[SCALE_FACTOR]);
        for (int i = 0; i < parameters[COUNT]; i++) {
            long word;
            if (hasAllBits) {
                word = littleEndian.get(input.array(), start + i * size());
            } else {
                long difference = BitStream.get(input.array(), start, (long) i * bits, bits);
                if (hasFill && difference == fillDifference) {
                    word = fill;
                } else {
                    word = isReal() ? decodeReal(difference, min, scale) : difference + min;
                }
            }
            wordOrder.put(output, i * size(), word);
        }
    }

    /** Returns the minimum. Its size depends on the machine of the writer, which stores its largest integer type. */
    private static long readMin(HeapBytes input) {
        long min = 0;
        int size = Math.min(Long.BYTES, input.array()[input.from() + 4] & 0xff);
        for (int i = size; i-- > 0; ) {
            min = min << Byte.SIZE | input.array()[input.from() + MIN_OFFSET + i] & 0xff;
        }
        return min;
    }

    /** Decodes a floating-point number. Computes floats in single precision, as HDF5 does, to get the same bits. */
    private long decodeReal(long difference, long min, double scale) {
        return size() == Float.BYTES
                ? Float.floatToRawIntBits((int) difference / (float) scale + Float.intBitsToFloat((int) min))
                : Double.doubleToRawLongBits(difference / scale + Double.longBitsToDouble(min));
    }
}
