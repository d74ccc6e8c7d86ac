package dev.shardkit.neuroglancer;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A decoded minishard index (sharded.md, "Minishard index format"): the byte ranges of chunks in their shard, by
 * number. Immutable.
 */
final class Minishard {
    /** A number, an offset and a size. */
    static final int ENTRY = 3 * Long.BYTES;

    private static final int WEIGHT = 96;

    private final TreeMap<Long, Extent> extents;

    private Minishard(TreeMap<Long, Extent> extents) {
        this.extents = extents;
    }

    /** Returns the index with these chunks. The numbers are compared as unsigned. */
    static Minishard of(Map<Long, Extent> extents) {
        TreeMap<Long, Extent> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(extents);
        return new Minishard(sorted);
    }

    /**
     * Decodes an index.
     *
     * @param base the end of the shard index, from which offsets count
     */
    static Minishard decode(Bytes decoded, long base) {
        long size = decoded.size();
        if (size % ENTRY != 0) {
            throw new CorruptDataException(
                    "minishard index: expected a multiple of " + ENTRY + " bytes, found " + size);
        }
        int n = (int) (size / ENTRY);
        ByteBuffer words = decoded.buffer().order(ByteOrder.LITTLE_ENDIAN);
        TreeMap<Long, Extent> extents = new TreeMap<>(Long::compareUnsigned);
        long id = 0;
        long end = base;
        for (int i = 0; i < n; i++) {
            id += words.getLong(i * Long.BYTES);
            long offset = end + words.getLong((n + i) * Long.BYTES);
            long length = words.getLong((2 * n + i) * Long.BYTES);
            if (offset < base || length < 0 || offset + length < 0) {
                throw new CorruptDataException("minishard index, chunk " + Long.toUnsignedString(id)
                        + ": expected a byte range behind the shard index of " + base + " bytes, found offset "
                        + Long.toUnsignedString(offset) + ", size " + Long.toUnsignedString(length));
            }
            if (extents.put(id, new Extent(offset, length)) != null) {
                throw new CorruptDataException(
                        "minishard index: expected each chunk once, found " + Long.toUnsignedString(id) + " twice");
            }
            end = offset + length;
        }
        return new Minishard(extents);
    }

    /** Encodes this index; the reverse of {@link #decode}. */
    Bytes encode(long base) {
        int n = extents.size();
        ByteBuffer words = ByteBuffer.allocate(Math.multiplyExact(n, ENTRY)).order(ByteOrder.LITTLE_ENDIAN);
        long id = 0;
        long end = base;
        int i = 0;
        for (Map.Entry<Long, Extent> chunk : extents.entrySet()) {
            words.putLong(i * Long.BYTES, chunk.getKey() - id);
            words.putLong((n + i) * Long.BYTES, chunk.getValue().offset() - end);
            words.putLong((2 * n + i) * Long.BYTES, chunk.getValue().size());
            id = chunk.getKey();
            end = chunk.getValue().offset() + chunk.getValue().size();
            i++;
        }
        return Bytes.of(words);
    }

    /** Returns the byte range of a chunk in the shard; empty if it is not stored. */
    Optional<Extent> extent(long id) {
        return Optional.ofNullable(extents.get(id));
    }

    /** Returns the byte ranges by number, as unsigned numbers ascend. */
    Map<Long, Extent> extents() {
        return java.util.Collections.unmodifiableMap(extents);
    }

    /** Returns the size in memory in bytes. */
    long weight() {
        return (long) WEIGHT * (1 + extents.size());
    }
}
