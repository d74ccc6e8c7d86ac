package dev.shardkit.maintenance.relayout;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.staging.LayoutPreconditions;
import dev.shardkit.maintenance.staging.ShapeFitting;
import dev.shardkit.maintenance.staging.UnfinishedLayout;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes the shards and chunks of arrays in place. If inner chunks keep their shape and codecs, they are moved as
 * encoded bytes inside the store; otherwise they are decoded and encoded again, region by region. The rest of the
 * document stays the same. Only the attribute {@code nonempty_chunks} ({@link dev.shardkit.NonemptyChunksAttribute}),
 * if there is one, is rebuilt if the innermost chunks change.
 *
 * <p>The new objects are staged in a reserved place. The array is replaced only after all of them exist. At every step,
 * all objects that the document names exist. An interrupted run leaves either the old or the new array for every
 * reader; repeating the call resumes it. Arrays that already have this layout are skipped.
 *
 * <p>Other programs must not write to the arrays during a run. If a write is detected before the replacement, the run
 * fails and keeps the array. A write during the replacement is kept, or it fails, or the run fails and says which write
 * may be lost; in a store without locks it may be lost silently. Open handles must be reopened afterwards.
 *
 * <p>An array is refused in each of these cases:
 *
 * <ul>
 *   <li>The consolidated metadata of a group above the requested node describes the array. Change that group instead:
 *       the run then builds its consolidated metadata again.
 *   <li>The consolidated metadata of a group cannot be built again, because a document below the group is invalid.
 *   <li>The array has a document of Zarr v2 beside {@code zarr.json}.
 *   <li>Objects have chunk keys outside the grid.
 * </ul>
 *
 * <p>Immutable and thread-safe. An interrupt ends the run with {@link java.util.concurrent.CancellationException}.
 */
public final class Relayout {
    final ZarrNode node;
    final ShardLayout layout;
    final long @Nullable [] chunks;
    final Progress progress;

    private Relayout(ZarrNode node, ShardLayout layout, long @Nullable [] chunks, Progress progress) {
        this.node = node;
        this.layout = layout;
        this.chunks = chunks;
        this.progress = progress;
    }

    /** The outcome for an array. */
    public enum Outcome {
        /** The array was changed, or would be. */
        CHANGED,
        /** The array already has the layout. */
        UNCHANGED,
        /** The array cannot be changed; {@link Change#reason} says why. */
        REFUSED
    }

    /** How inner chunks get into the new objects. */
    public enum Technique {
        /** Moved as encoded bytes. */
        MOVED,
        /** Some moved as encoded bytes, the others decoded and encoded again. */
        MIXED,
        /** Decoded and encoded again. */
        ENCODED
    }

    /**
     * The result for an array. Immutable.
     *
     * @param array its path
     * @param outcome the outcome
     * @param technique the technique, if it is changed
     * @param stored the shape of one stored object: the shard, or without shards the chunk
     * @param chunk the shape of the innermost chunks
     * @param objects the number of objects afterwards; 0 in a dry run
     * @param bytes the number of bytes that this run wrote
     * @param reason why it was refused, or why an array of a tree keeps its layout
     */
    public record Change(
            String array,
            Outcome outcome,
            Optional<Technique> technique,
            List<Long> stored,
            List<Long> chunk,
            long objects,
            long bytes,
            Optional<String> reason) {}

    /**
     * The totals of a run. Immutable.
     *
     * @param arrays the number of arrays
     * @param changed the number of arrays that were changed, or would be
     * @param unchanged the number of arrays that already have the layout
     * @param refused the number of arrays that cannot be changed
     * @param objects the number of objects of the changed arrays
     * @param bytes the number of bytes written
     */
    public record Summary(long arrays, long changed, long unchanged, long refused, long objects, long bytes) {}

    /**
     * Creates a change of an array, or of all arrays below a group, to {@code layout}. Chunks keep their shape and
     * encoding. Below a group, shapes are adapted to each array: a chunk is at most as long as the array, and a shard
     * has whole chunks, at most as many as the array. Arrays with another number of dimensions keep their layout.
     */
    public static Relayout of(ZarrNode node, ShardLayout layout) {
        return new Relayout(node, layout, null, (array, done, total) -> {});
    }

    /**
     * Returns the locations of the groups above an array whose consolidated metadata describes it, the nearest first. A
     * change of the array alone is refused while there are any. Remove their consolidated metadata before the change,
     * and consolidate them after it.
     *
     * @throws StoreException if the store fails
     */
    public static List<String> consolidatedAbove(ZarrArray array) {
        return LayoutPreconditions.findConsolidatingGroups(array, array.path());
    }

    /** Returns a copy with another shape of inner chunks (without shards: chunks). A regular grid replaces any grid. */
    public Relayout withChunkShape(long... shape) {
        return new Relayout(node, layout, shape.clone(), progress);
    }

    /** Returns a copy that reports its progress to {@code listener}. */
    public Relayout withProgress(Progress listener) {
        return new Relayout(node, layout, chunks, listener);
    }

    /**
     * Changes the layout, or reports what it would do.
     *
     * @param changes receives the result for each array
     * @throws IllegalArgumentException if the node is an array and the request does not fit it, or if no array of a
     *     tree has as many dimensions as the request
     * @throws UnsupportedException if the store does not support writes
     * @throws StoreException if the store fails, or another program changes an array during the run
     */
    public Summary run(Mode mode, Consumer<? super Change> changes) {
        return new Run(mode, changes).run();
    }

    /**
     * One run, by one thread. Visits the nodes depth first, and changes each array when it reaches it.
     *
     * <p>The consolidated metadata of a group describes the old layout of the arrays below it. The run therefore
     * removes this metadata before the first of these arrays is replaced, and builds it again at the end:
     *
     * <ol>
     *   <li>{@link #visit} adds a group to {@link #consolidated} (if it has consolidated metadata) and to
     *       {@link #unsearchedGroups} before it visits the children, and removes it from both afterwards.
     *   <li>{@link #collectMarked} is called for each array. It searches the groups above the array for the mark of an
     *       interrupted run, which had removed their consolidated metadata. Then it empties the list: each group is
     *       searched once.
     *   <li>{@link RelayoutRun} calls {@link #refuseLoss} before it writes, and {@link #removeConsolidated} before it
     *       replaces the array. A group is marked before its metadata is removed. Then {@link #consolidated} is
     *       emptied: both methods skip the group for later arrays below it.
     *   <li>{@link #run} consolidates all {@link #groupsToRebuild} and deletes their marks.
     * </ol>
     */
    private final class Run {
        private final Mode mode;
        private final Consumer<? super Change> listener;
        /** The groups above the current node that still have their consolidated metadata, the outermost first. */
        private final List<ZarrGroup> consolidated = new ArrayList<>();

        /** For each checked group, why its consolidated metadata cannot be built again; empty if they can. */
        private final Map<ZarrGroup, Optional<String>> consolidationFailures = new IdentityHashMap<>();

        /** The groups above the current node that {@link #collectMarked} has not searched for a mark. */
        private final List<ZarrGroup> unsearchedGroups = new ArrayList<>();

        /** The groups whose consolidated metadata this run or an interrupted one has removed. */
        private final List<ZarrGroup> groupsToRebuild = new ArrayList<>();

        /** The number of arrays for each outcome, by its ordinal. */
        private final long[] outcomes = new long[Outcome.values().length];

        private long arrays;
        /** The number of arrays with another number of dimensions than the request. */
        private long mismatches;

        private long objects;
        private long bytes;

        Run(Mode mode, Consumer<? super Change> listener) {
            this.mode = mode;
            this.listener = listener;
        }

        Summary run() {
            visit(node);
            // The last removed first, which is usually the innermost. The result does not depend on the order, because
            // consolidated metadata does not contain that of inner groups.
            for (int i = groupsToRebuild.size() - 1; i >= 0; i--) {
                consolidate(groupsToRebuild.get(i));
            }
            if (arrays > 0 && mismatches == arrays) {
                throw ShapeFitting.noArray(
                        chunks != null ? "chunk shape" : ShapeFitting.name(layout),
                        chunks != null
                                ? chunks.length
                                : ShapeFitting.rank(layout).orElse(0),
                        node.location());
            }
            return new Summary(
                    arrays, count(Outcome.CHANGED), count(Outcome.UNCHANGED), count(Outcome.REFUSED), objects, bytes);
        }

        private long count(Outcome outcome) {
            return outcomes[outcome.ordinal()];
        }

        private void visit(ZarrNode at) {
            if (at instanceof ZarrArray array) {
                report(processArray(array));
                return;
            }
            ZarrGroup group = (ZarrGroup) at;
            if (group.metadata().consolidated().isPresent()) {
                consolidated.add(group);
            }
            unsearchedGroups.add(group);
            ZarrGroup listed = group.ignoringConsolidated();
            for (String name : listed.childNames()) {
                try {
                    listed.find(name).ifPresent(this::visit);
                } catch (StoreException e) {
                    throw e;
                } catch (ZarrException e) {
                    report(refusedChange(StoreKeys.join(group.path(), name), e.fact()));
                }
            }
            consolidated.remove(group);
            unsearchedGroups.remove(group);
        }

        private void report(Change change) {
            arrays++;
            outcomes[change.outcome().ordinal()]++;
            objects += change.objects();
            bytes += change.bytes();
            listener.accept(change);
        }

        private Change processArray(ZarrArray array) {
            Store store = ArrayInternals.of(array).store("changing the layout of an array");
            if (mode == Mode.APPLY) {
                store.need(Listings.class, "changing the layout of an array");
                store.need(TreeDeletions.class, "changing the layout of an array");
                collectMarked();
            }
            try {
                Optional<Change> kept = array == node ? Optional.empty() : keepLayout(array);
                if (kept.isPresent()) {
                    return kept.get();
                }
                RelayoutRun run = array == node
                        ? new RelayoutRun(array, chunks, layout, progress, node.path(), this::refuseLoss)
                        : newFittedRun(array);
                return mode == Mode.DRY_RUN ? run.preview() : run.run(this::removeConsolidated);
            } catch (StoreException e) {
                throw e;
            } catch (ZarrException e) {
                return refusedChange(array.path(), e.getMessage());
            } catch (IllegalArgumentException e) {
                if (array == node) {
                    throw e; // the only requested array does not fit the request
                }
                return refusedChange(array.path(), e.getMessage());
            }
        }

        /**
         * Returns the result for an array of a tree that keeps its layout, because it is a scalar or has another number
         * of dimensions than the request; empty for other arrays.
         */
        private Optional<Change> keepLayout(ZarrArray array) {
            String request = chunks != null ? "chunk shape" : ShapeFitting.name(layout);
            OptionalInt requestedRank = chunks != null ? OptionalInt.of(chunks.length) : ShapeFitting.rank(layout);
            int rank = array.shape().length;
            Optional<String> why = requestedRank.isPresent()
                    ? ShapeFitting.rankMismatch(request, requestedRank.getAsInt(), rank)
                    : rank == 0 && !(layout instanceof ShardLayout.Unsharded)
                            ? Optional.of("keeps its layout: a scalar has one chunk")
                            : Optional.empty();
            mismatches += requestedRank.isPresent() && why.isPresent() ? 1 : 0;
            return why.map(reason -> new Change(
                    array.path(),
                    Outcome.UNCHANGED,
                    Optional.empty(),
                    lengths(array.storedChunkShape()),
                    lengths(array.chunkShape()),
                    0,
                    0,
                    Optional.of(reason)));
        }

        private static List<Long> lengths(long[] shape) {
            return Arrays.stream(shape).boxed().toList();
        }

        /** Returns the run for an array of a tree, with shapes adapted to it. */
        private RelayoutRun newFittedRun(ZarrArray array) {
            long @Nullable [] chunk = chunks == null ? null : ShapeFitting.fitChunk(chunks, array.shape());
            ShardLayout fitting =
                    ShapeFitting.fitLayout(layout, chunk == null ? array.chunkShape() : chunk, array.shape());
            return new RelayoutRun(array, chunk, fitting, progress, node.path(), this::refuseLoss);
        }

        /**
         * Collects the groups above an array whose consolidated metadata an interrupted run has removed. If a marked
         * group still or again has consolidated metadata, only the mark is deleted.
         */
        private void collectMarked() {
            for (ZarrGroup group : unsearchedGroups) {
                if (!UnfinishedLayout.isWithoutConsolidated(group)) {
                    continue;
                } else if (consolidated.contains(group)) {
                    Publication.at(group).end(WorkKind.RELAYOUT);
                } else {
                    groupsToRebuild.add(group);
                }
            }
            unsearchedGroups.clear();
        }

        /** Throws if the consolidated metadata of a group above the array could not be built again after the change. */
        private void refuseLoss() {
            for (ZarrGroup group : consolidated) {
                // Only for its check: throws if other work at the group is unfinished.
                Publication.at(group).recordRefusingOthers(WorkKind.RELAYOUT);
                Optional<String> loss = consolidationFailures.computeIfAbsent(group, Run::consolidationFailure);
                if (loss.isPresent()) {
                    throw new UnsupportedException("the consolidated metadata of the group " + group.location()
                            + " cannot be built again after the change; first repair the node below it, or use "
                            + "ZarrGroup.removeConsolidated: " + loss.get());
                }
            }
        }

        private static Optional<String> consolidationFailure(ZarrGroup group) {
            try {
                group.descendantMetadata();
                return Optional.empty();
            } catch (StoreException e) {
                throw e;
            } catch (ZarrException e) {
                return Optional.of(e.getMessage());
            }
        }

        /**
         * Removes the consolidated metadata of the groups above an array, before the array is replaced. Marks each
         * group first, so that a later run finds the groups if this one is interrupted.
         */
        private void removeConsolidated() {
            for (ZarrGroup group : consolidated) {
                UnfinishedLayout.beginWithoutConsolidated(group);
                groupsToRebuild.add(group.removeConsolidated());
            }
            consolidated.clear();
        }

        /**
         * Builds the consolidated metadata of a group again, and deletes its mark. Reports a refusal if a document is
         * invalid.
         */
        private void consolidate(ZarrGroup group) {
            try {
                UnfinishedLayout.consolidate(group);
            } catch (StoreException e) {
                throw e;
            } catch (ZarrException e) {
                outcomes[Outcome.REFUSED.ordinal()]++;
                listener.accept(refusedChange(
                        group.path(), "its consolidated metadata was removed and cannot be built again: " + e.fact()));
            }
        }

        private Change refusedChange(String path, String reason) {
            return new Change(path, Outcome.REFUSED, Optional.empty(), List.of(), List.of(), 0, 0, Optional.of(reason));
        }
    }
}
