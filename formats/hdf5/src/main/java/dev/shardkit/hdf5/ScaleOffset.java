package dev.shardkit.hdf5;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * HDF5's filter 6, scaleoffset: the number of bits of an element, the minimum, and the differences from it in so many
 * bits each, the most significant bit first. Floating-point numbers are scaled by a power of ten before (D-scale). The
 * largest difference stands for the fill value. Encodes with all bits. Immutable and thread-safe.
 *
 * @param parameters those of the filter, as the file has them
 */
record ScaleOffset(long[] parameters) implements BytesToBytesCodec {
    static final String NAME = "hdf5.scaleoffset";
    static final String PARAMETERS = "parameters";
    /** The bits of an element in 4 bytes, the size of the minimum, and room for the minimum. */
    private static final int HEADER = 21;

    private static final int MIN_AT = 5;
    private static final int FILL_AT = 8;
    private static final int D_SCALE = 0;
    private static final int OF_INTEGERS = 2;

    /** Returns what is wrong with the parameters of a filter; empty if nothing is. */
    static String problem(long[] parameters) {
        if (parameters.length < FILL_AT + 2) {
            return "scaleoffset with " + parameters.length + " parameters (at least " + (FILL_AT + 2) + ")";
        }
        boolean isReal = parameters[3] == 1;
        long size = parameters[4];
        boolean isSize = size == 4 || size == 8 || !isReal && (size == 1 || size == 2);
        if (parameters[0] != (isReal ? D_SCALE : OF_INTEGERS) || parameters[3] > 1 || !isSize) {
            return "scaleoffset of scale type " + parameters[0] + " for elements of class " + parameters[3] + " and "
                    + size + " bytes (only integers, and floating-point numbers with D-scale)";
        }
        return "";
    }

    private int size() {
        return (int) parameters[4];
    }

    private boolean isReal() {
        return parameters[3] == 1;
    }

    private boolean isBig() {
        return parameters[6] == 1;
    }

    /** Returns whether the filter was told to keep all bits of integers, and then does nothing. */
    private boolean keepsAll() {
        return !isReal() && parameters[1] == 8L * size();
    }

    private long decodedSize() {
        return parameters[2] * size();
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
        if (keepsAll()) {
            return decoded.copy();
        }
        if (decoded.size() != decodedSize()) {
            throw new UnsupportedException(NAME + ": its parameters are those of chunks of " + decodedSize()
                    + " bytes, found a chunk of " + decoded.size());
        }
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        byte[] out = new byte[HEADER + in.size()];
        out[0] = (byte) (8 * size());
        out[4] = Long.BYTES;
        WordOrder own = new WordOrder(size(), isBig());
        WordOrder little = new WordOrder(size(), false);
        for (int at = 0; at < in.size(); at += size()) {
            little.put(out, HEADER + at, own.get(in.array(), in.from() + at));
        }
        return Bytes.of(out);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (keepsAll()) {
            expected.check(encoded.size(), NAME + " decoded");
            return encoded;
        }
        expected.check(decodedSize(), NAME + " of " + parameters[2] + " elements");
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        long bits = in.size() < HEADER ? -1 : Words.int32(in.array(), in.from()) & 0xffffffffL;
        long needed = HEADER + (parameters[2] * bits + 7) / 8;
        if (bits < 0 || bits > 8L * size() || in.size() < needed) {
            throw new CorruptDataException(NAME + ": expected " + parameters[2] + " elements of at most " + 8 * size()
                    + " bits after a header of " + HEADER + " bytes, found " + in.size() + " bytes for elements of "
                    + bits + " bits");
        }
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(decodedSize()), decodedSize(), scratch);
        elements(in, (int) bits, out.array());
        out.advance((int) decodedSize());
        return out.borrowed();
    }

    private void elements(HeapBytes in, int bits, byte[] out) {
        int start = in.from() + HEADER;
        boolean isWhole = bits == 8 * size();
        long min = min(in);
        boolean hasFill = parameters[7] == 1;
        long fill = parameters[FILL_AT] | parameters[FILL_AT + 1] << Integer.SIZE;
        long ofFill = (1L << bits) - 1;
        WordOrder own = new WordOrder(size(), isBig());
        WordOrder little = new WordOrder(size(), false);
        double scale = Math.pow(10, (int) parameters[1]);
        for (int i = 0; i < parameters[2]; i++) {
            long word;
            if (isWhole) {
                word = little.get(in.array(), start + i * size());
            } else {
                long difference = BitStream.get(in.array(), start, (long) i * bits, bits);
                word = hasFill && difference == ofFill
                        ? fill
                        : isReal() ? real(difference, min, scale) : difference + min;
            }
            own.put(out, i * size(), word);
        }
    }

    /** Returns the minimum; its size is that of the writer's largest integer. */
    private static long min(HeapBytes in) {
        long min = 0;
        int size = Math.min(Long.BYTES, in.array()[in.from() + 4] & 0xff);
        for (int i = size; i-- > 0; ) {
            min = min << Byte.SIZE | in.array()[in.from() + MIN_AT + i] & 0xff;
        }
        return min;
    }

    /** Returns the bits of a number, computed in its own type as HDF5 does. */
    private long real(long difference, long min, double scale) {
        return size() == Float.BYTES
                ? Float.floatToRawIntBits((int) difference / (float) scale + Float.intBitsToFloat((int) min))
                : Double.doubleToRawLongBits(difference / scale + Double.longBitsToDouble(min));
    }
}
