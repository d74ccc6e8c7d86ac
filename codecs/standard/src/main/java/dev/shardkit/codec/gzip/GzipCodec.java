package dev.shardkit.codec.gzip;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;

/**
 * The gzip file format (Zarr v3 codec {@code gzip}, RFC 1952). Decoding accepts any number of members with any header
 * fields. It checks every checksum and length and rejects bytes after the last member, even zeros. Encoding uses the
 * JDK's Deflater and writes one member with modification time 0, so equal bytes give equal encodings (on the same JDK).
 * Immutable and thread-safe.
 *
 * @param level the compression level, from 0 (stored) to 9 (smallest)
 */
public record GzipCodec(int level) implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "gzip";

    /** The highest level. */
    public static final int HIGHEST_LEVEL = 9;

    /** Rejects other levels. */
    public GzipCodec {
        if (level < 0 || level > HIGHEST_LEVEL) {
            throw new IllegalArgumentException("gzip level must be from 0 to 9, not " + level);
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
        return GzipWriter.write(HeapBytes.of(decoded, scratch, NAME), level, scratch);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        return GzipReader.read(HeapBytes.of(encoded, scratch, NAME), expected, scratch);
    }
}
