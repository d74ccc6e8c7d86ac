package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.BoxWrites;
import dev.shardkit.maintenance.chunks.EncodedCopy;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.destination.FinishedNodeCheck;
import dev.shardkit.maintenance.local.CopiedPermissions;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Commits;
import dev.shardkit.store.NameChecks;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies an array, or a group with all its descendants, to the root of another store, optionally with other shards,
 * chunks and codecs. Everything else stays the same. The chunk shape and codecs of a sharded copy are those of its
 * inner chunks. Nodes of other formats become Zarr v3. The copy has no storage transformers, and lacks the codecs that
 * reads skip because no plug-in supports them.
 *
 * <p>In the copy of a group, shapes are adapted to each array: a chunk is at most as long as the array, and a shard has
 * whole chunks, at most as many as the array. Arrays with another number of dimensions, such as coordinates, keep their
 * chunks and shards ({@link #withNotes}).
 *
 * <p>Arrays that keep chunk grid and codecs are copied between local stores as stored objects, without decoding. If
 * both chunk grids are regular, chunks and inner chunks that keep shape and codecs move into, out of or between shards
 * without decoding. So a corrupt chunk is copied unchanged, unless it exceeds the maximum encoded size of its codecs:
 * then the copy fails. Chunks that hold only fill values stay stored. All other chunks, and chunks that the array's
 * edge clips, are decoded and encoded again. Shards are encoded in memory; if the heap is too small for all threads,
 * one thread copies.
 *
 * <p>Children are written before their group, and chunks before their array's metadata. An interrupted copy is marked
 * as unfinished, and repeating the call resumes it: complete arrays, and stored objects with the same size, are
 * skipped. An array whose chunks are encoded again starts over. A copy cannot be resumed if its source is remote or has
 * changed, or if it uses {@link Durability#NONE}; call {@link #overwriting} to replace it. In an archive, a copy is
 * published as a whole at its end. If it fails, the old archive stays ({@link AllOrNothing}).
 *
 * <p>If the location of the target names a format that supports creating arrays, such as {@code neuroglancer:OUT}, an
 * array is copied in that format. The codecs are then one encoding of the format ({@code Json.of("raw")}). Immutable
 * and thread-safe.
 */
public final class Copy {
    private static final String STRUCT = "struct";
    private static final String RECTILINEAR = "rectilinear";

    final ZarrNode source;
    final LayoutOverrides overrides;
    final IfExists existing;
    final Progress progress;
    /** Receives the nodes that are left out because they are not supported; null if they fail the copy. */
    private final @Nullable BiConsumer<String, UnsupportedException> skipped;
    /** Receives the nodes that are left out because their names are reserved; null if they fail the copy. */
    private final @Nullable BiConsumer<String, UnsupportedException> reserved;

    private final BiConsumer<String, String> notes;

    private Copy(
            ZarrNode source,
            LayoutOverrides overrides,
            IfExists existing,
            Progress progress,
            @Nullable BiConsumer<String, UnsupportedException> skipped,
            @Nullable BiConsumer<String, UnsupportedException> reserved,
            BiConsumer<String, String> notes) {
        this.source = source;
        this.overrides = overrides;
        this.existing = existing;
        this.progress = progress;
        this.skipped = skipped;
        this.reserved = reserved;
        this.notes = notes;
    }

    /** Creates a copy of an array, or of a group with all its descendants, unchanged, into an empty place. */
    public static Copy of(ZarrNode source) {
        return new Copy(
                source,
                LayoutOverrides.of(
                        source instanceof ZarrGroup ? LayoutOverrides.Scope.TREE : LayoutOverrides.Scope.ARRAY),
                IfExists.REFUSE,
                (array, done, total) -> {},
                null,
                null,
                (array, how) -> {});
    }

    private Copy with(LayoutOverrides other) {
        return new Copy(source, other, existing, progress, skipped, reserved, notes);
    }

    /** Returns a copy of this setting with shards of this shape. */
    public Copy withShardShape(long... shape) {
        return with(overrides.withShardShape(shape.clone()));
    }

    /** Returns a copy of this setting without shards: inner chunks become chunks, with the same codecs. */
    public Copy withoutShards() {
        return with(overrides.withShardShape(LayoutOverrides.UNSHARDED));
    }

    /** Returns a copy of this setting with chunks, or inner chunks, of this shape. */
    public Copy withChunkShape(long... shape) {
        return with(overrides.withChunkShape(shape.clone()));
    }

    /** Returns a copy of this setting with these codecs of chunks, or inner chunks; {@code bytes} is implied. */
    public Copy withCodecs(Json... codecs) {
        return with(overrides.withCodecs(codecs.clone()));
    }

    /** Returns a copy of this setting with this location of the shard index. */
    public Copy withIndexLocation(IndexLocation location) {
        return with(overrides.withIndexLocation(location));
    }

    /** Returns a copy of this setting whose target has this metadata, for the copy of an array. */
    Copy withMetadata(ArrayMetadata metadata) {
        return with(overrides.withExact(metadata));
    }

    /** Returns a copy of this setting that replaces an existing node or unfinished copy, and nothing else. */
    public Copy overwriting() {
        return new Copy(source, overrides, IfExists.OVERWRITE, progress, skipped, reserved, notes);
    }

    /** Returns a copy of this setting that reports its progress, in shards (without sharding: chunks) of each array. */
    public Copy withProgress(Progress listener) {
        return new Copy(source, overrides, existing, listener, skipped, reserved, notes);
    }

    /**
     * Returns a copy of this setting that leaves out the nodes of a tree that this process cannot open, for example
     * because a codec is missing. By default such a node fails the copy before anything is written. Corrupt metadata
     * still fails the copy.
     *
     * @param listener receives the path of each node that is left out, below the source, and the reason
     */
    public Copy skippingUnsupported(BiConsumer<String, UnsupportedException> listener) {
        return new Copy(source, overrides, existing, progress, listener, reserved, notes);
    }

    /**
     * Returns a copy of this setting that leaves out the nodes whose names begin with {@code __}, with all below them.
     * Zarr v2 and HDF5 allow such names, Zarr v3 reserves them. By default such a node fails the copy before anything
     * is written.
     *
     * @param listener receives the path of each node that is left out, below the source, and the reason
     */
    public Copy skippingReserved(BiConsumer<String, UnsupportedException> listener) {
        return new Copy(source, overrides, existing, progress, skipped, listener, notes);
    }

    /**
     * Returns a copy of this setting that reports where the copy differs from the request.
     *
     * @param listener receives the path of a node and a note: an array of a tree does not get the requested shape;
     *     zarr-python 3.1 does not support its data type (records) or its rectilinear grid; or its document has
     *     {@linkplain dev.shardkit.metadata.NodeMetadata#remarks remarks}, such as attributes that Zarr v3 cannot
     *     express
     */
    public Copy withNotes(BiConsumer<String, String> listener) {
        return new Copy(source, overrides, existing, progress, skipped, reserved, listener);
    }

    /**
     * Completes an earlier copy that has the layout of the source, for mirrors: copies the nodes and stored objects
     * that {@code target} lacks, without decoding. If the target is empty, it makes the whole copy. It also resumes an
     * interrupted call, even if the source is remote. Objects that exist in the target stay as they are: changes of the
     * source are not detected. If the source cannot be listed (HTTP), each missing chunk costs a request.
     *
     * @param options the options for writing
     * @throws IllegalArgumentException if this copy has another layout than the source
     * @throws dev.shardkit.spi.error.StoreException if the target holds something other than a copy of the source;
     *     nothing is written
     * @throws UnsupportedException if the store does not support writes, or an array is not of Zarr v3 or has storage
     *     transformers
     */
    public void missingOnlyTo(Store target, ZarrOptions options) {
        FormatCopy.refuse(target, options, "a copy of missing objects");
        if (!overrides.isEmpty() || existing == IfExists.OVERWRITE) {
            throw new IllegalArgumentException(
                    "a copy of missing objects keeps the layout and never overwrites; expected no layout and IfExists.REFUSE");
        }
        SourceCheck.refuseOverlap(source, target);
        check(target, options);
        AllOrNothing.run(target, () -> {
            new MissingNodesCopy(target, options, progress, this::children).complete(source);
            return NoResult.INSTANCE;
        });
    }

    /**
     * Copies the node. Checks first that every array supports the requested layout. The source and the target must not
     * overlap, which is checked for local folders.
     *
     * @param options the options for writing
     * @throws IllegalArgumentException if an array does not support the requested layout, or no array of a tree has as
     *     many dimensions as the requested shapes
     * @throws dev.shardkit.spi.error.StoreException if the target is not empty and must not be overwritten, or an
     *     unfinished copy there holds a node that this copy would not write
     * @throws UnsupportedException if the store does not support writes, or the heap is too small for one shard
     */
    public void to(Store target, ZarrOptions options) {
        if (FormatCopy.runIfFormatNamed(this, target, options)) {
            return;
        }
        SourceCheck.refuseOverlap(source, target);
        OpenedChildren opened = new OpenedChildren();
        CheckSummary checked = check(target, options, opened);
        AllOrNothing.run(target, () -> {
            copyTo(target, options, checked.bytes(), opened).finish(options);
            return NoResult.INSTANCE;
        });
    }

    /**
     * Copies the node as {@link #to} does, but keeps the record of unfinished work: the copy is a part of other work,
     * which ends it. In an archive, the record is deleted with the publication.
     *
     * @return the target, to finish
     */
    Destination stageTo(Store target, ZarrOptions options) {
        SourceCheck.refuseOverlap(source, target);
        OpenedChildren opened = new OpenedChildren();
        CheckSummary checked = check(target, options, opened);
        return AllOrNothing.run(target, () -> {
            Destination destination = copyTo(target, options, checked.bytes(), opened);
            if (target.find(Commits.class).isPresent()) {
                destination.finish(options);
            }
            return destination;
        });
    }

    /**
     * Returns this copy as one that several processes make together.
     *
     * @param options the options for writing; the ownership is always
     *     {@link dev.shardkit.store.policy.WriteOwnership#OWNED}
     * @throws IllegalArgumentException if an array does not support the requested layout, or no array of a tree has as
     *     many dimensions as the requested shapes
     * @throws UnsupportedException if the store does not support writes by several processes
     */
    public PartedCopy inParts(Store target, ZarrOptions options) {
        FormatCopy.refuse(target, options, "a copy in parts");
        SourceCheck.refuseOverlap(source, target);
        check(target, options);
        return new PartedCopy(this, target, options);
    }

    /** Copies the node, or resumes its copy. Keeps the record of unfinished work. */
    private Destination copyTo(Store target, ZarrOptions options, long bytes, OpenedChildren opened) {
        Destination destination = Destination.of(target);
        // a target with an empty state is never resumed
        String state =
                options.durability() == Durability.NONE ? "" : CopyDigest.of(source, overrides, options, opened::of);
        boolean resumed = destination.resume(state);
        if (!resumed) {
            destination.clear(existing);
            destination.begin(state, options.durability());
        }
        destination.whileLocked(options, () -> {
            new Run(target, destination, options, resumed, new CopyProgress(progress, bytes), opened).copy(source, "");
            return NoResult.INSTANCE;
        });
        return destination;
    }

    /** Returns the children that are copied. Does not report the others: the check has done so. */
    SortedMap<String, ZarrNode> children(ZarrGroup group) {
        return children(group, (name, e) -> {}, (name, e) -> {});
    }

    private SortedMap<String, ZarrNode> children(
            ZarrGroup group,
            BiConsumer<String, UnsupportedException> unsupportedListener,
            BiConsumer<String, UnsupportedException> reservedListener) {
        SortedMap<String, ZarrNode> children = new TreeMap<>();
        for (String name : group.childNames()) {
            if (NodePath.isReserved(name)) {
                skipReserved(group, name, reservedListener);
                continue;
            }
            try {
                group.find(name).ifPresent(child -> children.put(name, child));
            } catch (UnsupportedException e) {
                if (skipped == null) {
                    throw e;
                }
                unsupportedListener.accept(name, e);
            }
        }
        return children;
    }

    /** Reports a child with a reserved name and all nodes below it. Throws if such nodes are not skipped. */
    private void skipReserved(ZarrGroup group, String name, BiConsumer<String, UnsupportedException> listener) {
        UnsupportedException reason = new UnsupportedException(
                "Zarr v3 reserves names that begin with __, so a copy cannot hold the node " + name);
        if (reserved == null) {
            throw reason.locate(
                    Optional.of(StoreKeys.location(group.location(), name)), Optional.empty(), Optional.empty());
        }
        listener.accept(name, reason);
        TreeWalk.visitDescendants(group, name, path -> listener.accept(path, reason));
    }

    /**
     * A cache of the children that the check has opened, so that the copy does not open them again. It holds at most
     * {@link #MAX} nodes. Used by one thread.
     */
    private final class OpenedChildren {
        private static final int MAX = 20_000;

        private final Map<String, SortedMap<String, ZarrNode>> opened = new HashMap<>();
        private int count;

        void add(ZarrGroup group, SortedMap<String, ZarrNode> children) {
            if (count + children.size() <= MAX) {
                count += children.size();
                opened.put(group.path(), children);
            }
        }

        SortedMap<String, ZarrNode> of(ZarrGroup group) {
            SortedMap<String, ZarrNode> known = opened.get(group.path());
            return known != null ? known : children(group);
        }
    }

    /**
     * The result of a check.
     *
     * @param hasMatchingRank whether some array has as many dimensions as the requested shapes
     * @param bytes the decoded size of all arrays
     */
    private record CheckSummary(boolean hasMatchingRank, long bytes) {}

    private CheckSummary check(Store target, ZarrOptions options) {
        return check(target, options, new OpenedChildren());
    }

    private CheckSummary check(Store target, ZarrOptions options, OpenedChildren opened) {
        CheckSummary all = check(source, "", target.find(NameChecks.class), options, opened);
        if (!all.hasMatchingRank()
                && source instanceof ZarrGroup
                && overrides.rank().isPresent()) {
            throw overrides.noArray(source.location());
        }
        return all;
    }

    /**
     * Checks a node and all nodes below it, and reports notes and nodes that are left out.
     *
     * @param path its path below the source
     * @param target the checks of names in the target; empty if it accepts all names
     */
    private CheckSummary check(
            ZarrNode from, String path, Optional<NameChecks> target, ZarrOptions options, OpenedChildren opened) {
        boolean hasMatchingRank = false;
        long bytes = 0;
        from.metadata().remarks().forEach(remark -> notes.accept(path, "is not copied as stored: " + remark));
        if (from instanceof ZarrArray array) {
            bytes = CopyProgress.bytes(array);
            String grid = overrides.metadata(array, options).chunkGrid().name();
            if (grid.equals(RECTILINEAR)) {
                notes.accept(
                        path,
                        "has a rectilinear chunk grid, which zarr-python 3.1 and so xarray cannot read; "
                                + "--chunk-shape, or --shard-shape if it is sharded, makes it regular");
            }
            overrides.note(array, options).ifPresent(how -> notes.accept(path, how));
            if (array.dataType().name().equals(STRUCT)) {
                notes.accept(path, "has the data type struct, which zarr-python 3.1 cannot read");
            }
            hasMatchingRank = overrides.rank().orElse(-1) == array.shape().length;
        } else if (from instanceof ZarrGroup group) {
            SortedMap<String, ZarrNode> children = children(
                    group,
                    (name, e) -> skipped.accept(StoreKeys.join(path, name), e),
                    (name, e) -> reserved.accept(StoreKeys.join(path, name), e));
            opened.add(group, children);
            if (target.isPresent()) {
                checkNames(target.get(), path, children.keySet());
            }
            for (Map.Entry<String, ZarrNode> child : children.entrySet()) {
                CheckSummary below =
                        check(child.getValue(), StoreKeys.join(path, child.getKey()), target, options, opened);
                hasMatchingRank |= below.hasMatchingRank();
                bytes = Math.min(Long.MAX_VALUE / 2, bytes + below.bytes()); // the sum of two limits does not overflow
            }
        }
        return new CheckSummary(hasMatchingRank, bytes);
    }

    private static void checkNames(NameChecks target, String path, Set<String> names) {
        try {
            target.check(path, names);
        } catch (IOException e) {
            throw new StoreException(
                    "checking whether the target can hold the nodes of \"" + path + "\" failed: " + e.getMessage(), e);
        }
    }

    /** One run, which writes all nodes. */
    private final class Run {
        private static final int SMALL_AT_ONCE = 16;
        private static final long SMALL_BYTES = 1 << 20;

        /** Whether several arrays are written at once: not to an archive, whose entries have an order. */
        private final boolean writesConcurrently;

        private final Store target;
        private final Destination destination;
        private final ZarrOptions options;
        private final boolean resumed;
        private final CopyProgress copyProgress;
        private final OpenedChildren opened;

        Run(
                Store target,
                Destination destination,
                ZarrOptions options,
                boolean resumed,
                CopyProgress copyProgress,
                OpenedChildren opened) {
            this.destination = destination;
            this.opened = opened;
            this.copyProgress = copyProgress;
            this.writesConcurrently = target.find(Commits.class).isEmpty();
            this.target = target;
            this.options = options;
            this.resumed = resumed;
        }

        @SuppressWarnings("try") // open while the node is copied
        void copy(ZarrNode from, String path) {
            try (CopiedPermissions access =
                    CopiedPermissions.restrict(List.of(from.location()), StoreKeys.location(target.describe(), path))) {
                copyNode(from, path);
            }
        }

        private void copyNode(ZarrNode from, String path) {
            if (from instanceof ZarrArray array) {
                ArrayMetadata metadata = overrides.metadata(array, options);
                CopyProgress.ArrayProgress arrayProgress = copyProgress.of(array);
                if (isComplete(path, metadata)) {
                    refuseOtherObjects(array, path, metadata);
                } else {
                    copy(array, path, metadata, arrayProgress);
                }
                arrayProgress.complete();
                return;
            }
            ZarrGroup group = (ZarrGroup) from;
            copyChildren(opened.of(group), path);
            SourceCheck.confirm(group);
            destination.requireHeld();
            ZarrGroup copied = isComplete(path, GroupMetadata.of(group.attributes()))
                    ? Zarr.openGroup(target, path, options)
                    : Zarr.createGroup(target, path, group.attributes(), IfExists.REFUSE, options);
            if (group.metadata().consolidated().isPresent()) {
                copied.consolidate();
            }
        }

        /** Copies children. Several small arrays are copied at once, because each waits for the disk or the network. */
        private void copyChildren(SortedMap<String, ZarrNode> children, String path) {
            Deque<CompletableFuture<NoResult>> running = new ArrayDeque<>();
            try {
                children.forEach((name, child) -> {
                    String childPath = StoreKeys.join(path, name);
                    if (!isSmall(child)) {
                        awaitAtMost(running, 0);
                        copy(child, childPath);
                        return;
                    }
                    awaitAtMost(running, SMALL_AT_ONCE - 1);
                    running.add(AllOrNothing.session(child).async(() -> {
                        copy(child, childPath);
                        return NoResult.INSTANCE;
                    }));
                });
                awaitAtMost(running, 0);
            } finally {
                BoxWrites.end(running);
            }
        }

        private boolean isSmall(ZarrNode node) {
            return writesConcurrently && node instanceof ZarrArray array && CopyProgress.bytes(array) <= SMALL_BYTES;
        }

        private void awaitAtMost(Deque<CompletableFuture<NoResult>> running, int max) {
            while (running.size() > max) {
                BoxWrites.await(running.remove(), "copying arrays");
            }
        }

        /** Whether the node's document exists; it is written after everything below the node. */
        private boolean isComplete(String path, NodeMetadata written) {
            return resumed && FinishedNodeCheck.isFinished(target, path, written, options);
        }

        /** Refuses an array that has the same metadata but other chunks: another program has created it. */
        private void refuseOtherObjects(ZarrArray from, String path, ArrayMetadata metadata) {
            if (EncodedCopy.isPossible(from, metadata, target)) {
                EncodedCopy.findMissing(from, Zarr.openArray(target, path, options))
                        .ifPresent(key -> {
                            throw FinishedNodeCheck.mismatch(
                                    target,
                                    path,
                                    "expected the chunk " + key + " in the size of the source, found none or another");
                        });
            }
        }

        private void copy(
                ZarrArray from, String path, ArrayMetadata metadata, CopyProgress.ArrayProgress arrayProgress) {
            ZarrOptions reportingOptions = options.withListener(new ProgressListener(copyProgress.listener(), path));
            StagedArray staged = Zarr.stageArray(target, path, metadata, IfExists.REFUSE, reportingOptions);
            if (EncodedCopy.isPossible(from, metadata, target)) {
                EncodedCopy.run(from, staged.array(), path, resumed, arrayProgress.objectListener());
            } else {
                DecodedCopy.run(from, staged.array(), arrayProgress::add);
            }
            SourceCheck.confirm(from);
            destination.requireHeld();
            staged.publish();
        }
    }
}
