package dev.shardkit.serve;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Optional;

/**
 * Presents a stored array of any format as an array of Zarr v3 that exists only in responses of the server. The virtual
 * array has a regular grid of chunks without shards, compressed with {@code gzip}, which every reader supports. A chunk
 * is read and encoded when a client requests it. Immutable.
 *
 * @param source the stored array
 * @param metadata the metadata of the virtual array
 */
record VirtualArray(ZarrArray source, ArrayMetadata metadata) {
    /** The largest decoded size of a chunk in bytes. */
    private static final long MAX_BYTES = 1 << 22;

    /** The fastest level, because chunks are encoded for each request. */
    private static final int GZIP_LEVEL = 1;

    static VirtualArray of(ZarrArray source) {
        ArraySpec spec = ArraySpec.of(source.dataType().json(), source.shape())
                .withChunkShape(chunkShape(source))
                .withCodecs(Codecs.gzip(GZIP_LEVEL))
                .withFillValue(source.dataType().formatFill(source.fillValue()))
                .withAttributes(source.attributes());
        ArraySpec withNames =
                source.dimensionNames().map(spec::withDimensionNames).orElse(spec);
        return new VirtualArray(source, Zarr.describe(withNames, ZarrOptions.defaults()));
    }

    /** Returns the chunk shape of the source, halved along the longest dimension until it is small enough. */
    private static long[] chunkShape(ZarrArray source) {
        long[] shape = source.chunkShape();
        long[] arrayShape = source.shape();
        long maxElements = MAX_BYTES / ReadMemory.elementSize(source);
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.max(1, Math.min(shape[d], arrayShape[d]));
        }
        while (isLarger(shape, maxElements)) {
            int longest = 0;
            for (int d = 1; d < shape.length; d++) {
                longest = shape[d] > shape[longest] ? d : longest;
            }
            shape[longest] = (shape[longest] + 1) / 2;
        }
        return shape;
    }

    /** Whether a chunk has more elements than the maximum, and more than one. */
    private static boolean isLarger(long[] shape, long maxElements) {
        // Divides the maximum in place of multiplying the lengths, which may overflow.
        long remaining = Math.max(1, maxElements);
        boolean isSingleElement = true;
        for (long length : shape) {
            remaining /= length;
            isSingleElement &= length == 1;
        }
        return remaining == 0 && !isSingleElement;
    }

    /** Whether a chunk belongs to the array's grid. */
    boolean contains(long[] cell) {
        long[] cells = metadata.chunkGrid().gridShape();
        boolean isInside = cell.length == cells.length;
        for (int d = 0; isInside && d < cell.length; d++) {
            isInside = cell[d] < cells[d];
        }
        return isInside;
    }

    /** Returns the maximum memory in bytes that reading and encoding a chunk needs. */
    long memory(long[] cell) {
        return ReadMemory.estimate(source, clippedBox(cell));
    }

    /** Returns an encoded chunk of the grid; empty if all of its elements equal the fill value. */
    Optional<Bytes> encodeChunk(long[] cell) {
        ChunkType type = metadata.chunkType(cell);
        DenseChunk chunk = DenseChunk.filled(type);
        source.read(clippedBox(cell), chunk.target());
        try (Scratch scratch = new Scratch(0)) {
            return metadata.codecs()
                    .bind(type, Limits.defaults())
                    .encode(chunk.feed(), ShardWritePolicy.defaults(), scratch);
        }
    }

    /** Returns the box of a chunk, clipped to the array. */
    private Box clippedBox(long[] cell) {
        Box chunkBox = metadata.chunkGrid().chunk(cell);
        long[] shape = chunkBox.shape();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.min(shape[d], metadata.shape()[d] - chunkBox.origin()[d]);
        }
        return Box.of(chunkBox.origin(), shape);
    }
}
