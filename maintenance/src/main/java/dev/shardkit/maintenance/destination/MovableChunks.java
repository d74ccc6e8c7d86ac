package dev.shardkit.maintenance.destination;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.staging.NestingLevel;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChainWrapper;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The chunks or inner chunks of an array that can move to its copy without decoding, because shape and codecs agree. If
 * another codec encloses the bytes of these codecs ({@link ChainWrapper}), the copy takes only these bytes.
 *
 * <p>A chunk that the array's edge clips moves only if its elements beyond the edge are the fill value of the copy. To
 * check this, the chunk is decoded. Otherwise it is encoded again. Other elements beyond the edge, such as those of an
 * array that was shrunk, would appear when the copy grows. Immutable.
 *
 * <p>Movable chunks have the shape and codecs of the copy's innermost chunks. They may be at any nesting level of the
 * source. Codecs are compared with all defaults and without options that make no difference for the data type. Another
 * compression level counts as another codec, although the bytes could move: a caller that names a compression level
 * wants to compress again.
 */
final class MovableChunks {
    private final UnchangedArrayReads reads;
    private final StoredArray source;
    private final Box domain;
    /** Whether source and copy have the same shape, and so the same edge. */
    private final boolean isSameEdge;
    /** The shape of these chunks. */
    private final long[] chunkShape;
    /** The bound codecs of the copy that decode such a chunk. */
    private final ChunkCodec codec;
    /** The nesting levels of the source, down to that of these chunks. */
    private final List<NestingLevel> levels;
    /** The codec that encloses the bytes of each chunk; null if there is none. */
    private final @Nullable ChainWrapper enclosing;

    private MovableChunks(
            UnchangedArrayReads from,
            boolean isSameEdge,
            long[] chunkShape,
            ChunkCodec codec,
            List<NestingLevel> levels,
            @Nullable ChainWrapper enclosing) {
        this.reads = from;
        this.source = ArrayInternals.of(from.array());
        this.domain = from.array().domain();
        this.isSameEdge = isSameEdge;
        this.chunkShape = chunkShape;
        this.codec = codec;
        this.levels = levels;
        this.enclosing = enclosing;
    }

    /** Returns the chunks of {@code from} that can move to {@code to}; null if there are none. */
    static @Nullable MovableChunks of(UnchangedArrayReads reads, ZarrArray to) {
        ZarrArray from = reads.array();
        boolean regular = from.metadata().chunkGrid().name().equals("regular")
                && to.metadata().chunkGrid().name().equals("regular");
        if (!regular || from.domain().isEmpty()) {
            return null;
        }
        List<NestingLevel> targetLevels = NestingLevel.of(to.metadata());
        NestingLevel last = targetLevels.get(targetLevels.size() - 1);
        long[] chunkShape = last.shape().orElseGet(to::storedChunkShape);
        ChunkCodec codec = ArrayInternals.of(to).codec(new long[chunkShape.length]);
        for (int i = 1; i < targetLevels.size(); i++) {
            codec = codec.shardAccess().orElseThrow().inner();
        }
        ChunkType type = ChunkType.of(to.dataType(), to.fillValue(), chunkShape);
        List<Json> wanted = last.chain().forType(type).json();
        List<NestingLevel> sourceLevels = NestingLevel.of(from.metadata());
        for (int i = sourceLevels.size() - 1; i >= 0; i--) {
            NestingLevel level = sourceLevels.get(i);
            if (Arrays.equals(level.shape().orElseGet(from::storedChunkShape), chunkShape)) {
                Optional<ChainWrapper> enclosing = enclosing(level.chain());
                boolean same = level.chain().forType(type).json().equals(wanted);
                boolean sameInside = enclosing
                        .map(e -> e.codecs().forType(type).json().equals(wanted))
                        .orElse(false);
                if (same || sameInside) {
                    boolean isSameEdge = from.domain().equals(to.domain());
                    return new MovableChunks(
                            reads,
                            isSameEdge,
                            chunkShape,
                            codec,
                            sourceLevels.subList(0, i + 1),
                            same ? null : enclosing.get());
                }
            }
        }
        return null;
    }

    /** Returns the enclosing codec if it is the only codec of the chain. */
    private static Optional<ChainWrapper> enclosing(CodecChain chain) {
        return chain.codecs().size() == 1 ? chain.arrayToBytes().enclosing() : Optional.empty();
    }

    /** Returns whether {@code other}, a codec of the copy, decodes these chunks. */
    boolean isDecodedBy(ChunkCodec other) {
        return codec == other;
    }

    /** Returns the cells of the chunks that overlap {@code part} of the array. */
    Box cells(Box part) {
        return part.intersect(domain).cells(chunkShape);
    }

    /** Returns the part of the array that a chunk covers. */
    Box box(long[] cell) {
        return Box.cell(cell, chunkShape).intersect(domain);
    }

    /** Whether {@code part} is exactly one chunk, which the array's edge may clip. */
    boolean isChunk(Box part) {
        return !part.isEmpty()
                && domain.contains(part)
                && box(cell(part)).equals(part)
                && (isSameEdge || isWhole(part));
    }

    private boolean isWhole(Box chunk) {
        return Arrays.equals(chunk.shape(), chunkShape);
    }

    /** Returns the number of the chunk, in each dimension, in which {@code part} begins. */
    private long[] cell(Box part) {
        return part.cells(chunkShape).origin();
    }

    /**
     * Reads the chunks at these boxes, concurrently. Returns empty for a chunk that is absent, has another shape, or
     * has elements beyond the edge that are not the fill value.
     */
    List<Optional<Bytes>> read(List<Box> chunks) {
        Map<Box, Integer> numbers = new HashMap<>();
        // For each stored chunk, by its number: the requested chunks in it.
        List<List<Box>> requested = new ArrayList<>();
        List<long[]> cells = new ArrayList<>();
        Map<Box, Optional<Bytes>> found = new HashMap<>();
        for (Box chunk : chunks) {
            if (reads.isAbsent(chunk)) {
                found.put(chunk, Optional.empty());
                continue;
            }
            long[] cell = source.touched(chunk).at(0);
            int number = numbers.computeIfAbsent(source.box(cell), box -> {
                cells.add(cell);
                requested.add(new ArrayList<>());
                return cells.size() - 1;
            });
            requested.get(number).add(chunk);
        }
        List<List<Optional<Bytes>>> read = source.inspectAll(
                cells,
                cell -> coverAll(source.box(cell).intersect(domain), requested.get(numbers.get(source.box(cell)))),
                (cell, object) -> {
                    Box stored = source.box(cell);
                    List<Box> parts = requested.get(numbers.get(stored));
                    return Plan.all(
                            parts.size(),
                            i -> read(cell, object, parts.get((int) i).relativeTo(stored)));
                });
        for (int i = 0; i < requested.size(); i++) {
            for (int j = 0; j < requested.get(i).size(); j++) {
                found.put(requested.get(i).get(j), read.get(i).get(j));
            }
        }
        return chunks.stream().map(found::get).toList();
    }

    /** Whether these parts cover the whole stored chunk. */
    private static boolean coverAll(Box stored, List<Box> parts) {
        return parts.stream().mapToLong(Box::count).sum() == stored.count();
    }

    /** A chunk or inner chunk, with the codec that decodes it. */
    private record LocatedChunk(ChunkCodec codec, Source bytes) {}

    /** Reads the chunk at {@code part} of the stored chunk {@code cell}; positions count from the stored chunk. */
    private Plan<Optional<Bytes>> read(long[] cell, Source object, Box part) {
        return locate(1, new LocatedChunk(source.codec(cell), object), part)
                .then(chunk -> chunk.bytes.isAbsent()
                        ? Plan.done(Optional.empty())
                        : chunk.bytes.read(
                                ByteRange.whole(chunk.codec.maxEncodedSize()),
                                (answer, scratch) -> answer instanceof ReadResult.Found f
                                        ? unwrap(requireSize(chunk.codec, f.bytes()))
                                                .filter(bytes ->
                                                        isWhole(part) || isFillBeyondEdge(part, bytes, scratch))
                                                .map(Bytes::copy)
                                        : Optional.empty()));
    }

    private static Bytes requireSize(ChunkCodec codec, Bytes stored) {
        OptionalLong expected = codec.encodedSize();
        if (expected.isPresent() && expected.getAsLong() != stored.size()) {
            throw new CorruptDataException("expected " + expected.getAsLong()
                    + " bytes of a chunk, as the array's codecs determine, found " + stored.size());
        }
        return stored;
    }

    /** Whether the elements of a clipped chunk beyond the edge are the fill value of the copy. */
    private boolean isFillBeyondEdge(Box inside, Bytes stored, Scratch scratch) {
        DenseChunk chunk = DenseChunk.filled(codec.type());
        codec.decode(stored, codec.type().box(), chunk.target(), scratch);
        chunk.target().fill(codec.type().fill(), inside.atZero()); // only elements beyond the edge decide
        return chunk.isFill();
    }

    private Optional<Bytes> unwrap(Bytes stored) {
        return enclosing == null ? Optional.of(stored) : enclosing.elements(stored, chunkShape);
    }

    /** Finds the chunk at {@code part} of {@code chunk}, which is a chunk at nesting level {@code level - 1}. */
    private Plan<LocatedChunk> locate(int level, LocatedChunk chunk, Box part) {
        if (level == levels.size()) {
            return Plan.done(chunk);
        }
        ShardAccess shard = chunk.codec.shardAccess().orElseThrow();
        long[] shape = levels.get(level).shape().orElseThrow();
        long[] cell = part.cells(shape).origin();
        Box innerChunk = Box.cell(cell, shape);
        return shard.locate(chunk.bytes, Shapes.permute(cell, levels.get(level).order()))
                .then(inner -> inner.isAbsent()
                        ? Plan.done(new LocatedChunk(shard.inner(), inner))
                        : locate(level + 1, new LocatedChunk(shard.inner(), inner), part.relativeTo(innerChunk)));
    }
}
