package dev.shardkit.wkw;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** {@link CubeCodec} bound to a chunk type: a shard in which all inner chunks, the blocks, are stored. Immutable. */
final class BoundCube implements ChunkCodec, Partitioned {
    private final ChunkType type;
    private final CubeHeader header;
    private final CubeIndex index;
    private final ChunkCodec block;

    BoundCube(ChunkType type, CubeHeader header, ChunkCodec block) {
        this.type = type;
        this.header = header;
        this.index = new CubeIndex(header);
        this.block = block;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        return header.blocks() == CubeHeader.Blocks.RAW ? OptionalLong.of(maxEncodedSize()) : OptionalLong.empty();
    }

    @Override
    public long maxEncodedSize() {
        return Math.addExact(header.firstBlock(), Math.multiplyExact(header.blockCount(), block.maxEncodedSize()));
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        int n = Math.toIntExact(header.blockCount());
        Bytes[] blocks = new Bytes[n];
        WritePolicy keeping = policy.withEmptyChunks(WritePolicy.EmptyChunks.KEEP);
        boolean empty = true;
        for (int number = 0; number < n; number++) {
            int mark = scratch.mark();
            Feed window = chunk.window(Box.cell(Shapes.unravel(number, cells()), innerShape()));
            Optional<Bytes> stored = block.encode(window, policy, scratch);
            empty &= stored.isEmpty();
            blocks[(int) index.position(number)] = stored.orElseGet(
                    () -> block.encode(window, keeping, scratch).orElseThrow());
            scratch.reset(mark);
        }
        return empty ? Optional.empty() : Optional.of(cube(blocks));
    }

    private Bytes cube(Bytes[] blocks) {
        List<Bytes> parts = new ArrayList<>();
        parts.add(Bytes.of(header.encode()));
        if (header.blocks() != CubeHeader.Blocks.RAW) {
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
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        PlanRun.inMemory(decodeInto(Source.of(encoded, DataLocation.nowhere()), part, out), scratch);
    }

    @Override
    public Plan<Unit> decodeInto(Source in, Box part, Target out) {
        if (part.isEmpty()) {
            return Plan.done();
        }
        return index.read(in).then(found -> {
            if (found.isEmpty()) {
                out.fill(type.fill(), Box.of(part.shape()));
                return Plan.done();
            }
            Box touched = part.cells(innerShape());
            return Plan.each(touched.count(), i -> decodeBlock(in, found.get(), touched.at(i), part, out));
        });
    }

    private Plan<Unit> decodeBlock(Source in, ShardIndex entries, long[] cell, Box part, Target out) {
        long number = Shapes.ravel(cell, cells());
        entries.check(number, cells(), in.location());
        Box at = Box.cell(cell, innerShape());
        Box common = part.intersect(at);
        return block.decodeInto(
                in.inner(cell, entries.offset(number), entries.size(number)),
                common.relativeTo(at),
                out.window(common.relativeTo(part)));
    }

    @Override
    public long[] readShape() {
        return innerShape();
    }

    @Override
    public Optional<Partitioned> partitioned() {
        return Optional.of(this);
    }

    @Override
    public long[] innerShape() {
        return block.type().shape();
    }

    @Override
    public long[] cells() {
        return index.cells();
    }

    @Override
    public ChunkCodec inner() {
        return block;
    }

    @Override
    public Plan<Source> locate(Source shard, long[] cell) {
        long number = Shapes.ravel(cell, cells());
        return index.read(shard).map(found -> {
            found.ifPresent(entries -> entries.check(number, cells(), shard.location()));
            return ShardIndex.source(found, number, shard, cell.clone());
        });
    }

    @Override
    public Plan<Optional<Layout>> layout(Source shard) {
        return index.read(shard).map(found -> {
            found.ifPresent(entries -> entries.checkAll(cells(), shard.location()));
            return found.map(Layout.class::cast);
        });
    }

    @Override
    public Plan<Optional<Opened>> open(Source shard) {
        return index.read(shard).map(found -> found.map(entries -> new Opened(shard, entries)));
    }
}
