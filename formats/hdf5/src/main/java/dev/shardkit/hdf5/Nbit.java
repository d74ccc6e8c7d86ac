package dev.shardkit.hdf5;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * HDF5's filter 5, nbit: the used bits of each number one after the other, the most significant bit first. The unused
 * bits decode to zeros. Elements that are arrays are their numbers. Datasets whose numbers use all bits, and those of
 * other types, are stored as they are. Immutable and thread-safe.
 *
 * @param parameters those of the filter, as the file has them
 */
record Nbit(long[] parameters) implements BytesToBytesCodec {
    static final String NAME = "hdf5.nbit";
    static final String PARAMETERS = "parameters";
    /** The number of parameters, whether all bits are stored, and the number of elements of a chunk. */
    private static final int HEAD = 3;

    private static final int NUMBER = 1;
    private static final int ARRAY = 2;
    private static final int RECORD = 3;
    private static final int ALL_PARAMETERS = 5;
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    /** Returns what is wrong with the parameters of a filter; empty if nothing is. */
    static String problem(long[] parameters) {
        if (parameters.length < HEAD) {
            return "nbit with " + parameters.length + " parameters (at least " + HEAD + ")";
        } else if (parameters[1] != 0) {
            return "";
        }
        int at = number(parameters);
        if (at < parameters.length && parameters[at] == RECORD) {
            return "nbit of records (compound types)";
        } else if (at + ALL_PARAMETERS > parameters.length || parameters[at] != NUMBER) {
            return "nbit without the size, byte order, precision and offset of a number in its parameters";
        }
        long size = parameters[at + 1];
        long precision = parameters[at + 3];
        long offset = parameters[at + 4];
        long element = parameters[HEAD + 1];
        if (size < 1
                || size > Long.BYTES
                || parameters[at + 2] > 1
                || precision < 1
                || precision + offset > Byte.SIZE * size
                || element < size
                || element % size != 0
                || parameters[2] > MAX_BYTES / element) {
            return "nbit of " + parameters[2] + " elements of " + element + " bytes, of numbers of " + size
                    + " bytes and byte order " + parameters[at + 2] + " with " + precision + " bits from bit " + offset;
        }
        return "";
    }

    /** Returns the place of the parameters of the number, which follow those of each array that contains it. */
    private static int number(long[] parameters) {
        int at = HEAD;
        while (at < parameters.length && parameters[at] == ARRAY) {
            at += 2;
        }
        return at;
    }

    private boolean keepsAll() {
        return parameters[1] != 0;
    }

    private WordOrder words() {
        int at = number(parameters);
        return new WordOrder((int) parameters[at + 1], parameters[at + 2] == 1);
    }

    private int precision() {
        return (int) parameters[number(parameters) + 3];
    }

    private int offset() {
        return (int) parameters[number(parameters) + 4];
    }

    private long decodedSize() {
        return parameters[2] * parameters[HEAD + 1];
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(PARAMETERS, Json.of(parameters));
    }

    private int encodedBytes() {
        return (int) ((decodedSize() / words().size() * precision() + Byte.SIZE - 1) / Byte.SIZE);
    }

    /** Encodes. Unused bits are lost. */
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
        // HDF5 writes one byte more than it fills.
        byte[] out = new byte[encodedBytes() + 1];
        WordOrder words = words();
        int precision = precision();
        long bit = 0;
        for (int at = in.from(); at < in.to(); at += words.size()) {
            BitStream.put(out, bit, precision, words.get(in.array(), at) >>> offset());
            bit += precision;
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
        if (in.size() < encodedBytes()) {
            throw new CorruptDataException(NAME + ": expected " + encodedBytes() + " bytes, of numbers of "
                    + precision() + " bits, found " + in.size());
        }
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(decodedSize()), decodedSize(), scratch);
        WordOrder words = words();
        int precision = precision();
        int offset = offset();
        long bit = 0;
        for (int at = 0; at < decodedSize(); at += words.size()) {
            words.put(out.array(), at, BitStream.get(in.array(), in.from(), bit, precision) << offset);
            bit += precision;
        }
        out.advance((int) decodedSize());
        return out.borrowed();
    }
}
