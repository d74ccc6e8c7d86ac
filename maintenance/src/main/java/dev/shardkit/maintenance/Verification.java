package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Finding.Kind;
import dev.shardkit.maintenance.Finding.Severity;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Leftover;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at everything that is stored of an array, or of all arrays below a group: metadata, shard indexes at all levels
 * (Zarr sharding codec, "Binary shard format"), bytes that no entry names, and whether each chunk and inner chunk
 * decodes. It reads and changes nothing.
 *
 * <p>Not for single reads, which check what they touch anyway. Memory is that of a few shard indexes and chunks, and
 * (where the store can list) eight bytes a stored object. Works on any store; where one cannot list, all chunks of the
 * grid are asked for, and other objects are not seen.
 *
 * <p>Immutable and thread-safe. Interrupting {@link #run} ends it with
 * {@link java.util.concurrent.CancellationException}.
 */
public final class Verification {
    private final ZarrNode node;
    private final Decoding decoding;
    private final Progress progress;

    private Verification(ZarrNode node, Decoding decoding, Progress progress) {
        this.node = node;
        this.decoding = decoding;
        this.progress = progress;
    }

    /** Whether chunks are decoded. */
    enum Decoding {
        ALL,
        NONE
    }

    /**
     * What was looked at, in numbers.
     *
     * @param arrays the arrays
     * @param shards the shards that are objects of their own
     * @param innerShards the shards that are inner chunks of others
     * @param innerChunks the innermost inner chunks
     * @param chunks the chunks of arrays without shards
     * @param bytes the bytes of all stored objects; of a shard behind a compressor, those of the decoded shard
     * @param unusedBytes those that no index entry names, at all levels
     * @param errors how many findings are errors
     * @param notes how many findings are notes
     */
    public record Summary(
            long arrays,
            long shards,
            long innerShards,
            long innerChunks,
            long chunks,
            long bytes,
            long unusedBytes,
            long errors,
            long notes) {}

    /** Of an array, or of all below a group; chunks are decoded. */
    public static Verification of(ZarrNode node) {
        return new Verification(node, Decoding.ALL, (array, done, total) -> {});
    }

    /** The same without reading inner chunks and chunks: indexes, sizes and other objects only. */
    public Verification withoutDecoding() {
        return new Verification(node, Decoding.NONE, progress);
    }

    /** The same, telling {@code listener} how far it is. */
    public Verification withProgress(Progress listener) {
        return new Verification(node, decoding, listener);
    }

    /**
     * Looks at all of it. Findings are handed over as they are made, those of one object together, objects in the order
     * of the chunk grid; what the consumer throws ends it.
     *
     * @throws dev.shardkit.spi.error.StoreException if the store fails for many objects in a row
     */
    public Summary run(Consumer<? super Finding> findings) {
        Report report = new Report(findings);
        long arrays = Nodes.visit(node, array -> look(array, report), (path, e) -> report.tell(ofNode(path, e)));
        return report.summary(arrays);
    }

    private void look(ZarrArray array, Report report) {
        for (String name : array.metadata().ignoredCodecs()) {
            report.tell(new Finding(
                    Severity.NOTE,
                    Kind.METADATA,
                    array.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "codecs that are known here",
                    name + ", which is skipped"));
        }
        Set<String> cutShort = leftovers(array, report);
        cutShortLayout(array, report);
        StoredCells cells = StoredCells.of(array, new StoredCells.Others() {
            @Override
            public void foreign(String key) {
                report.tell(new Finding(
                        Severity.NOTE,
                        Kind.FOREIGN_OBJECT,
                        array.path(),
                        Optional.of(Place.of(key)),
                        Optional.empty(),
                        "keys of chunks within the grid",
                        key));
            }

            @Override
            public void directory(String key) {
                refused(key, "a directory, so that the chunk reads as absent");
            }

            @Override
            public void refused(String key, String found) {
                report.tell(new Finding(
                        Severity.ERROR,
                        Kind.UNREADABLE,
                        array.path(),
                        Optional.of(Place.of(key)),
                        Optional.empty(),
                        "chunks that can be read",
                        found));
            }
        });
        new ArrayCheck(array, decoding, progress, (cell, tally) -> report.tell(tally))
                .run(cells.without(cell -> cutShort.contains(Inside.of(array).key(cell))));
    }

    private static void cutShortLayout(ZarrArray array, Report report) {
        boolean cutShort;
        try {
            cutShort = LayoutRun.isCutShort(array);
        } catch (UnsupportedException e) {
            return; // a store for readers only
        }
        if (cutShort) {
            report.tell(new Finding(
                    Severity.NOTE,
                    Kind.CUT_SHORT,
                    array.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "no change of layout that was cut short",
                    "one of which the last steps are to be made"));
        }
    }

    /** Tells of what killed writers have left; readers of the objects that are given would wait for them in vain. */
    private static Set<String> leftovers(ZarrArray array, Report report) {
        Set<String> cutShort = new HashSet<>();
        try {
            Inside.of(array).leftovers(left -> {
                boolean journal = left.kind() == Leftover.Kind.JOURNAL;
                report.tell(new Finding(
                        journal ? Severity.ERROR : Severity.NOTE,
                        journal ? Kind.CUT_SHORT : Kind.LEFTOVER,
                        array.path(),
                        left.key().map(Place::of),
                        Optional.empty(),
                        journal ? "no change in place that was cut short" : expected(left.kind()),
                        left.name() + ", " + left.bytes() + " bytes"));
                left.key().filter(key -> journal).ifPresent(cutShort::add);
            });
        } catch (UnsupportedException e) {
            return Set.of(); // a store for readers only
        } catch (StoreException e) {
            report.tell(new Finding(
                    Severity.ERROR,
                    Kind.UNREADABLE,
                    array.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "places where killed writers leave files that can be looked at",
                    e.fact()));
        }
        return cutShort;
    }

    private static String expected(Leftover.Kind kind) {
        return switch (kind) {
            case JOURNAL_SET_ASIDE -> "no journal that was set aside, since another program has written its object";
            case FOREIGN -> "nothing among the store's own files that no writer leaves";
            default -> "no file of a killed writer";
        };
    }

    /** The finding that a node cannot be opened, for those who opened it themselves. */
    public static Finding ofNode(String path, ZarrException failure) {
        boolean unsupported = failure instanceof UnsupportedException;
        Kind kind =
                unsupported ? Kind.UNSUPPORTED : failure instanceof StoreException ? Kind.UNREADABLE : Kind.METADATA;
        return new Finding(
                Severity.ERROR,
                kind,
                path,
                Optional.empty(),
                Optional.empty(),
                unsupported ? "a node that can be checked here" : "a valid Zarr v3 node",
                failure.fact());
    }
}
