package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.DataLocation;
import java.util.OptionalLong;

/**
 * A description of where encoded bytes are. It describes reads and performs none. An inner shard is a slice of its
 * outer shard, and a decompressed shard is a piece of memory. Immutable.
 */
public interface Source {
    /** Returns a plan that reads {@code range} of this source and decodes it. */
    <V> Plan<V> read(ByteRange range, Decoder<V> decoder);

    /** Returns the size in bytes, if it is known without a read. */
    OptionalLong size();

    /** Returns the location of the bytes, for errors. */
    DataLocation location();

    /**
     * Returns the source of the inner chunk at {@code cell}: {@code length} bytes from {@code offset} of this source.
     * The caller must not change {@code cell} afterwards, because it is not copied.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if the range exceeds a known size
     */
    Source inner(long[] cell, long offset, long length);

    /**
     * Returns this source with a limit for its object: a server that ignores ranges may send at most {@code largest}
     * bytes for it. By default, and for a part of an object, returns this.
     */
    default Source within(long largest) {
        return this;
    }

    /**
     * Returns this source, marked as one whose whole object will be read. If the object has at most {@code maxBytes}
     * bytes, a remote store may receive it in one request, and its parts are decoded while it arrives. By default, and
     * for a part of an object, returns this.
     */
    default Source expectingWholeRead(long maxBytes) {
        return this;
    }

    /** Returns whether this source is known not to exist. */
    default boolean isAbsent() {
        return false;
    }

    /** Returns the source of the object stored under {@code key}, which may not exist. */
    static Source stored(String key) {
        return Sources.Stored.whole(key);
    }

    /** Returns the source of a part of the object stored under {@code key}. */
    static Source stored(String key, long offset, long length) {
        return Sources.Stored.part(key, offset, length, DataLocation.of(key));
    }

    /** Returns the source of a part of the object stored under {@code key}; errors name {@code location}. */
    static Source stored(String key, long offset, long length, DataLocation location) {
        return Sources.Stored.part(key, offset, length, location);
    }

    /** Returns a source of bytes in memory, which must not change. */
    static Source of(Bytes bytes, DataLocation location) {
        return new Sources.Memory(bytes, location);
    }

    /** Returns a source that does not exist. Its inner chunks do not exist either. */
    static Source absent(DataLocation location) {
        return new Sources.Missing(location);
    }
}
