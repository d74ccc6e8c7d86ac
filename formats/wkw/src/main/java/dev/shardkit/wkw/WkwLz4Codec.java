package dev.shardkit.wkw;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * The codec {@code wkw.lz4}, with which webknossos-wrap compresses the blocks of a cube: a single LZ4 block without a
 * header. The decoder must know the decoded size. Immutable and thread-safe.
 */
record WkwLz4Codec() implements BytesToBytesCodec {
    static final String NAME = "wkw.lz4";

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
        byte[] output = scratch.borrow(Math.toIntExact(Lz4Encoder.maxEncodedSize(input.size())));
        int size = new Lz4Encoder().encode(input.array(), input.from(), input.size(), output, 0, output.length, 1);
        return Bytes.of(Arrays.copyOf(output, size));
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return Lz4Encoder.maxEncodedSize(decodedSize);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput output = CodecOutput.decoding(expected, expected.maxBytes(), scratch);
        int decodedSize = Math.toIntExact(expected.maxBytes());
        output.advance(Lz4Decoder.decode(input.array(), input.from(), input.size(), output.array(), 0, decodedSize));
        expected.check(output.size(), NAME + " decoded");
        return output.borrowed();
    }
}
