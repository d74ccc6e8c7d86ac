package dev.shardkit.neuroglancer;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A decoded minishard index: the byte ranges of chunks in their shard, by id (sharded.md, "Minishard index format").
 * The format stores three lists: the differences of successive ids, the gaps between successive chunks, and the sizes.
 * Immutable.
 */
final class Minishard {
    /** The size of an entry: an id, an offset and a size. */
    static final int ENTRY_BYTES = 3 * Long.BYTES;

    /** An estimate of the memory for an entry in bytes. */
    private static final int CHUNK_WEIGHT = 96;

    private final TreeMap<Long, Extent> extents;

    private Minishard(TreeMap<Long, Extent> extents) {
        this.extents = extents;
    }

    /** Creates an index with these chunks. Ids are unsigned. */
    static Minishard of(Map<Long, Extent> extents) {
        TreeMap<Long, Extent> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(extents);
        return new Minishard(sorted);
    }

    /**
     * Decodes an index.
     *
     * @param base the end of the shard index, to which offsets are relative
     */
    static Minishard decode(Bytes decoded, long base) {
        long size = decoded.size();
        if (size % ENTRY_BYTES != 0) {
            throw new CorruptDataException(
                    "minishard index: expected a multiple of " + ENTRY_BYTES + " bytes, found " + size);
        }
        int count = (int) (size / ENTRY_BYTES);
        ByteBuffer words = decoded.buffer().order(ByteOrder.LITTLE_ENDIAN);
        TreeMap<Long, Extent> extents = new TreeMap<>(Long::compareUnsigned);
        long id = 0;
        long previousEnd = base;
        for (int index = 0; index < count; index++) {
            id += words.getLong(index * Long.BYTES);
            long offset = previousEnd + words.getLong((count + index) * Long.BYTES);
            long length = words.getLong((2 * count + index) * Long.BYTES);
            if (offset < base || length < 0 || offset + length < 0) {
                throw new CorruptDataException("minishard index, chunk " + Long.toUnsignedString(id)
                        + ": expected a byte range behind the shard index of " + base + " bytes, found offset "
                        + Long.toUnsignedString(offset) + ", size " + Long.toUnsignedString(length));
            }
            if (extents.put(id, new Extent(offset, length)) != null) {
                throw new CorruptDataException(
                        "minishard index: expected each chunk once, found " + Long.toUnsignedString(id) + " twice");
            }
            previousEnd = offset + length;
        }
        return new Minishard(extents);
    }

    /** Encodes this index in the form that {@link #decode} reads. */
    Bytes encode(long base) {
        int count = extents.size();
        ByteBuffer words =
                ByteBuffer.allocate(Math.multiplyExact(count, ENTRY_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        long id = 0;
        long previousEnd = base;
        int index = 0;
        for (Map.Entry<Long, Extent> chunk : extents.entrySet()) {
            words.putLong(index * Long.BYTES, chunk.getKey() - id);
            words.putLong((count + index) * Long.BYTES, chunk.getValue().offset() - previousEnd);
            words.putLong((2 * count + index) * Long.BYTES, chunk.getValue().size());
            id = chunk.getKey();
            previousEnd = chunk.getValue().offset() + chunk.getValue().size();
            index++;
        }
        return Bytes.of(words);
    }

    /** Returns the byte range of a chunk in the shard; empty if the chunk is not stored. */
    Optional<Extent> extent(long id) {
        return Optional.ofNullable(extents.get(id));
    }

    /** Returns the byte ranges by id, in ascending order of unsigned ids. */
    Map<Long, Extent> extents() {
        return java.util.Collections.unmodifiableMap(extents);
    }

    /** Returns the size in memory in bytes. */
    long weight() {
        return (long) CHUNK_WEIGHT * (1 + extents.size());
    }
}
