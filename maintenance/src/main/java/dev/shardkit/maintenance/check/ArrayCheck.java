package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Checks the stored objects of one array for {@link Verification}, several at a time. Used once, by one thread. */
final class ArrayCheck {
    /** The largest number of objects that are checked together. */
    private static final int MAX_BATCH = 64;
    /** The largest number of index entries of these objects. */
    private static final long MAX_INDEX_ENTRIES = 1 << 20;
    /** After this number of consecutive failures the store is considered unavailable, and the check fails. */
    private static final int MAX_FAILURES_IN_A_ROW = 10;
    /** Shards up to this decoded size are read as a whole, not chunk by chunk. */
    private static final long MAX_WHOLE_BYTES = 1 << 20;

    private final ZarrArray array;
    private final StoredArray chunks;
    private final Progress progress;
    private final BiConsumer<long[], CheckResult> results;
    private final ObjectCheck check;
    private int failuresInARow;

    /**
     * Creates a check of {@code array}.
     *
     * @param results receives the result for each object, with the object's cell in the chunk grid
     */
    ArrayCheck(ZarrArray array, ChunkDecoding decoding, Progress progress, BiConsumer<long[], CheckResult> results) {
        this.array = array;
        this.chunks = ArrayInternals.of(array);
        this.progress = progress;
        this.results = results;
        this.check = new ObjectCheck(array.path(), decoding);
    }

    /** Checks the objects of these cells, except cells that {@code isSkipped} accepts. */
    void run(StoredChunkList cells, Predicate<long[]> isSkipped) {
        if (cells.count() == 0) {
            return;
        }
        int batchSize = batchSize(chunks.codec(cells.cell(0)));
        progress.at(array.path(), 0, cells.count());
        for (long done = 0; done < cells.count(); ) {
            List<long[]> batch = new ArrayList<>();
            for (; batch.size() < batchSize && done < cells.count(); done++) {
                long[] cell = cells.cell(done);
                if (!isSkipped.test(cell)) {
                    batch.add(cell);
                }
            }
            if (!batch.isEmpty()) {
                checkBatch(batch);
            }
            progress.at(array.path(), done, cells.count());
        }
    }

    /** Returns the number of objects to check together, so that their indexes fit into memory. */
    private static int batchSize(ChunkCodec codec) {
        long entries = codec.shardAccess()
                .map(ShardAccess::gridShape)
                .map(Shapes::count)
                .orElse(1L);
        return (int) Math.max(1, Math.min(MAX_BATCH, MAX_INDEX_ENTRIES / Math.max(1, entries)));
    }

    /** Returns whether an object is read as a whole: all its chunks are decoded, and it is small. */
    private boolean isReadWhole(ChunkCodec codec) {
        return check.decoding() == ChunkDecoding.ALL
                && codec.type().decodedSize().orElse(Long.MAX_VALUE) <= MAX_WHOLE_BYTES;
    }

    /** Checks these objects together. */
    void checkBatch(List<long[]> cells) {
        List<CheckResult> checked;
        try {
            checked = chunks.inspectAll(
                    cells,
                    cell -> isReadWhole(chunks.codec(cell)),
                    (cell, source) -> check.of(chunks.codec(cell), source));
        } catch (ZarrException e) {
            if (cells.size() > 1) {
                cells.forEach(cell -> checkBatch(List.of(cell))); // one object failed: check each separately
            } else {
                results.accept(cells.get(0), failureResult(cells.get(0), e));
            }
            return;
        }
        failuresInARow = 0;
        for (int i = 0; i < checked.size(); i++) {
            results.accept(cells.get(i), checked.get(i));
        }
    }

    /** Returns the result for an object whose read failed: it is shorter than its index, or unavailable. */
    private CheckResult failureResult(long[] cell, ZarrException e) {
        boolean isUnreadable = e instanceof StoreException;
        failuresInARow = isUnreadable ? failuresInARow + 1 : 0;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW) {
            throw e;
        }
        return CheckResult.empty()
                .add(new Finding(
                        Severity.ERROR,
                        kindOf(cell, e),
                        array.path(),
                        Optional.of(FailuresAsValues.locationOf(e, DataLocation.of(chunks.key(cell)))),
                        Optional.empty(),
                        isUnreadable ? "a readable object" : "a chunk that decodes",
                        e.fact()));
    }

    private Kind kindOf(long[] cell, ZarrException e) {
        if (e instanceof StoreException) {
            return Kind.UNREADABLE;
        } else if (e instanceof UnsupportedException) {
            return Kind.UNSUPPORTED;
        } else if (e instanceof MetadataException) {
            return Kind.METADATA;
        } else if (e instanceof ChecksumException) {
            return Kind.CHECKSUM;
        }
        return chunks.codec(cell).shardAccess().isPresent() ? Kind.INDEX : Kind.CHUNK;
    }
}
