package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.Place;
import java.util.OptionalLong;

/**
 * Where encoded bytes will come from. Describes reads, performs none: an inner shard is a slice of its outer one, and a
 * decompressed shard a piece of memory. Immutable.
 */
public interface Source {
    /** A plan to read {@code range} of this source and make a value of it. */
    <V> Plan<V> read(ByteRange range, Decoder<V> decoder);

    /** How many bytes it has, if that is known without reading. */
    OptionalLong size();

    /** What the bytes are, for errors. */
    Place place();

    /**
     * The inner chunk at {@code cell}: {@code length} bytes from {@code offset} of this source.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if that is past a known end
     */
    Source inner(long[] cell, long offset, long length);

    /** Whether this source is known to hold nothing. */
    default boolean isAbsent() {
        return false;
    }

    /** The object stored under {@code key}, if there is one. */
    static Source stored(String key) {
        return new Sources.Stored(key, 0, OptionalLong.empty(), Place.of(key));
    }

    /** Part of the object stored under {@code key}. */
    static Source stored(String key, long offset, long length) {
        return new Sources.Stored(key, offset, OptionalLong.of(length), Place.of(key));
    }

    /** Part of the object stored under {@code key}, which errors name {@code place}. */
    static Source stored(String key, long offset, long length, Place place) {
        return new Sources.Stored(key, offset, OptionalLong.of(length), place);
    }

    /** Bytes in memory; they must stay as they are. */
    static Source of(Bytes bytes, Place place) {
        return new Sources.Memory(bytes, place);
    }

    /** Reads as nothing, all the way down. */
    static Source absent(Place place) {
        return new Sources.Nothing(place);
    }
}
