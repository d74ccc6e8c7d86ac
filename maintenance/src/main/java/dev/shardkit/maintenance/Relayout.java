package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes how arrays are cut into shards and chunks, in their place. Where inner chunks keep their shape and codecs,
 * they move as encoded bytes, from object to object inside the store; otherwise they are decoded and encoded again
 * region by region. Attributes, names and all else that the document says stay; only a list of chunks that are not
 * empty ({@link dev.shardkit.ChunkManifest}) is made anew where the innermost chunks become others.
 *
 * <p>The new objects are made in a reserved place, one after the other; only when all are there the array is replaced,
 * in steps between which the document always names objects that are all there. A run that was killed leaves the old
 * array or the new one for every reader; the same call goes on where it was. What is so already is left as it is.
 *
 * <p>Not for arrays that others write to meanwhile: a write that is noticed makes the run fail and leaves the array as
 * it is. Whoever has the array open should open it again afterwards. Arrays are refused that the consolidated metadata
 * of a group above the node describe (run it on such a group; it is consolidated anew then), that have a document of
 * Zarr v2 beside {@code zarr.json}, or objects with keys of chunks outside the grid.
 *
 * <p>Immutable and thread-safe. Interrupting it ends it with {@link java.util.concurrent.CancellationException}.
 */
public final class Relayout {
    private final ZarrNode node;
    private final ShardLayout layout;
    private final long @Nullable [] chunks;
    private final Progress progress;

    private Relayout(ZarrNode node, ShardLayout layout, long @Nullable [] chunks, Progress progress) {
        this.node = node;
        this.layout = layout;
        this.chunks = chunks;
        this.progress = progress;
    }

    /** What becomes of an array. */
    public enum Outcome {
        /** It was changed, or would be. */
        CHANGED,
        /** It is so already. */
        UNCHANGED,
        /** It cannot be changed, for a reason. */
        REFUSED
    }

    /** How inner chunks get to their new place. */
    public enum Technique {
        /** As encoded bytes. */
        MOVED,
        /** Some as encoded bytes, the others decoded and encoded again. */
        MIXED,
        /** Decoded and encoded again. */
        ENCODED
    }

    /**
     * What became of an array, or would. Immutable.
     *
     * @param array its path
     * @param outcome what became of it
     * @param technique how, if it is changed
     * @param stored the shape of what is stored as one object: the shard, or without shards the chunk
     * @param chunk the shape of the innermost chunks
     * @param objects how many objects it has then; 0 in a dry run
     * @param bytes how many bytes this run has put into them
     * @param reason why it was refused
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
     * A run in numbers. Immutable.
     *
     * @param arrays the arrays
     * @param changed those that were changed, or would be
     * @param unchanged those that are so already
     * @param refused those that cannot be changed
     * @param objects how many objects the changed ones have
     * @param bytes how many bytes were put into them
     */
    public record Summary(long arrays, long changed, long unchanged, long refused, long objects, long bytes) {}

    /** Packs an array, or all arrays below a group, as {@code layout} says. Their chunks stay as they are. */
    public static Relayout of(ZarrNode node, ShardLayout layout) {
        return new Relayout(node, layout, null, (array, done, total) -> {});
    }

    /** The same with inner chunks (without shards: chunks) of another shape; a regular grid takes any grid's place. */
    public Relayout withChunkShape(long... shape) {
        return new Relayout(node, layout, shape.clone(), progress);
    }

    /** The same, telling {@code listener} how far it is. */
    public Relayout withProgress(Progress listener) {
        return new Relayout(node, layout, chunks, listener);
    }

    /**
     * Changes the layout, or tells what it would do.
     *
     * @param changes receives each array when it is done
     * @throws IllegalArgumentException if the node is an array and what is asked does not fit it
     * @throws dev.shardkit.spi.error.UnsupportedException if the store cannot write
     * @throws StoreException if the store fails, or somebody else changes an array meanwhile
     */
    public Summary run(Mode mode, Consumer<? super Change> changes) {
        return new Run(mode, changes).run();
    }

    /** A group without its consolidated metadata, and an array below it. */
    private record Opened(ZarrGroup group, ZarrArray array) {}

    /** One run, by one thread. */
    private final class Run {
        private final Mode mode;
        private final Consumer<? super Change> told;
        private final List<ZarrGroup> consolidated = new ArrayList<>();
        private final List<ZarrGroup> entered = new ArrayList<>();
        private final List<Opened> opened = new ArrayList<>();
        private final long[] outcomes = new long[Outcome.values().length];
        private long arrays;
        private long objects;
        private long bytes;

        Run(Mode mode, Consumer<? super Change> told) {
            this.mode = mode;
            this.told = told;
        }

        Summary run() {
            visit(node);
            for (int i = opened.size() - 1; i >= 0; i--) {
                consolidate(opened.get(i));
            }
            return new Summary(arrays, outcomes[0], outcomes[1], outcomes[2], objects, bytes);
        }

        private void consolidate(Opened one) {
            ZarrGroup group = one.group();
            try {
                group.consolidate();
                Forgotten.unmark(group, one.array());
            } catch (StoreException e) {
                throw e;
            } catch (ZarrException e) {
                outcomes[Outcome.REFUSED.ordinal()]++;
                told.accept(
                        refused(group.path(), "its consolidated metadata went and cannot be made again: " + e.fact()));
            }
        }

        private void visit(ZarrNode at) {
            if (at instanceof ZarrArray array) {
                tell(one(array));
                return;
            }
            ZarrGroup group = (ZarrGroup) at;
            boolean knows = group.metadata().consolidated().isPresent();
            if (knows) {
                consolidated.add(group);
            }
            entered.add(group);
            ZarrGroup listed = group.listed();
            for (String name : listed.childNames()) {
                try {
                    listed.find(name).ifPresent(this::visit);
                } catch (StoreException e) {
                    throw e;
                } catch (ZarrException e) {
                    tell(refused(group.path().isEmpty() ? name : group.path() + "/" + name, e.fact()));
                }
            }
            consolidated.remove(group);
            entered.remove(group);
        }

        private void tell(Change change) {
            arrays++;
            outcomes[change.outcome().ordinal()]++;
            objects += change.objects();
            bytes += change.bytes();
            told.accept(change);
        }

        private Change one(ZarrArray array) {
            Inside.of(array).store();
            if (mode == Mode.APPLY) {
                remember(array);
            }
            try {
                LayoutRun run = new LayoutRun(array, chunks, layout, progress, node.path());
                return mode == Mode.DRY_RUN ? run.look() : run.run(() -> open(array));
            } catch (StoreException e) {
                throw e;
            } catch (ZarrException e) {
                return refused(array.path(), e.getMessage());
            } catch (IllegalArgumentException e) {
                if (array == node) {
                    throw e; // what was asked fits no array that was meant
                }
                return refused(array.path(), e.getMessage());
            }
        }

        /** Groups whose documents know the array by heart forget it before it changes. */
        private void open(ZarrArray array) {
            for (ZarrGroup group : consolidated) {
                Forgotten.mark(group, array);
                opened.add(new Opened(group.withoutConsolidated(), array));
            }
            consolidated.clear();
        }

        /** Groups above {@code array} that a run which was killed has made forget are told again in the end. */
        private void remember(ZarrArray array) {
            for (ZarrGroup group : entered) {
                if (!Forgotten.isMarked(group, array)) {
                    continue;
                } else if (consolidated.contains(group)) {
                    Forgotten.unmark(group, array);
                } else {
                    opened.add(new Opened(group, array));
                }
            }
            entered.clear();
        }

        private Change refused(String path, String reason) {
            return new Change(path, Outcome.REFUSED, Optional.empty(), List.of(), List.of(), 0, 0, Optional.of(reason));
        }
    }

    static List<Long> lengths(long[] shape) {
        return Arrays.stream(shape).boxed().toList();
    }
}
