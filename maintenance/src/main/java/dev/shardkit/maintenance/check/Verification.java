package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.maintenance.staging.StrayChunks;
import dev.shardkit.maintenance.tree.HiddenNodes;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.StoredChecksums;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks all stored data of an array, or of all arrays below a group: metadata, shard indexes at all levels (Zarr
 * sharding codec, "Binary shard format"), unused bytes, and whether each chunk and inner chunk decodes. In a store with
 * {@link StoredChecksums}, such as a ZIP archive, it also compares each object with its checksum, which reads every
 * object once more. Reads only; changes nothing.
 *
 * <p>Reads check their own data, so they do not need a verification. Memory holds a few shard indexes and chunks, and
 * (if the store can list) eight bytes for each stored object. Works on any store. If a store cannot list, the check
 * requests all chunks of the grid and does not see other objects.
 *
 * <p>Immutable and thread-safe. Interrupting {@link #run} ends it with
 * {@link java.util.concurrent.CancellationException}.
 */
public final class Verification {
    private final ZarrNode node;
    private final ChunkDecoding decoding;
    private final Progress progress;
    private final Part part;

    private Verification(ZarrNode node, ChunkDecoding decoding, Progress progress, Part part) {
        this.node = node;
        this.decoding = decoding;
        this.progress = progress;
        this.part = part;
    }

    /**
     * The totals of a check.
     *
     * @param arrays the number of arrays
     * @param shards the number of shards that are stored objects
     * @param innerShards the number of shards that are inner chunks of others
     * @param innerChunks the number of innermost inner chunks
     * @param chunks the number of chunks of arrays without shards
     * @param bytes the bytes of all stored objects; for a shard that another codec compresses, its decoded size
     * @param unusedBytes the bytes that no index entry covers, in shards and inner shards
     * @param errors the number of errors
     * @param notes the number of notes
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

    /** Creates a check of an array, or of all arrays below a group, that decodes chunks. */
    public static Verification of(ZarrNode node) {
        return new Verification(node, ChunkDecoding.ALL, (array, done, total) -> {}, new Part(1, 1));
    }

    /**
     * Returns a copy that reads no chunks and no innermost inner chunks. It checks indexes, sizes and other objects.
     */
    public Verification withoutDecoding() {
        return new Verification(node, ChunkDecoding.NONE, progress, part);
    }

    /** Returns a copy that reports its progress to {@code listener}. */
    public Verification withProgress(Progress listener) {
        return new Verification(node, decoding, listener, part);
    }

    /**
     * Returns a copy that checks a part of each array's shards. The first part also checks everything except shards:
     * metadata, stray chunks and the files of interrupted writers. The totals of all parts together are those of the
     * whole check. If the store can list, a part lists the rows of the grid that it touches, and requests stored chunks
     * only.
     */
    public Verification withPart(Part one) {
        return new Verification(node, decoding, progress, one);
    }

    /**
     * Runs the check. Reports findings while it runs: objects in the order of the chunk grid, and all findings of an
     * object together. An exception of the consumer ends the run.
     *
     * @throws dev.shardkit.spi.error.StoreException if the store fails for many objects in a row
     */
    public Summary run(Consumer<? super Finding> findings) {
        FindingReport report = new FindingReport(findings);
        if (part.count() > 1) {
            return runPart(report);
        }
        VisitedArrays visited = new VisitedArrays();
        long arrays = TreeWalk.visit(
                node,
                group -> reportRemarks(group.path(), group.metadata(), report),
                array -> {
                    visited.add(array);
                    checkArray(array, report);
                },
                (path, e) -> report.report(findingOfNode(path, e)));
        if (node instanceof ZarrGroup group) {
            checkGroups(group, visited, report);
        }
        compareChecksums(report);
        return summary(arrays, report.totals());
    }

    private static void checkGroups(ZarrGroup group, VisitedArrays visited, FindingReport report) {
        HiddenNodes.outsideArrays(group, visited::contains, (path, why) -> report.report(hiddenNode(path, why)));
        UnfinishedWork.visitGroups(
                group, visited::contains, (path, what) -> report.report(UnfinishedWork.finding(path, what)));
    }

    /** Checks one part. Only the first part reports findings that do not concern shards; the others discard them. */
    private Summary runPart(FindingReport report) {
        boolean isFirst = part.number() == 1;
        VisitedArrays visited = new VisitedArrays();
        long arrays = TreeWalk.visit(
                node,
                group -> reportRemarks(group.path(), group.metadata(), isFirst ? report : new FindingReport(f -> {})),
                array -> {
                    visited.add(array);
                    Set<String> interrupted = isFirst
                            ? reportBesideChunks(array, report)
                            : reportLeftovers(array, new FindingReport(f -> {}));
                    if (isFirst) { // lists the whole array to report its other entries
                        StoredChunkList.of(array, otherEntries(array, report));
                    }
                    long shards = array.shards().count();
                    check(
                            array,
                            StoredChunkList.listedInRange(array, part.first(shards), part.end(shards)),
                            interrupted,
                            report);
                },
                isFirst ? (path, e) -> report.report(findingOfNode(path, e)) : (path, e) -> {});
        if (isFirst && node instanceof ZarrGroup group) {
            checkGroups(group, visited, report);
        }
        compareChecksums(report);
        return summary(isFirst ? arrays : 0, report.totals());
    }

    /** Compares the objects of this part with the checksums of the store, if it has any. */
    private void compareChecksums(FindingReport report) {
        StoredNode own = node instanceof ZarrArray array
                ? ArrayInternals.of(array).node()
                : InternalAccess.inside(node, StoredNode.class);
        Optional<StoredChecksums> checksums = decoding == ChunkDecoding.NONE
                ? Optional.empty()
                : own.session().store().find(StoredChecksums.class);
        if (checksums.isEmpty()) {
            return;
        }
        try {
            long count = checksums.get().count(own.path());
            checksums.get().compare(own.path(), part.first(count), part.end(count), damage -> {
                Engine.refuseInterrupted();
                report.report(new Finding(
                        Severity.ERROR,
                        Kind.CHECKSUM,
                        node.path(),
                        Optional.of(DataLocation.of(damage.key())),
                        Optional.empty(),
                        damage.expected(),
                        damage.found()));
            });
        } catch (IOException | StoreException e) {
            report.report(new Finding(
                    Severity.ERROR,
                    Kind.UNREADABLE,
                    node.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "objects that can be compared with their checksums",
                    e instanceof StoreException store ? store.fact() : e.toString()));
        }
    }

    private static Summary summary(long arrays, CheckResult all) {
        return new Summary(
                arrays,
                all.shards,
                all.innerShards,
                all.innerChunks,
                all.chunks,
                all.bytes,
                all.unused,
                all.errors,
                all.notes);
    }

    private static Finding hiddenNode(String path, HiddenNodes.Why why) {
        String found =
                switch (why) {
                    case FOLDER -> "a folder that is no group, so readers do not find this node from the root";
                    case ARRAY -> "the folder of an array, so readers do not find this node from the root";
                    case RESERVED_NAME ->
                        "a name that begins with __, which Zarr v3 reserves: other readers may refuse it";
                };
        String expected =
                why == HiddenNodes.Why.RESERVED_NAME ? "a name that Zarr v3 allows" : "a group above each node";
        return new Finding(Severity.NOTE, Kind.HIDDEN_NODE, path, Optional.empty(), Optional.empty(), expected, found);
    }

    private void checkArray(ZarrArray array, FindingReport report) {
        Set<String> interrupted = reportBesideChunks(array, report);
        check(array, StoredChunkList.of(array, otherEntries(array, report)), interrupted, report);
    }

    /** Checks these chunks, except objects with an interrupted change, and whether the array still exists. */
    private void check(ZarrArray array, StoredChunkList cells, Set<String> interrupted, FindingReport report) {
        StoredArray chunks = ArrayInternals.of(array);
        new ArrayCheck(array, decoding, progress, (cell, result) -> report.report(result))
                .run(cells, cell -> interrupted.contains(chunks.key(cell)));
        SourceCheck.loss(array).ifPresent(e -> report.report(findingOfNode(array.path(), e)));
    }

    /** Reports findings that do not concern chunks. Returns the keys of objects with an interrupted change. */
    private static Set<String> reportBesideChunks(ZarrArray array, FindingReport report) {
        for (String name : array.metadata().ignoredCodecs()) {
            report.report(new Finding(
                    Severity.NOTE,
                    Kind.METADATA,
                    array.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "codecs that an installed plug-in supports",
                    name + ", which reads skip"));
        }
        reportRemarks(array.path(), array.metadata(), report);
        Set<String> interrupted = reportLeftovers(array, report);
        reportUnfinished(array, report);
        return interrupted;
    }

    private static void reportRemarks(String path, NodeMetadata metadata, FindingReport report) {
        for (String remark : metadata.remarks()) {
            report.report(new Finding(
                    Severity.NOTE,
                    Kind.METADATA,
                    path,
                    Optional.empty(),
                    Optional.empty(),
                    "a document that follows the specification and has a form in Zarr v3",
                    remark));
        }
    }

    /** Reports the objects and directories that are not readable chunks. */
    private static StoredChunkList.OtherEntries otherEntries(ZarrArray array, FindingReport report) {
        return new StoredChunkList.OtherEntries() {
            private @Nullable SortedSet<String> nodes;
            /** Null until there is an object that is not a chunk: most arrays have none. */
            private @Nullable StrayChunks strays;

            /**
             * Whether an object belongs to a node in the array's folder. The first call lists and reports these nodes.
             */
            private boolean isOfNode(String key) {
                SortedSet<String> inside = nodes;
                if (inside == null) {
                    inside = new TreeSet<>();
                    SortedSet<String> paths = inside;
                    HiddenNodes.inArray(array, (path, why) -> {
                        paths.add(path);
                        report.report(hiddenNode(path, why));
                    });
                    nodes = inside;
                }
                for (String path = key; path.length() > array.path().length(); path = StoreKeys.parent(path)) {
                    if (inside.contains(path)) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            public void foreign(String key) {
                if (isOfNode(key)) {
                    return;
                }
                StrayChunks known = strays;
                if (known == null) {
                    known = new StrayChunks(array);
                    strays = known;
                }
                Optional<String> stray = known.findReason(key);
                report.report(new Finding(
                        Severity.NOTE,
                        stray.isPresent() ? Kind.STRAY_CHUNK : Kind.FOREIGN_OBJECT,
                        array.path(),
                        Optional.of(DataLocation.of(key)),
                        Optional.empty(),
                        "chunk keys within the grid",
                        stray.map(reason -> key + ": " + reason).orElse(key)));
            }

            @Override
            public void directory(String key) {
                unreadable(key, "a directory, so that the chunk reads as absent");
            }

            @Override
            public void unreadable(String key, String found) {
                report.report(new Finding(
                        Severity.ERROR,
                        Kind.UNREADABLE,
                        array.path(),
                        Optional.of(DataLocation.of(key)),
                        Optional.empty(),
                        "readable chunks",
                        found));
            }
        };
    }

    private static void reportUnfinished(ZarrArray array, FindingReport report) {
        UnfinishedWork.describe(array)
                .ifPresent(which -> report.report(new Finding(
                        Severity.NOTE,
                        Kind.CUT_SHORT,
                        array.path(),
                        Optional.empty(),
                        Optional.empty(),
                        "no unfinished work",
                        which)));
    }

    /**
     * Reports the files of interrupted writers. Returns the keys of objects with an interrupted change: reading them
     * would wait for a writer that no longer runs.
     */
    private static Set<String> reportLeftovers(ZarrArray array, FindingReport report) {
        Set<String> interrupted = new HashSet<>();
        try {
            ArrayInternals.of(array).leftovers(left -> {
                boolean journal = left.kind() == Leftover.Kind.JOURNAL;
                report.report(new Finding(
                        journal ? Severity.ERROR : Severity.NOTE,
                        journal ? Kind.CUT_SHORT : Kind.LEFTOVER,
                        array.path(),
                        left.key().map(DataLocation::of),
                        Optional.empty(),
                        journal ? "no interrupted change in place" : expected(left.kind()),
                        left.name() + ", " + left.bytes() + " bytes"));
                left.key().filter(key -> journal).ifPresent(interrupted::add);
            });
        } catch (UnsupportedException e) {
            return Set.of(); // a read-only store
        } catch (StoreException e) {
            report.report(new Finding(
                    Severity.ERROR,
                    Kind.UNREADABLE,
                    array.path(),
                    Optional.empty(),
                    Optional.empty(),
                    "readable places for the store's own files",
                    e.fact()));
        }
        return interrupted;
    }

    private static String expected(Leftover.Kind kind) {
        return switch (kind) {
            case JOURNAL_SET_ASIDE -> "no journal that was set aside because another program has written its object";
            case FOREIGN -> "no unknown object among the store's own files";
            default -> "no file of an interrupted writer";
        };
    }

    /** Returns the finding that a node cannot be opened, for callers that opened it themselves. */
    public static Finding findingOfNode(String path, ZarrException failure) {
        boolean unsupported = failure instanceof UnsupportedException;
        Kind kind = unsupported
                ? Kind.UNSUPPORTED
                : failure instanceof StoreException
                        ? Kind.UNREADABLE
                        : failure instanceof ChecksumException ? Kind.CHECKSUM : Kind.METADATA;
        return new Finding(
                Severity.ERROR,
                kind,
                path,
                Optional.empty(),
                Optional.empty(),
                unsupported ? "a node that installed plug-ins support" : "a valid Zarr v3 node",
                failure.fact());
    }

    /**
     * The arrays that the walk has checked. The walks over groups and folders that follow need not read their documents
     * again. Remembers a limited number, because a tree may have any number of arrays. Not thread-safe.
     */
    private static final class VisitedArrays {
        /** Takes about 10 MB. */
        private static final int MAX_REMEMBERED = 100_000;

        private final Set<String> paths = new HashSet<>();

        /**
         * Remembers an array of Zarr v3. Arrays of other formats may store their chunks elsewhere than at their path.
         */
        void add(ZarrArray array) {
            if (paths.size() < MAX_REMEMBERED && array.nodeFormat().isEmpty()) {
                paths.add(array.path());
            }
        }

        boolean contains(String path) {
            return paths.contains(path);
        }
    }
}
