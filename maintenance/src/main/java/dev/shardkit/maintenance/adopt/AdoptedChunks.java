package dev.shardkit.maintenance.adopt;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The positions of the chunks in a file of another program, which is adopted as a shard: an index is appended to it, or
 * stored apart. The positions are validated. Immutable.
 */
final class AdoptedChunks {
    /** The byte range of each inner chunk, by linear index; empty for absent chunks. */
    private final List<Optional<Extent>> extents;
    /** The end of the last chunk in the file. */
    private final long end;

    private final long count;

    private AdoptedChunks(List<Optional<Extent>> extents, long end, long count) {
        this.extents = extents;
        this.end = end;
        this.count = count;
    }

    /**
     * Validates chunk positions without reading the file.
     *
     * @param shard the shard that the file becomes
     * @throws IllegalArgumentException if a chunk does not belong to the shard, or is given twice
     * @throws CorruptDataException if chunks have impossible sizes or overlap
     */
    static AdoptedChunks of(ShardAccess shard, Iterable<Adoption.Chunk> chunks) {
        Box cells = Box.of(shard.gridShape());
        List<Optional<Extent>> extents =
                new ArrayList<>(Collections.nCopies(Math.toIntExact(cells.count()), Optional.empty()));
        long end = 0;
        long count = 0;
        for (Adoption.Chunk chunk : chunks) {
            int number = number(chunk.cell(), shard.gridShape());
            if (extents.get(number).isPresent()) {
                throw new IllegalArgumentException("chunk " + Arrays.toString(chunk.cell()) + " is given twice");
            }
            checkSize(chunk, shard.inner());
            extents.set(number, Optional.of(new Extent(chunk.offset(), chunk.size())));
            end = Math.max(end, chunk.offset() + chunk.size());
            count++;
        }
        checkApart(extents);
        return new AdoptedChunks(List.copyOf(extents), end, count);
    }

    /** Returns the linear index of a chunk in the grid of the shard. */
    private static int number(long[] cell, long[] gridShape) {
        boolean isInside = cell.length == gridShape.length;
        long number = 0;
        for (int d = 0; isInside && d < cell.length; d++) {
            isInside = cell[d] >= 0 && cell[d] < gridShape[d];
            number = number * gridShape[d] + cell[d];
        }
        if (!isInside) {
            throw new IllegalArgumentException("chunk " + Arrays.toString(cell) + ": expected one of a shard of "
                    + Arrays.toString(gridShape) + " inner chunks");
        }
        return Math.toIntExact(number);
    }

    private static void checkSize(Adoption.Chunk chunk, ChunkCodec codec) {
        String prefix = "chunk " + Arrays.toString(chunk.cell()) + ": ";
        if (chunk.offset() < 0 || chunk.size() < 1 || chunk.offset() + chunk.size() < 0) {
            throw new CorruptDataException(prefix + "expected an offset of 0 or more and a size of 1 or more, found "
                    + chunk.offset() + " and " + chunk.size());
        }
        OptionalLong exact = codec.encodedSize();
        if (exact.isPresent() && exact.getAsLong() != chunk.size()) {
            throw new CorruptDataException(prefix + "expected " + exact.getAsLong()
                    + " bytes, as the array's codecs determine, found " + chunk.size());
        } else if (chunk.size() > codec.maxEncodedSize()) {
            throw new CorruptDataException(
                    prefix + "expected at most " + codec.maxEncodedSize() + " bytes, found " + chunk.size());
        }
    }

    /** Throws if two byte ranges overlap. */
    private static void checkApart(List<Optional<Extent>> extents) {
        TreeMap<Long, Long> endsByOffset = new TreeMap<>();
        for (Optional<Extent> extent : extents) {
            if (extent.isPresent()) {
                long offset = extent.get().offset();
                long end = offset + extent.get().size();
                Optional<Map.Entry<Long, Long>> before = Optional.ofNullable(endsByOffset.floorEntry(offset));
                Optional<Long> next = Optional.ofNullable(endsByOffset.ceilingKey(offset));
                if (before.isPresent() && before.get().getValue() > offset || next.isPresent() && next.get() < end) {
                    throw new CorruptDataException("two chunks overlap at byte " + offset);
                }
                endsByOffset.put(offset, end);
            }
        }
    }

    /** Throws if the file is too short for the chunks. */
    void checkFile(long size) {
        if (end > size) {
            throw new CorruptDataException(
                    "expected a file of at least " + end + " bytes, so that it holds all chunks, found " + size);
        }
    }

    /** Returns the byte ranges by linear index. */
    List<Optional<Extent>> extents() {
        return extents;
    }

    /** Returns the number of chunks. */
    long count() {
        return count;
    }
}
