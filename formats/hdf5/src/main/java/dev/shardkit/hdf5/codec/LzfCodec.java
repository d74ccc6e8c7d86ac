package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * LZF, HDF5's filter 32000, which h5py adds. An encoding is a sequence of literals (bytes to copy) and matches (a
 * length and a distance of at most 8 KiB back in the output), without a header. This encoder writes literals only, so
 * its encodings are larger than their input. Immutable and thread-safe.
 */
public record LzfCodec() implements BytesToBytesCodec {
    public static final String NAME = "hdf5.lzf";
    /** The most literals in a row. A control byte below this value is the number of literals minus one. */
    private static final int MAX_LITERALS = 32;
    /**
     * The highest three bits of a control byte are the length of a match. With this value, another byte of the length
     * follows.
     */
    private static final int LENGTH_BYTE_FOLLOWS = 7;

    /** The number that is added to the encoded length of a match. */
    private static final int MIN_MATCH = 2;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        byte[] output = new byte[input.size() + (input.size() + MAX_LITERALS - 1) / MAX_LITERALS];
        int target = 0;
        for (int offset = input.from(); offset < input.to(); offset += MAX_LITERALS) {
            int length = Math.min(MAX_LITERALS, input.to() - offset);
            output[target++] = (byte) (length - 1);
            System.arraycopy(input.array(), offset, output, target, length);
            target += length;
        }
        return Bytes.of(output);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput output = CodecOutput.decoding(expected, 4L * input.size() + 1, scratch);
        byte[] bytes = input.array();
        int offset = input.from();
        while (offset < input.to()) {
            int control = bytes[offset++] & 0xff;
            if (control < MAX_LITERALS) {
                int length = control + 1;
                if (length > input.to() - offset) {
                    throw corrupt(length + " literals", (input.to() - offset) + " bytes", output);
                }
                ensureCapacity(output, length, expected);
                System.arraycopy(bytes, offset, output.array(), output.size(), length);
                output.advance(length);
                offset += length;
                continue;
            }
            boolean hasLengthByte = control >> 5 == LENGTH_BYTE_FOLLOWS;
            if (input.to() - offset < (hasLengthByte ? 2 : 1)) {
                throw corrupt("a match", "the end", output);
            }
            int length = (control >> 5) + MIN_MATCH + (hasLengthByte ? bytes[offset++] & 0xff : 0);
            int distance = ((control & 31) << 8 | bytes[offset++] & 0xff) + 1;
            if (distance > output.size()) {
                throw corrupt("a match within the bytes before it", "one " + distance + " bytes back", output);
            }
            ensureCapacity(output, length, expected);
            copy(output, distance, length);
        }
        expected.check(output.size(), NAME + " decoded");
        return output.borrowed();
    }

    private static void ensureCapacity(CodecOutput output, int length, DecodedSize expected) {
        while (output.capacity() - output.size() < length) {
            if (!output.grow()) {
                throw CodecOutput.tooMuch(expected, NAME);
            }
        }
    }

    /** Copies earlier output. If source and target overlap, copies byte by byte, so that bytes repeat. */
    private static void copy(CodecOutput output, int distance, int length) {
        byte[] array = output.array();
        int target = output.size();
        if (distance >= length) {
            System.arraycopy(array, target - distance, array, target, length);
        } else {
            for (int i = 0; i < length; i++) {
                array[target + i] = array[target + i - distance];
            }
        }
        output.advance(length);
    }

    private static CorruptDataException corrupt(String expected, String found, CodecOutput output) {
        return new CorruptDataException(
                NAME + ": expected " + expected + ", found " + found + ", after " + output.size() + " decoded bytes");
    }
}
