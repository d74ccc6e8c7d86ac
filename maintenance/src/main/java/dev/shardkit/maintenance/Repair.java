package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.RepairSettings.Damaged;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.codec.WritePolicy.ForeignBytes;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends what crashes have left in arrays: changes in place that were cut short, shards of which the end is torn, files
 * that no reader sees. On request it also removes what {@link Verification} finds damaged, so that the rest can be read
 * again: an inner chunk that is removed reads as the fill value.
 *
 * <p>Not for getting lost elements back. What it removes it tells of, all of it; {@link #withBackup} keeps a copy of
 * each object before that. A shard with foreign bytes is left as it is, unless told what to do with them.
 *
 * <p>Immutable and thread-safe. Interrupting it ends it with {@link java.util.concurrent.CancellationException}; what
 * was done stays done.
 */
public final class Repair {
    private final ZarrNode node;
    private final RepairSettings settings;

    private Repair(ZarrNode node, RepairSettings settings) {
        this.node = node;
        this.settings = settings;
    }

    /**
     * A run in numbers. Immutable.
     *
     * @param arrays the arrays
     * @param done the steps that are done, or would be
     * @param lost how many chunks and inner chunks they remove
     * @param left how many things remain wrong
     */
    public record Summary(long arrays, long done, long lost, long left) {}

    /** Of an array, or of all below a group. */
    public static Repair of(ZarrNode node) {
        return new Repair(
                node,
                new RepairSettings(
                        Damaged.STAYS, WritePolicy.defaults(), Optional.empty(), (array, done, total) -> {}));
    }

    /** The same, removing chunks and inner chunks that do not decode; all are decoded to find them. */
    public Repair droppingDamaged() {
        return new Repair(
                node, new RepairSettings(Damaged.GOES, settings.policy(), settings.backup(), settings.progress()));
    }

    /**
     * The same as {@link #droppingDamaged}, deleting shards without any valid index too (files that were cut, say):
     * nothing in them can be found.
     */
    public Repair droppingLostShards() {
        return new Repair(
                node,
                new RepairSettings(
                        Damaged.GOES_WITH_LOST_SHARDS, settings.policy(), settings.backup(), settings.progress()));
    }

    /** The same with another treatment of the foreign bytes of shards that are written anew; refused by default. */
    public Repair with(ForeignBytes foreign) {
        return new Repair(
                node,
                new RepairSettings(
                        settings.damaged(), settings.policy().with(foreign), settings.backup(), settings.progress()));
    }

    /**
     * The same, putting each object under its key into {@code store} before anything of it is removed.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if that cannot write
     */
    public Repair withBackup(Store store) {
        store.need(Writes.class, "write");
        return new Repair(
                node,
                new RepairSettings(settings.damaged(), settings.policy(), Optional.of(store), settings.progress()));
    }

    /** The same, telling {@code listener} how far it is. */
    public Repair withProgress(Progress listener) {
        return new Repair(node, new RepairSettings(settings.damaged(), settings.policy(), settings.backup(), listener));
    }

    /**
     * Repairs the arrays, or tells what it would do.
     *
     * @param steps receives each step when it is done
     */
    public Summary run(Mode mode, Consumer<? super RepairStep> steps) {
        StepCount count = new StepCount(steps);
        long arrays = Nodes.visit(
                node,
                (ZarrArray array) -> new RepairRun(ended(array, mode, count), settings, mode, count).run(),
                (path, e) -> count.tell(new RepairStep(Kind.LEFT, path, Optional.empty(), Optional.empty(), e.fact())));
        return new Summary(arrays, count.done(), count.lost(), count.left());
    }

    /** The array after a change of its layout that was cut short in its last steps, which are made. */
    private static ZarrArray ended(ZarrArray array, Mode mode, StepCount count) {
        if (!LayoutRun.isCutShort(array)) {
            return array;
        }
        ZarrArray now = mode == Mode.APPLY ? LayoutRun.end(array) : array;
        count.tell(new RepairStep(
                Kind.END_CHANGE,
                array.path(),
                Optional.empty(),
                Optional.empty(),
                "a change of the array's layout was cut short"));
        return now;
    }
}
