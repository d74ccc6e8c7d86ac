package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;

/**
 * The encoding {@code compressed_segmentation}: blocks of voxels, each with a table of its values. Immutable and
 * thread-safe.
 *
 * @param block the size of a block in voxels
 */
record CompressedSegmentationCodec(long[] block) implements ArrayToBytesCodec {
    static final String ENCODING = "compressed_segmentation";
    static final String NAME = "neuroglancer." + ENCODING;
    static final String BLOCK_SIZE = "block_size";
    /** A block's table has at most as many values as 32 bits can count; larger blocks make no sense. */
    private static final long LARGEST_BLOCK = 1 << 24;

    /** Rejects blocks that are too large. */
    CompressedSegmentationCodec {
        long voxels = 1;
        for (long length : block) {
            if (length > LARGEST_BLOCK / voxels) {
                throw new MetadataException(BLOCK_SIZE + ": expected blocks of at most " + LARGEST_BLOCK
                        + " voxels, found " + Arrays.toString(block));
            }
            voxels *= length;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(BLOCK_SIZE, Json.of(block));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        FortranChunk.check(type, NAME);
        String name = type.dataType().name();
        if (!name.equals("uint32") && !name.equals("uint64")) {
            throw new MetadataException("codec " + NAME + ": expected uint32 or uint64, found " + name);
        }
        limits.checkChunk(type);
        return new SegmentationChunk(type, block);
    }
}
