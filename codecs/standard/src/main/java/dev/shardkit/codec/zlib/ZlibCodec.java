package dev.shardkit.codec.zlib;

import dev.shardkit.codec.support.JdkDeflate;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Output;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;

/**
 * The zlib format (RFC 1950), known to zarr-python as {@code numcodecs.zlib}: what HDF5 calls deflate. Reads one
 * stream, whose Adler-32 is checked and behind which nothing may follow; preset dictionaries are refused. Not the gzip
 * file format, which is the codec {@code gzip}. Immutable and thread-safe.
 *
 * @param level 0 (stored) to 9 (smallest), or -1 for the library's own choice
 */
public record ZlibCodec(int level) implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "numcodecs.zlib";

    /** The lowest level: the library chooses. */
    static final int LOWEST_LEVEL = -1;

    /** The highest level. */
    static final int HIGHEST_LEVEL = 9;

    private static final String ZLIB = "zlib";

    /** Refuses other levels. */
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
        Output out = JdkDeflate.room(in.size(), scratch);
        JdkDeflate.ZLIB.encode(in, level, out, ZLIB, scratch);
        return out.copy();
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        Output out = JdkDeflate.room(in, expected, ZLIB, scratch);
        int behind = JdkDeflate.ZLIB.decode(in, in.from(), out, expected, ZLIB, scratch);
        if (behind > 0) {
            throw new CorruptDataException("zlib: expected nothing behind the stream, found " + behind + " bytes");
        }
        expected.check(out.size(), "zlib decoded");
        return out.borrowed();
    }
}
