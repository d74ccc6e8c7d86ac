package dev.shardkit.wkw;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads the byte ranges of the blocks of a cube from its header and its table of ends, for {@link BoundCube}.
 * Immutable.
 *
 * @param header the expected header
 */
record CubeIndex(CubeHeader header) {
    /** Returns the number of blocks in each dimension, channels first. */
    long[] cells() {
        long length = 1L << header.cubeBits();
        return new long[] {1, length, length, length};
    }

    /**
     * Returns the position in Morton order of a block.
     *
     * @param number the position of the block in C order
     */
    long position(long number) {
        long[] cell = Shapes.unravel(number, cells());
        return Morton.position(cell[1], cell[2], cell[3], header.cubeBits());
    }

    /** Reads the index; empty if the cube is missing. The caller checks the entries that it uses. */
    Plan<Optional<ShardIndex>> read(Source cube) {
        if (cube.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        long size = header.firstBlockOffset();
        if (size > Limits.LARGEST_CHUNK || 2 * header.blockCount() > Limits.LARGEST_CHUNK / Long.BYTES) {
            throw new UnsupportedException("wkw: expected cubes of fewer blocks, found " + header.blockCount());
        }
        return cube.read(
                new ByteRange.Slice(0, size),
                Decoder.kept(
                        this,
                        index -> index.map(ShardIndex::weight).orElse(16L),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? Optional.of(decode(found.bytes(), found.sourceSize()))
                                : Optional.empty()));
    }

    /** Decodes the index: a byte range for each block, in C order. */
    private ShardIndex decode(Bytes bytes, long cubeSize) {
        byte[] start = bytes.slice(0, CubeHeader.SIZE).toArray();
        CubeHeader found = CubeHeader.decode(start, 0, start.length);
        boolean isExpected = found.blockBits() == header.blockBits()
                && found.cubeBits() == header.cubeBits()
                && found.type() == header.type()
                && found.voxelSize() == header.voxelSize()
                && (found.blockEncoding() == CubeHeader.BlockEncoding.RAW)
                        == (header.blockEncoding() == CubeHeader.BlockEncoding.RAW);
        if (!isExpected || found.dataOffset() != header.dataOffset()) {
            throw new CorruptDataException("wkw: expected a cube with the header " + header + ", found " + found);
        }
        int length = (int) header.blockCount();
        long[] ends = new long[length];
        if (header.blockEncoding() == CubeHeader.BlockEncoding.RAW) {
            for (int i = 0; i < length; i++) {
                ends[i] = header.dataOffset() + (i + 1) * header.decodedBlockSize();
            }
        } else {
            ByteBuffer table =
                    bytes.slice(CubeHeader.SIZE, (long) Long.BYTES * length).buffer();
            table.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(ends);
        }
        long[] entries = new long[2 * length];
        for (int number = 0; number < length; number++) {
            int position = (int) position(number);
            long blockStart = position == 0 ? header.dataOffset() : ends[position - 1];
            entries[2 * number] = blockStart;
            // A block that ends before it starts gets an invalid size, which the check of its entry refuses.
            entries[2 * number + 1] = ends[position] < blockStart ? Long.MIN_VALUE : ends[position] - blockStart;
        }
        return new ShardIndex(entries, new Extent(0, header.firstBlockOffset()), cubeSize);
    }
}
