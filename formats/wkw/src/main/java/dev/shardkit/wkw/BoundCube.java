package dev.shardkit.wkw;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Encodes and decodes cubes of webknossos-wrap: the {@link CubeCodec} of chunks of one shape and data type. A cube is a
 * file that holds blocks; to the engine, the cube is a shard and its blocks are the inner chunks. The format stores all
 * blocks, even those that hold only the fill value. Immutable.
 */
final class BoundCube implements ChunkCodec, ShardAccess {
    private final ChunkType type;
    private final CubeHeader header;
    private final CubeIndex indexReader;
    private final ChunkCodec blockCodec;

    BoundCube(ChunkType type, CubeHeader header, ChunkCodec blockCodec) {
        this.type = type;
        this.header = header;
        this.indexReader = new CubeIndex(header);
        this.blockCodec = blockCodec;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        return header.blockEncoding() == CubeHeader.BlockEncoding.RAW
                ? OptionalLong.of(maxEncodedSize())
                : OptionalLong.empty();
    }

    @Override
    public long maxEncodedSize() {
        return Math.addExact(
                header.firstBlockOffset(), Math.multiplyExact(header.blockCount(), blockCodec.maxEncodedSize()));
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        int blockCount = Math.toIntExact(header.blockCount());
        Bytes[] blocks = new Bytes[blockCount];
        // a cube of fill values is not stored, but in a stored cube, empty blocks must be stored too
        ShardWritePolicy keepEmptyPolicy = policy.withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
        boolean isEmpty = true;
        for (int blockNumber = 0; blockNumber < blockCount; blockNumber++) {
            int mark = scratch.mark();
            Feed window = chunk.window(Box.cell(Shapes.unravel(blockNumber, gridShape()), innerShape()));
            Optional<Bytes> encodedBlock = blockCodec.encode(window, policy, scratch);
            isEmpty &= encodedBlock.isEmpty();
            blocks[(int) indexReader.position(blockNumber)] = encodedBlock.orElseGet(
                    () -> blockCodec.encode(window, keepEmptyPolicy, scratch).orElseThrow());
            scratch.reset(mark);
        }
        return isEmpty ? Optional.empty() : Optional.of(assemble(blocks));
    }

    /**
     * Joins the header, the table of the blocks' ends, and the blocks in Morton order (the bits of their indices
     * interleaved). Raw blocks have a fixed size and so need no table.
     */
    private Bytes assemble(Bytes[] blocks) {
        List<Bytes> parts = new ArrayList<>();
        parts.add(Bytes.of(header.encode()));
        if (header.blockEncoding() != CubeHeader.BlockEncoding.RAW) {
            ByteBuffer ends = ByteBuffer.allocate(Math.multiplyExact(blocks.length, Long.BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN);
            long end = header.dataOffset();
            for (Bytes bytes : blocks) {
                end += bytes.size();
                ends.putLong(end);
            }
            parts.add(Bytes.of(ends.flip()));
        }
        parts.addAll(List.of(blocks));
        return Bytes.concat(parts);
    }

    @Override
    public void decode(Bytes encoded, Box part, Target output, Scratch scratch) {
        PlanRun.inMemory(decodeInto(Source.of(encoded, DataLocation.nowhere()), part, output), scratch);
    }

    @Override
    public Plan<NoResult> decodeInto(Source cube, Box part, Target output) {
        if (part.isEmpty()) {
            return Plan.done();
        }
        return indexReader.read(cube).then(index -> {
            if (index.isEmpty()) {
                output.fill(type.fill(), Box.of(part.shape()));
                return Plan.done();
            }
            Box touchedCells = part.cells(innerShape());
            return Plan.each(
                    touchedCells.count(), i -> decodeBlock(cube, index.get(), touchedCells.at(i), part, output));
        });
    }

    /** Decodes the part of a block that the caller reads. */
    private Plan<NoResult> decodeBlock(Source cube, ShardIndex entries, long[] cell, Box part, Target output) {
        long blockNumber = Shapes.ravel(cell, gridShape());
        entries.check(blockNumber, gridShape(), cube.location());
        Box blockBox = Box.cell(cell, innerShape());
        Box common = part.intersect(blockBox);
        return blockCodec.decodeInto(
                cube.inner(cell, entries.offset(blockNumber), entries.size(blockNumber)),
                common.relativeTo(blockBox),
                output.window(common.relativeTo(part)));
    }

    @Override
    public long[] readShape() {
        return innerShape();
    }

    @Override
    public Optional<ShardAccess> shardAccess() {
        return Optional.of(this);
    }

    @Override
    public long[] innerShape() {
        return blockCodec.type().shape();
    }

    @Override
    public long[] gridShape() {
        return indexReader.cells();
    }

    @Override
    public ChunkCodec inner() {
        return blockCodec;
    }

    @Override
    public Plan<Source> locate(Source shard, long[] cell) {
        long blockNumber = Shapes.ravel(cell, gridShape());
        return indexReader.read(shard).map(index -> {
            index.ifPresent(entries -> entries.check(blockNumber, gridShape(), shard.location()));
            return ShardIndex.source(index, blockNumber, shard, cell.clone());
        });
    }

    @Override
    public Plan<Optional<Layout>> layout(Source shard) {
        return indexReader.read(shard).map(index -> {
            index.ifPresent(entries -> entries.checkAll(gridShape(), shard.location()));
            return index.map(Layout.class::cast);
        });
    }

    @Override
    public Plan<Optional<Opened>> open(Source shard) {
        return indexReader.read(shard).map(index -> index.map(entries -> new Opened(shard, entries)));
    }
}
