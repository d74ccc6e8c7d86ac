package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.MetadataException;

/**
 * Upper bounds on untrusted input. An error caused by a limit names the limit. Immutable.
 *
 * @param metadataBytes the size of a metadata document in bytes; default 16 MiB
 * @param jsonDepth the nesting depth of a metadata document; default 100
 * @param indexBytes the size of one shard index in bytes; default 1 GiB (and never more than the object)
 * @param chunkBytes the decoded size of one chunk or inner chunk in bytes; default 2 GiB - 64
 * @param expansion the largest ratio of decoded to stored size for chunks whose elements vary in size; default 1000.
 *     Beyond this ratio, such a chunk may have another 16 MiB, and 256 bytes for each element. The limit does not apply
 *     to other chunks, which have exactly the size that their type defines
 */
public record Limits(long metadataBytes, int jsonDepth, long indexBytes, long chunkBytes, int expansion) {
    /** The largest possible chunk in bytes: the capacity of a Java array. */
    public static final long LARGEST_CHUNK = (1L << 31) - 64;

    /** The number of decoded bytes that a chunk of elements of varying size may always have. */
    private static final long MIN_VARIABLE_BYTES = 16L << 20;
    /** The number of further bytes that such a chunk may have for each element. */
    private static final long BYTES_PER_VARIABLE_ELEMENT = 256;

    /** Checks that the limits are positive and that array sizes fit into a Java array. */
    public Limits {
        if (metadataBytes <= 0
                || jsonDepth <= 0
                || expansion <= 0
                || indexBytes <= 0
                || chunkBytes <= 0
                || metadataBytes > LARGEST_CHUNK
                || indexBytes > LARGEST_CHUNK
                || chunkBytes > LARGEST_CHUNK) {
            throw new IllegalArgumentException("limits must be from 1 to " + LARGEST_CHUNK);
        }
    }

    /** Returns the documented defaults. */
    public static Limits defaults() {
        return new Limits(16L << 20, 100, 1L << 30, LARGEST_CHUNK, 1000);
    }

    /**
     * Rejects chunks larger than {@link #chunkBytes}. For elements that vary in size, assumes the minimum of any
     * encoding: four bytes each.
     *
     * @throws MetadataException if the chunk is too large; the message names the limit
     */
    public void checkChunk(ChunkType type) {
        long elementSize = type.dataType().elementSize().orElse(4);
        long maxElements = chunkBytes / Math.max(1, elementSize);
        long count = 1;
        for (long s : type.shape()) {
            if (s > 0 && count > maxElements / s) {
                throw new MetadataException("chunk of " + type + ": expected at most " + chunkBytes
                        + " bytes (limit chunkBytes), found more");
            }
            count *= s;
        }
    }

    /**
     * Returns the decoded size to accept for a chunk of {@code type} that is stored in {@code stored} bytes:
     * {@code size}, or less if the limit {@code expansion} allows less. Protects against decompression bombs.
     */
    DecodedSize believed(DecodedSize size, ChunkType type, long stored) {
        if (size.isExact() || !type.dataType().carrier().isVariable()) {
            return size;
        }
        double maxBytes =
                MIN_VARIABLE_BYTES + (double) BYTES_PER_VARIABLE_ELEMENT * type.count() + (double) expansion * stored;
        return maxBytes < size.maxBytes() ? DecodedSize.atMost((long) maxBytes, "expansion") : size;
    }

    /** Returns these limits with another size of metadata documents. */
    public Limits withMetadataBytes(long bytes) {
        return new Limits(bytes, jsonDepth, indexBytes, chunkBytes, expansion);
    }

    /** Returns these limits with another nesting depth of metadata documents. */
    public Limits withJsonDepth(int depth) {
        return new Limits(metadataBytes, depth, indexBytes, chunkBytes, expansion);
    }

    /** Returns these limits with another size of a shard index. */
    public Limits withIndexBytes(long bytes) {
        return new Limits(metadataBytes, jsonDepth, bytes, chunkBytes, expansion);
    }

    /** Returns these limits with another decoded size of a chunk. */
    public Limits withChunkBytes(long bytes) {
        return new Limits(metadataBytes, jsonDepth, indexBytes, bytes, expansion);
    }

    /** Returns these limits with another expansion ratio of chunks whose elements vary in size. */
    public Limits withExpansion(int times) {
        return new Limits(metadataBytes, jsonDepth, indexBytes, chunkBytes, times);
    }
}
