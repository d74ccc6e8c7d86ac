package dev.shardkit.codec.bzip2;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * The codec {@code numcodecs.bz2}: the bzip2 format, in plain Java. No library is used, because the encoder of
 * aircompressor takes seconds for repetitive blocks, and Commons Compress weighs 2.4 MB with its dependencies. Decoding
 * reads concatenated streams and rejects other bytes after them. Immutable and thread-safe.
 *
 * @param level the block size in units of 100 kB, from 1 to 9
 */
public record Bz2Codec(int level) implements BytesToBytesCodec {
    public static final String NAME = "numcodecs.bz2";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("level", Json.of(level));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        return Bytes.of(Bz2Encoder.encode(HeapBytes.of(decoded, scratch, NAME), level));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput out = CodecOutput.decoding(
                DecodedSize.atMost(expected.maxBytes()), Math.min(expected.maxBytes() + 1, 4L * in.size()), scratch);
        new Bz2Decoder(in, expected, out).decode();
        expected.check(out.size(), NAME + " decoded");
        return out.borrowed();
    }
}
