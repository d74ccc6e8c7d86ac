package dev.shardkit.codec.zstd;

import dev.shardkit.codec.zstd.decoder.ZstdDecoder;
import dev.shardkit.codec.zstd.encoder.ZstdEncoder;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Zstandard (Zarr extension codec {@code zstd}, RFC 8878) in pure Java.
 *
 * <p>Decoding supports frames of any level, with or without content size and checksum, consecutive frames, skippable
 * frames, and windows of any size that zstd itself accepts. A frame that needs a dictionary causes an
 * {@link dev.shardkit.spi.error.UnsupportedException}, because Zarr has no dictionaries.
 *
 * <p>Encoding writes one frame with its content size, with a checksum if {@code checksum} is set, and with a window of
 * at most 8 MiB (from level 5 on, it rarely finds repetitions that are more than 512 KiB apart). {@code level} selects
 * the search effort. Below 0 the search skips positions. Levels 1 and 2 check one earlier position for each match, 0, 3
 * and 4 check two, and 5 to 11 check increasingly many. Levels from 12 on search like level 11, and their frames are
 * larger than the frames of zstd at these levels.
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

    /** Creates a codec of {@code level} without a checksum. */
    public static ZstdCodec ofLevel(int level) {
        return new ZstdCodec(level, false);
    }

    /** Returns this codec with a checksum. */
    public ZstdCodec withChecksum() {
        return new ZstdCodec(level, true);
    }

    /** Returns the level in the metadata. */
    public int level() {
        return level;
    }

    /** Returns whether the metadata request a checksum. */
    public boolean checksum() {
        return checksum;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        // always states both members, because some readers have no defaults for them
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

    /** Stops decoding at the end of {@code part}. A frame with a checksum is decoded completely, to check it. */
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
