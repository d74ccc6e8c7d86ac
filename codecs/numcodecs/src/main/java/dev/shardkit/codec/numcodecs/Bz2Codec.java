package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * The bzip2 format, by Apache Commons Compress. Decoding reads concatenated streams and rejects other bytes after them.
 * Immutable and thread-safe.
 *
 * @param level the block size in units of 100 kB, from 1 to 9
 */
record Bz2Codec(int level) implements BytesToBytesCodec {
    static final String NAME = "numcodecs.bz2";

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
        return Streams.encode(decoded, scratch, NAME, out -> new BZip2CompressorOutputStream(out, level));
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        return Streams.decode(encoded, expected, scratch, NAME, in -> new BZip2CompressorInputStream(in, true));
    }
}
