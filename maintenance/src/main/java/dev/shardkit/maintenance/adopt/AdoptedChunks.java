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

/** The validated chunk positions of a foreign file. Immutable. */
final class AdoptedChunks {
    private final List<Optional<Extent>> extents;
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
     * @throws IllegalArgumentException if a chunk does not belong to such a shard
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

    private static int number(long[] cell, long[] cells) {
        boolean inside = cell.length == cells.length;
        long number = 0;
        for (int d = 0; inside && d < cell.length; d++) {
            inside = cell[d] >= 0 && cell[d] < cells[d];
            number = number * cells[d] + cell[d];
        }
        if (!inside) {
            throw new IllegalArgumentException("chunk " + Arrays.toString(cell) + ": expected one of a shard of "
                    + Arrays.toString(cells) + " inner chunks");
        }
        return Math.toIntExact(number);
    }

    private static void checkSize(Adoption.Chunk chunk, ChunkCodec codec) {
        String what = "chunk " + Arrays.toString(chunk.cell()) + ": ";
        if (chunk.offset() < 0 || chunk.size() < 1 || chunk.offset() + chunk.size() < 0) {
            throw new CorruptDataException(what + "expected an offset of 0 or more and a size of 1 or more, found "
                    + chunk.offset() + " and " + chunk.size());
        }
        OptionalLong exact = codec.encodedSize();
        if (exact.isPresent() && exact.getAsLong() != chunk.size()) {
            throw new CorruptDataException(what + "expected " + exact.getAsLong()
                    + " bytes, as the array's codecs determine, " + "found " + chunk.size());
        } else if (chunk.size() > codec.maxEncodedSize()) {
            throw new CorruptDataException(
                    what + "expected at most " + codec.maxEncodedSize() + " bytes, found " + chunk.size());
        }
    }

    private static void checkApart(List<Optional<Extent>> extents) {
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (Optional<Extent> extent : extents) {
            if (extent.isPresent()) {
                Extent e = extent.get();
                Optional<Map.Entry<Long, Long>> before = Optional.ofNullable(ends.floorEntry(e.offset()));
                Optional<Long> next = Optional.ofNullable(ends.ceilingKey(e.offset()));
                if (before.isPresent() && before.get().getValue() > e.offset()
                        || next.isPresent() && next.get() < e.offset() + e.size()) {
                    throw new CorruptDataException("two chunks overlap at byte " + e.offset());
                }
                ends.put(e.offset(), e.offset() + e.size());
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
