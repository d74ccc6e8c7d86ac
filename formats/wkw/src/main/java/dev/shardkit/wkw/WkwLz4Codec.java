package dev.shardkit.wkw;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/** A single LZ4 block without a header, so its decoded size must be known. Immutable and thread-safe. */
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
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        byte[] out = scratch.borrow(Math.toIntExact(Lz4Encoder.most(in.size())));
        int size = new Lz4Encoder().encode(in.array(), in.from(), in.size(), out, 0, out.length, 1);
        return Bytes.of(Arrays.copyOf(out, size));
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return Lz4Encoder.most(decodedSize);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput out = CodecOutput.decoding(expected, expected.most(), scratch);
        int room = Math.toIntExact(expected.most());
        out.advance(Lz4Decoder.decode(in.array(), in.from(), in.size(), out.array(), 0, room));
        expected.check(out.size(), NAME + " decoded");
        return out.borrowed();
    }
}
