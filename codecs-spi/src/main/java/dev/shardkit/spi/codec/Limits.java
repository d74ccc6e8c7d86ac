package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.MetadataException;

/**
 * What is accepted from outside, in one immutable object. A failure that a limit causes names the limit.
 *
 * @param metadataBytes the size of a metadata document; default 16 MiB
 * @param jsonDepth the nesting of a metadata document; default 100
 * @param indexBytes the size of one shard index; default 1 GiB (and never more than the object)
 * @param chunkBytes the decoded size of one (inner) chunk; default 2 GiB - 64
 * @param expansion how many times its stored size a chunk of elements that vary in size may decode to, beyond 16 MiB
 *     and 256 bytes for each element; default 1000. Other chunks have a size of their own, which they must have exactly
 */
public record Limits(long metadataBytes, int jsonDepth, long indexBytes, long chunkBytes, int expansion) {
    /** No chunk is larger: what a Java array holds. */
    public static final long LARGEST_CHUNK = (1L << 31) - 64;

    private static final long SMALL = 16L << 20;
    private static final long USUAL_ELEMENT = 256;

    /** Checks that the limits are positive and those of arrays within what a Java array holds. */
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

    /** The documented defaults. */
    public static Limits defaults() {
        return new Limits(16L << 20, 100, 1L << 30, LARGEST_CHUNK, 1000);
    }

    /**
     * Refuses chunks that are larger than {@link #chunkBytes}; of elements that vary in size, four bytes each are the
     * least that any encoding takes.
     *
     * @throws MetadataException naming the limit
     */
    public void checkChunk(ChunkType type) {
        long elementSize = type.dataType().elementSize().orElse(4);
        long most = chunkBytes / Math.max(1, elementSize);
        long count = 1;
        for (long s : type.shape()) {
            if (s > 0 && count > most / s) {
                throw new MetadataException("chunk of " + type + ": expected at most " + chunkBytes
                        + " bytes (limit chunkBytes), found more");
            }
            count *= s;
        }
    }

    /**
     * What a chunk of {@code type}, stored in {@code stored} bytes, may decode to where {@code size} alone would let a
     * bomb in.
     */
    DecodedSize believed(DecodedSize size, ChunkType type, long stored) {
        if (size.isExact() || !type.dataType().carrier().isVariable()) {
            return size;
        }
        double most = SMALL + (double) USUAL_ELEMENT * type.count() + (double) expansion * stored;
        return most < size.most() ? DecodedSize.atMost((long) most, "expansion") : size;
    }

    /** The same with another size of metadata documents. */
    public Limits withMetadataBytes(long bytes) {
        return new Limits(bytes, jsonDepth, indexBytes, chunkBytes, expansion);
    }

    /** The same with another nesting of metadata documents. */
    public Limits withJsonDepth(int depth) {
        return new Limits(metadataBytes, depth, indexBytes, chunkBytes, expansion);
    }

    /** The same with another size of a shard index. */
    public Limits withIndexBytes(long bytes) {
        return new Limits(metadataBytes, jsonDepth, bytes, chunkBytes, expansion);
    }

    /** The same with another decoded size of a chunk. */
    public Limits withChunkBytes(long bytes) {
        return new Limits(metadataBytes, jsonDepth, indexBytes, bytes, expansion);
    }

    /** The same with another expansion of chunks whose elements vary in size. */
    public Limits withExpansion(int times) {
        return new Limits(metadataBytes, jsonDepth, indexBytes, chunkBytes, times);
    }
}
