package dev.shardkit.wkw;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The codec {@code wkw} for the cubes of webknossos-wrap, the files of the WKW format. A cube is a header, a table of
 * the ends of its blocks (only if blocks are compressed), and the blocks in Morton order. Within a block, channels vary
 * fastest, then x. The name of the codec is shardkit's own: {@link WkwFormat} puts it into the metadata. Immutable and
 * thread-safe.
 *
 * @param blockShape the shape of a block: all channels, then the same power of two in x, y and z
 * @param blockEncoding the encoding of blocks
 * @param inner the codecs of a block
 */
record CubeCodec(long[] blockShape, CubeHeader.BlockEncoding blockEncoding, CodecChain inner)
        implements ArrayToBytesCodec {
    static final String NAME = "wkw";
    static final String BLOCK_SHAPE = "block_shape";
    static final String BLOCKS = "blocks";

    private static final int RANK = 4;
    /** The header stores the binary logarithms of lengths in 4 bits. */
    private static final int MAX_BITS = 15;
    /** The header stores the size of a voxel in 8 bits. */
    private static final int MAX_VOXEL_BYTES = 255;

    /** Returns the name of an encoding in the configuration. */
    static String label(CubeHeader.BlockEncoding blockEncoding) {
        return blockEncoding.name().toLowerCase(Locale.ROOT);
    }

    /** Creates the codec from its configuration. */
    static CubeCodec create(Config config) {
        long[] shape = config.requiredIntegers(BLOCK_SHAPE, 1, 1L << MAX_BITS);
        boolean isCube = shape.length == RANK
                && shape[1] == shape[2]
                && shape[1] == shape[3]
                && Long.bitCount(shape[1]) == 1
                && shape[0] <= MAX_VOXEL_BYTES;
        if (!isCube) {
            throw new MetadataException(config.at(BLOCK_SHAPE) + ": expected at most " + MAX_VOXEL_BYTES
                    + " channels and three times the same power of two, found " + Arrays.toString(shape));
        }
        CubeHeader.BlockEncoding blockEncoding = config.oneOf(BLOCKS, "raw", "lz4", "lz4hc")
                .map(name -> CubeHeader.BlockEncoding.valueOf(name.toUpperCase(Locale.ROOT)))
                .orElseThrow(() -> new MetadataException(config.at(BLOCKS) + ": is required, but missing"));
        List<Codec> codecs = new ArrayList<>();
        codecs.add(config.extensions()
                .codec(
                        Json.extension("transpose", Json.object().with("order", Json.of(new long[] {3, 2, 1, 0}))),
                        config.pointer()));
        codecs.add(config.extensions()
                .codec(Json.extension("bytes", Json.object().with("endian", Json.of("little"))), config.pointer()));
        if (blockEncoding != CubeHeader.BlockEncoding.RAW) {
            codecs.add(new WkwLz4Codec());
        }
        return new CubeCodec(shape, blockEncoding, CodecChain.of(codecs));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(BLOCK_SHAPE, Json.of(blockShape)).with(BLOCKS, Json.of(label(blockEncoding)));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        CubeHeader header = createHeader(type);
        return new BoundCube(type, header, inner.bind(type.withShape(blockShape), limits));
    }

    /** Returns the header of cubes of this type. */
    private CubeHeader createHeader(ChunkType type) {
        if (type.rank() != RANK) {
            throw new MetadataException("codec " + NAME + ": expected the dimensions channel, x, y and z, found "
                    + type.rank() + " dimensions");
        }
        CubeHeader.VoxelType voxelType = Arrays.stream(CubeHeader.VoxelType.values())
                .filter(t -> t.label().equals(type.dataType().name()))
                .findFirst()
                .orElseThrow(() -> new MetadataException("codec " + NAME + ": expected an integer type, float32 or "
                        + "float64, found " + type.dataType().name()));
        long[] shape = type.shape();
        long blockLength = blockShape[1];
        long cubeLengthInBlocks = shape[1] / blockLength;
        boolean isCube = shape[1] == shape[2]
                && shape[1] == shape[3]
                && cubeLengthInBlocks * blockLength == shape[1]
                && Long.bitCount(cubeLengthInBlocks) == 1
                && cubeLengthInBlocks <= 1L << MAX_BITS;
        if (!isCube || shape[0] != blockShape[0] || shape[0] > MAX_VOXEL_BYTES / voxelType.size()) {
            throw new MetadataException("codec " + NAME + ": expected cubes of blocks of "
                    + Arrays.toString(blockShape) + ", a power of two in each dimension, with at most "
                    + MAX_VOXEL_BYTES + " bytes for each voxel, found "
                    + type);
        }
        CubeHeader withoutOffset = new CubeHeader(
                Long.numberOfTrailingZeros(blockLength),
                Long.numberOfTrailingZeros(cubeLengthInBlocks),
                blockEncoding,
                voxelType,
                (int) shape[0] * voxelType.size(),
                0);
        return new CubeHeader(
                withoutOffset.blockBits(),
                withoutOffset.cubeBits(),
                blockEncoding,
                voxelType,
                withoutOffset.voxelSize(),
                withoutOffset.firstBlockOffset());
    }
}
