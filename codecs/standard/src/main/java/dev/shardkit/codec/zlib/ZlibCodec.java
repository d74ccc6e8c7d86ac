package dev.shardkit.codec.zlib;

import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;

/**
 * The zlib format (RFC 1950), which zarr-python calls {@code numcodecs.zlib} and HDF5 calls deflate. Decoding reads one
 * stream and checks its Adler-32. It rejects bytes after the stream and preset dictionaries. Does not support the gzip
 * file format; the codec {@code gzip} does. Immutable and thread-safe.
 *
 * @param level the compression level, from 0 (stored) to 9 (smallest), or -1 for the JDK's default
 */
public record ZlibCodec(int level) implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "numcodecs.zlib";

    /** The lowest number of a level, which means the JDK's default level. */
    static final int LOWEST_LEVEL = -1;

    /** The highest level. */
    static final int HIGHEST_LEVEL = 9;

    /** The name in errors. */
    private static final String ZLIB = "zlib";

    /** Rejects other levels. */
    public ZlibCodec {
        if (level < LOWEST_LEVEL || level > HIGHEST_LEVEL) {
            throw new IllegalArgumentException("zlib level must be from -1 to 9, not " + level);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return new Json.Obj(Map.of("level", Json.of(level)));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        CodecOutput out = DeflateFormat.room(in.size(), scratch);
        DeflateFormat.ZLIB.encode(in, level, out, ZLIB, scratch);
        return out.copy();
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput out = DeflateFormat.room(in, expected, ZLIB, scratch);
        int trailingBytes = in.to() - DeflateFormat.ZLIB.decode(in, in.from(), out, expected, ZLIB, scratch);
        if (trailingBytes > 0) {
            throw new CorruptDataException("zlib: expected no bytes after the stream, found " + trailingBytes);
        }
        expected.check(out.size(), "zlib decoded");
        return out.borrowed();
    }
}
