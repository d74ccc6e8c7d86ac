package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;

/**
 * The codec of neuroglancer's encoding {@code compressed_segmentation}, for volumes of labels. A chunk is divided into
 * blocks of voxels; each block has a table of its few different values, and a small index for each voxel. Immutable and
 * thread-safe.
 *
 * @param blockSize the size of a block in voxels
 */
record CompressedSegmentationCodec(long[] blockSize) implements ArrayToBytesCodec {
    static final String ENCODING = "compressed_segmentation";
    static final String NAME = "neuroglancer." + ENCODING;
    static final String BLOCK_SIZE = "block_size";
    /** The maximum number of voxels of a block. */
    private static final long MAX_BLOCK_VOXELS = 1 << 24;

    /** Rejects blocks that are too large. */
    CompressedSegmentationCodec {
        long voxels = 1;
        for (long length : blockSize) {
            if (length > MAX_BLOCK_VOXELS / voxels) {
                throw new MetadataException(BLOCK_SIZE + ": expected blocks of at most " + MAX_BLOCK_VOXELS
                        + " voxels, found " + Arrays.toString(blockSize));
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
        return Json.object().with(BLOCK_SIZE, Json.of(blockSize));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        FortranChunk.requireRank(type, NAME);
        String name = type.dataType().name();
        if (!name.equals("uint32") && !name.equals("uint64")) {
            throw new MetadataException("codec " + NAME + ": expected uint32 or uint64, found " + name);
        }
        limits.checkChunk(type);
        return new SegmentationChunk(type, blockSize);
    }
}
