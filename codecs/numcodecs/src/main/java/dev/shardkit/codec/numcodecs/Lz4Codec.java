package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
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
import java.util.Arrays;

/**
 * The codec {@code numcodecs.lz4}: the decoded size as a little-endian 32-bit integer, then one LZ4 block. Does not
 * support the LZ4 frame format. Immutable and thread-safe.
 *
 * @param acceleration at least 1; larger values encode faster and compress less
 */
record Lz4Codec(int acceleration) implements BytesToBytesCodec {
    static final String NAME = "numcodecs.lz4";
    /** The size of the decoded size. */
    private static final int HEADER = 4;
    /** The largest expansion of an LZ4 block: each byte of a match length stands for 255 bytes. */
    private static final long MAX_EXPANSION = 255;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("acceleration", Json.of(acceleration));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        long maximum = HEADER + Lz4Encoder.maxEncodedSize(in.size());
        if (maximum > Integer.MAX_VALUE - 8) { // the largest array that all JVMs support
            throw new UnsupportedException(NAME + ": the encoding of " + in.size() + " bytes may exceed a Java array");
        }
        byte[] out = scratch.borrow((int) maximum);
        Words.int32(out, 0, in.size());
        Lz4Encoder encoder = scratch.state(KeptEncoder.class, () -> new KeptEncoder(new Lz4Encoder()))
                .encoder();
        int size = encoder.encode(in.array(), in.from(), in.size(), out, HEADER, (int) maximum - HEADER, acceleration);
        return Bytes.of(Arrays.copyOf(out, HEADER + size));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        if (in.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 4 bytes, found " + in.size());
        }
        long claimed = Words.int32(in.array(), in.from()) & 0xffffffffL;
        expected.check(claimed, NAME + " header");
        int body = in.size() - HEADER;
        if (claimed > MAX_EXPANSION * body) {
            throw new CorruptDataException(NAME + ": expected an encoding of " + claimed + " bytes, found " + body
                    + ", which cannot hold them");
        }
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(claimed), claimed + 1, scratch);
        int size = Lz4Decoder.decode(in.array(), in.from() + HEADER, body, out.array(), 0, (int) claimed);
        if (size != claimed) {
            throw new CorruptDataException(NAME + " decoded: expected " + claimed + " bytes, found " + size);
        }
        out.advance(size);
        return out.borrowed();
    }

    /** An encoder that a worker keeps in its {@link Scratch} from chunk to chunk. */
    private record KeptEncoder(Lz4Encoder encoder) implements AutoCloseable {
        @Override
        public void close() {}
    }
}
