package dev.shardkit.codec.zstd;

import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.ZstdDecoder;
import dev.shardkit.codec.zstd.frame.ZstdEncoder;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Zstandard (Zarr extension codec {@code zstd}, RFC 8878) in pure Java.
 *
 * <p>Reads frames of any level, with and without content size and checksum, several frames one after the other, and
 * windows of any size that zstd itself accepts; skippable frames are skipped. A frame that needs a dictionary is an
 * {@link dev.shardkit.spi.error.UnsupportedException}, as Zarr has no place for one.
 *
 * <p>Writes one frame with its content size, a checksum if {@code checksum} says so, and a window of 8 MiB at most
 * (from level 5 on what repeats more than 512 KiB later is seldom found). {@code level} says how hard matches are
 * looked for: below 0 quickly, 1 and 2 in one place, 3 (also 0) and 4 in two, from 5 on in ever more; from 12 on all
 * are the same, and frames are longer than those of zstd at such levels.
 *
 * <p>Immutable and thread-safe.
 */
public final class ZstdCodec implements BytesToBytesCodec {
    /** The name in the metadata. */
    public static final String NAME = "zstd";

    /** The lowest level. */
    public static final int LOWEST_LEVEL = -131072;

    /** The highest level. */
    public static final int HIGHEST_LEVEL = 22;

    private final int level;
    private final boolean checksum;

    private ZstdCodec(int level, boolean checksum) {
        if (level < LOWEST_LEVEL || level > HIGHEST_LEVEL) {
            throw new IllegalArgumentException(
                    "zstd level must be from " + LOWEST_LEVEL + " to " + HIGHEST_LEVEL + ", not " + level);
        }
        this.level = level;
        this.checksum = checksum;
    }

    /** A codec of {@code level} whose metadata asks for no checksum. */
    public static ZstdCodec ofLevel(int level) {
        return new ZstdCodec(level, false);
    }

    /** The same, with metadata that ask for a checksum. */
    public ZstdCodec withChecksum() {
        return new ZstdCodec(level, true);
    }

    /** The level in the metadata. */
    public int level() {
        return level;
    }

    /** Whether the metadata ask for a checksum. */
    public boolean checksum() {
        return checksum;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        // Both, always: readers are about that omit the default of neither.
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("level", Json.of(level));
        members.put("checksum", Json.of(checksum));
        return new Json.Obj(members);
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        return ZstdEncoder.write(in, level, checksum ? Trailer.CHECKSUM : Trailer.NOTHING, scratch);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        return ZstdDecoder.read(HeapBytes.of(encoded, scratch, NAME), expected, scratch);
    }

    /** Stops where {@code part} ends; but a frame with a checksum is decoded whole, so that it can be checked. */
    @Override
    public Bytes decodePart(Bytes encoded, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        return ZstdDecoder.readPart(HeapBytes.of(encoded, scratch, NAME), expected, part, scratch);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ZstdCodec z && level == z.level && checksum == z.checksum;
    }

    @Override
    public int hashCode() {
        return 2 * level + (checksum ? 1 : 0);
    }

    @Override
    public String toString() {
        return NAME + configuration();
    }
}
