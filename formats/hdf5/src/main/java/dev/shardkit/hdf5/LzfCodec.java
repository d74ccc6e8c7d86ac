package dev.shardkit.hdf5;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * LZF, HDF5's filter 32000, which h5py brings: a stream of literals and of matches up to 8 KiB back, without a header.
 * Encodes literals only, so encodings are larger than their input. Immutable and thread-safe.
 */
record LzfCodec() implements BytesToBytesCodec {
    static final String NAME = "hdf5.lzf";
    /** A first byte below this one is a number of literals, less one. */
    private static final int MAX_LITERALS = 32;
    /** The three bits that mean that a byte of the length follows. */
    private static final int MORE = 7;

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
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        byte[] out = new byte[in.size() + (in.size() + MAX_LITERALS - 1) / MAX_LITERALS];
        int to = 0;
        for (int at = in.from(); at < in.to(); at += MAX_LITERALS) {
            int n = Math.min(MAX_LITERALS, in.to() - at);
            out[to++] = (byte) (n - 1);
            System.arraycopy(in.array(), at, out, to, n);
            to += n;
        }
        return Bytes.of(out);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput out = CodecOutput.decoding(expected, 4L * in.size() + 1, scratch);
        byte[] bytes = in.array();
        int at = in.from();
        while (at < in.to()) {
            int first = bytes[at++] & 0xff;
            if (first < MAX_LITERALS) {
                int n = first + 1;
                if (n > in.to() - at) {
                    throw corrupt(n + " literals", (in.to() - at) + " bytes", out);
                }
                room(out, n, expected);
                System.arraycopy(bytes, at, out.array(), out.size(), n);
                out.advance(n);
                at += n;
                continue;
            }
            boolean more = first >> 5 == MORE;
            if (in.to() - at < (more ? 2 : 1)) {
                throw corrupt("a match", "the end", out);
            }
            int n = (first >> 5) + MIN_MATCH + (more ? bytes[at++] & 0xff : 0);
            int distance = ((first & 31) << 8 | bytes[at++] & 0xff) + 1;
            if (distance > out.size()) {
                throw corrupt("a match within the bytes before it", "one " + distance + " bytes back", out);
            }
            room(out, n, expected);
            copy(out, distance, n);
        }
        expected.check(out.size(), NAME + " decoded");
        return out.borrowed();
    }

    private static void room(CodecOutput out, int n, DecodedSize expected) {
        while (out.capacity() - out.size() < n) {
            if (!out.grow()) {
                throw CodecOutput.tooMuch(expected, NAME);
            }
        }
    }

    /** Copies byte by byte if source and destination overlap: the bytes repeat. */
    private static void copy(CodecOutput out, int distance, int n) {
        byte[] array = out.array();
        int to = out.size();
        if (distance >= n) {
            System.arraycopy(array, to - distance, array, to, n);
        } else {
            for (int i = 0; i < n; i++) {
                array[to + i] = array[to + i - distance];
            }
        }
        out.advance(n);
    }

    private static CorruptDataException corrupt(String expected, String found, CodecOutput out) {
        return new CorruptDataException(
                NAME + ": expected " + expected + ", found " + found + ", after " + out.size() + " decoded bytes");
    }
}
