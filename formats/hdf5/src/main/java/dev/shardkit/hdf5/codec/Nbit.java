package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * HDF5's filter 5, nbit: stores only the used bits of each number, one number after the other, the most significant bit
 * first. Unused bits decode to zeros. An element that is an array is stored as the numbers in it. Datasets whose
 * numbers use all bits are stored unchanged, and so are datasets of other types. Immutable and thread-safe.
 *
 * @param parameters the parameters of the filter, as stored in the file: the number of parameters; 1 if all bits are
 *     stored, else 0; the number of elements of a chunk; for each array around the number, the class 2 and the size of
 *     the array; for the number, the class 1, size, byte order, precision (the number of used bits) and offset (the
 *     lowest used bit)
 */
public record Nbit(long[] parameters) implements BytesToBytesCodec {
    public static final String NAME = "hdf5.nbit";
    public static final String PARAMETERS = "parameters";
    /**
     * The number of leading parameters: the number of parameters, whether all bits are stored, and the number of
     * elements of a chunk.
     */
    private static final int HEAD = 3;

    // The classes of types in the parameters.
    private static final int NUMBER = 1;

    private static final int ARRAY = 2;
    private static final int RECORD = 3;
    /** The number of parameters of a number: class, size, byte order, precision and offset. */
    private static final int ALL_PARAMETERS = 5;

    /** The maximum decoded size of a chunk. */
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    /** Returns a description of the problem with parameters; empty if they are supported. */
    public static String problem(long[] parameters) {
        if (parameters.length < HEAD) {
            return "nbit with " + parameters.length + " parameters (at least " + HEAD + ")";
        } else if (parameters[1] != 0) {
            return ""; // the filter stores chunks unchanged, so other parameters do not matter
        }
        int index = numberIndex(parameters);
        if (index < parameters.length && parameters[index] == RECORD) {
            return "nbit of records (compound types)";
        } else if (index + ALL_PARAMETERS > parameters.length || parameters[index] != NUMBER) {
            return "nbit without the size, byte order, precision and offset of a number in its parameters";
        }
        long size = parameters[index + 1];
        long precision = parameters[index + 3];
        long offset = parameters[index + 4];
        long element = parameters[HEAD + 1]; // the size of an element: of the outermost array, or of the number
        if (size < 1
                || size > Long.BYTES
                || parameters[index + 2] > 1
                || precision < 1
                || precision + offset > Byte.SIZE * size
                || element < size
                || element % size != 0
                || parameters[2] > MAX_BYTES / element) {
            return "nbit of " + parameters[2] + " elements of " + element + " bytes, of numbers of " + size
                    + " bytes and byte order " + parameters[index + 2] + " with " + precision + " bits from bit "
                    + offset;
        }
        return "";
    }

    /**
     * Returns the index at which the parameters of the number start. They follow those of the arrays around the number.
     */
    private static int numberIndex(long[] parameters) {
        int index = HEAD;
        while (index < parameters.length && parameters[index] == ARRAY) {
            index += 2;
        }
        return index;
    }

    private boolean storesAllBits() {
        return parameters[1] != 0;
    }

    private WordOrder wordOrder() {
        int index = numberIndex(parameters);
        return new WordOrder((int) parameters[index + 1], parameters[index + 2] == 1);
    }

    private int precision() {
        return (int) parameters[numberIndex(parameters) + 3];
    }

    private int offset() {
        return (int) parameters[numberIndex(parameters) + 4];
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

    /** Returns the size of an encoded chunk. */
    private int encodedBytes() {
        return (int) ((decodedSize() / wordOrder().size() * precision() + Byte.SIZE - 1) / Byte.SIZE);
    }

    /** Encodes the used bits of each number. Unused bits are lost. */
    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        if (storesAllBits()) {
            return decoded.copy();
        }
        if (decoded.size() != decodedSize()) {
            throw new UnsupportedException(NAME + ": its parameters are those of chunks of " + decodedSize()
                    + " bytes, found a chunk of " + decoded.size());
        }
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        // HDF5 writes one byte more than needed, so this encoder does so, too.
        byte[] output = new byte[encodedBytes() + 1];
        WordOrder wordOrder = wordOrder();
        int precision = precision();
        long bit = 0;
        for (int index = input.from(); index < input.to(); index += wordOrder.size()) {
            BitStream.put(output, bit, precision, wordOrder.get(input.array(), index) >>> offset());
            bit += precision;
        }
        return Bytes.of(output);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (storesAllBits()) {
            expected.check(encoded.size(), NAME + " decoded");
            return encoded;
        }
        expected.check(decodedSize(), NAME + " of " + parameters[2] + " elements");
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        if (input.size() < encodedBytes()) {
            throw new CorruptDataException(NAME + ": expected " + encodedBytes() + " bytes, of numbers of "
                    + precision() + " bits, found " + input.size());
        }
        CodecOutput output = CodecOutput.decoding(DecodedSize.exactly(decodedSize()), decodedSize(), scratch);
        WordOrder wordOrder = wordOrder();
        int precision = precision();
        int offset = offset();
        long bit = 0;
        for (int index = 0; index < decodedSize(); index += wordOrder.size()) {
            wordOrder.put(output.array(), index, BitStream.get(input.array(), input.from(), bit, precision) << offset);
            bit += precision;
        }
        output.advance((int) decodedSize());
        return output.borrowed();
    }
}
