package dev.shardkit.wkw;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.Partitioned.Extent;
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
 * The byte ranges of the blocks of a cube, from its header and its table of ends. Immutable.
 *
 * @param header what the header must say
 */
record CubeIndex(CubeHeader header) {
    /** Returns the number of blocks in each dimension, channels first. */
    long[] cells() {
        long n = 1L << header.cubeBits();
        return new long[] {1, n, n, n};
    }

    /** Returns the position in Morton order of a block, which is given by its number in C order. */
    long position(long number) {
        long[] cell = Shapes.unravel(number, cells());
        return Morton.position(cell[1], cell[2], cell[3], header.cubeBits());
    }

    /** Reads the index without checking its entries; empty if there is no cube. */
    Plan<Optional<ShardIndex>> read(Source cube) {
        if (cube.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        long size = header.firstBlock();
        if (size > Limits.LARGEST_CHUNK || 2 * header.blockCount() > Limits.LARGEST_CHUNK / Long.BYTES) {
            throw new UnsupportedException("wkw: expected cubes of fewer blocks, found " + header.blockCount());
        }
        return cube.read(
                new ByteRange.Slice(0, size),
                Decoder.kept(
                        this,
                        index -> index.map(ShardIndex::weight).orElse(16L),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? Optional.of(decode(found.bytes(), found.sourceSize()))
                                : Optional.empty()));
    }

    private ShardIndex decode(Bytes bytes, long cubeSize) {
        byte[] start = bytes.slice(0, CubeHeader.SIZE).toArray();
        CubeHeader found = CubeHeader.decode(start, 0, start.length);
        boolean same = found.blockBits() == header.blockBits()
                && found.cubeBits() == header.cubeBits()
                && found.type() == header.type()
                && found.voxelSize() == header.voxelSize()
                && (found.blocks() == CubeHeader.Blocks.RAW) == (header.blocks() == CubeHeader.Blocks.RAW);
        if (!same || found.dataOffset() != header.dataOffset()) {
            throw new CorruptDataException("wkw: expected a cube with the header " + header + ", found " + found);
        }
        int n = (int) header.blockCount();
        long[] ends = new long[n];
        if (header.blocks() == CubeHeader.Blocks.RAW) {
            for (int i = 0; i < n; i++) {
                ends[i] = header.dataOffset() + (i + 1) * header.blockBytes();
            }
        } else {
            ByteBuffer table =
                    bytes.slice(CubeHeader.SIZE, (long) Long.BYTES * n).buffer();
            table.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(ends);
        }
        long[] entries = new long[2 * n];
        for (int number = 0; number < n; number++) {
            int position = (int) position(number);
            long from = position == 0 ? header.dataOffset() : ends[position - 1];
            entries[2 * number] = from;
            entries[2 * number + 1] = ends[position] < from ? Long.MIN_VALUE : ends[position] - from;
        }
        return new ShardIndex(entries, new Extent(0, header.firstBlock()), cubeSize);
    }
}
