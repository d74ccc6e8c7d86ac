package dev.shardkit.wkw;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Translates a request for a new array to the file {@code header.wkw} of webknossos-wrap. Stateless. */
final class WkwArrayCreation implements ArrayCreation {
    private static final String EXPECTED = "data of webknossos-wrap: expected ";
    private static final long DEFAULT_BLOCK_LENGTH = 32;
    /** The maximum length of cubes by default; cubes are encoded in memory. */
    private static final long DEFAULT_CUBE_LENGTH = 256;

    private static final String RAW = "raw";
    private static final String LZ4 = "lz4";
    /** The header stores the binary logarithms of lengths in 4 bits. */
    private static final int MAX_BITS = 15;
    /** The header stores the size of a voxel in 8 bits. */
    private static final int MAX_VOXEL_BYTES = 255;

    @Override
    public List<String> dimensions() {
        return List.of(CHANNEL, "x", "y", "z");
    }

    @Override
    public Optional<String> encodingLike(List<StatedCodec> codecs) {
        if (codecs.isEmpty()) {
            return Optional.of(RAW);
        }
        StatedCodec codec = codecs.get(0);
        return switch (codecs.size() == 1 ? codec.name() : "") {
            case "numcodecs.lz4" -> Optional.of(LZ4);
            case CubeCodec.NAME -> codec.text(CubeCodec.BLOCKS).map(blocks -> blocks.equals(RAW) ? RAW : LZ4);
            default -> Optional.empty();
        };
    }

    @Override
    public NewArray describe(Request request) {
        long[] shape = request.shape();
        CubeHeader.VoxelType type = Stream.of(CubeHeader.VoxelType.values())
                .filter(voxelType -> voxelType.label().equals(request.dataType()))
                .findFirst()
                .orElseThrow(() -> new MetadataException(EXPECTED + "one of the types "
                        + Stream.of(CubeHeader.VoxelType.values())
                                .map(CubeHeader.VoxelType::label)
                                .toList()
                        + ", found " + request.dataType()));
        if (Arrays.stream(shape).anyMatch(length -> length < 1) || shape[0] > MAX_VOXEL_BYTES / type.size()) {
            throw new MetadataException(
                    EXPECTED + "voxels of 1 to " + MAX_VOXEL_BYTES + " bytes and lengths of at least 1, found "
                            + type.label() + " and the shape " + Arrays.toString(shape));
        }
        int blockBits =
                request.chunkShape().map(WkwArrayCreation::bitsOf).orElse(bitsOf(cubeShape(DEFAULT_BLOCK_LENGTH)));
        int cubeBits =
                request.shardShape().map(WkwArrayCreation::bitsOf).orElseGet(() -> defaultCubeBits(blockBits, shape));
        if (cubeBits < blockBits) {
            throw new MetadataException(EXPECTED + "shards of at least a chunk, found cubes of " + (1L << cubeBits)
                    + " and blocks of " + (1L << blockBits) + " voxels");
        }
        CubeHeader header = new CubeHeader(
                blockBits, cubeBits - blockBits, parseEncoding(request), type, (int) shape[0] * type.size(), 0);
        long[] box = cubeShape(header.cubeLength());
        box[0] = shape[0];
        return new NewArray(
                "", WkwFormat.toDocument(header, shape), WkwFormat.DOCUMENT, Bytes.of(header.encode()), box);
    }

    private static long[] cubeShape(long length) {
        return new long[] {1, length, length, length};
    }

    /** Returns the binary logarithm of the default length of cubes: no longer than needed. */
    private static int defaultCubeBits(int blockBits, long[] shape) {
        long longest = Math.max(shape[1], Math.max(shape[2], shape[3]));
        int bits = blockBits;
        while (1L << bits < Math.min(longest, DEFAULT_CUBE_LENGTH)) {
            bits++;
        }
        return bits;
    }

    /** Returns the binary logarithm of the length of a chunk or shard, which must be a cube in x, y and z. */
    private static int bitsOf(long[] shape) {
        long length = shape[1];
        boolean isCube = length == shape[2] && length == shape[3] && Long.bitCount(length) == 1;
        if (!isCube || length < 1 || length > 1 << MAX_BITS) {
            throw new MetadataException(
                    EXPECTED + "a cube whose length is a power of two, found chunks or shards of x, y, z "
                            + Arrays.toString(Arrays.copyOfRange(shape, 1, shape.length)));
        }
        return Long.numberOfTrailingZeros(length);
    }

    private static CubeHeader.BlockEncoding parseEncoding(Request request) {
        String name = request.encoding().orElse(LZ4).toLowerCase(Locale.ROOT);
        return switch (name) {
            case RAW -> CubeHeader.BlockEncoding.RAW;
            case LZ4 -> CubeHeader.BlockEncoding.LZ4;
            default -> throw new MetadataException(EXPECTED + "the encoding raw or lz4, found " + name);
        };
    }
}
