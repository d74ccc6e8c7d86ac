package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites shards that hold unused bytes, which no index entry names. Appends and writes in place leave such bytes.
 * Inner chunks are copied as encoded bytes and never decoded. Nested shards are compacted too. Each shard is replaced
 * atomically, under its lock. Readers and other writers are not affected.
 *
 * <p>A shard without unused bytes is left unchanged. So a compaction cannot be used to only reorder inner chunks. A
 * shard that is damaged, or holds foreign bytes that the policy refuses, is reported and left unchanged. If a run ends
 * early, the shards compacted so far stay compacted.
 *
 * <p>Immutable and thread-safe. An interrupt ends the run with {@link java.util.concurrent.CancellationException}.
 */
public final class Compaction {
    private final ZarrNode node;
    private final ShardWritePolicy policy;
    private final int percent;
    private final Progress progress;

    private Compaction(ZarrNode node, ShardWritePolicy policy, int percent, Progress progress) {
        this.node = node;
        this.policy = policy;
        this.percent = percent;
        this.progress = progress;
    }

    /** The outcome for a shard. */
    public enum Outcome {
        /** The shard was rewritten, or would be. */
        COMPACTED,
        /** The shard held no inner chunk and was deleted, or would be. */
        REMOVED,
        /** The shard was left unchanged; {@link Shard#reason} says why. */
        REFUSED
    }

    /**
     * A shard with unused bytes, or a refused shard. Immutable.
     *
     * @param array the path of the array
     * @param key the key of the shard
     * @param outcome the outcome
     * @param bytes its size before
     * @param after its size afterwards
     * @param unused the number of bytes that no entry names
     * @param reason why it was refused
     */
    public record Shard(
            String array, String key, Outcome outcome, long bytes, long after, long unused, Optional<String> reason) {}

    /**
     * The totals of a run. Immutable.
     *
     * @param arrays the number of arrays
     * @param shards the number of checked shards
     * @param compacted the number of shards that were rewritten or deleted, or would be
     * @param refused the number of shards that were refused
     * @param bytes the size of all shards before
     * @param after their size afterwards
     */
    public record Summary(long arrays, long shards, long compacted, long refused, long bytes, long after) {}

    /**
     * Creates a compaction of an array, or of all arrays below a group. The default policy selects all shards with
     * unused bytes.
     */
    public static Compaction of(ZarrNode node) {
        return new Compaction(node, ShardWritePolicy.defaults(), 0, (array, done, total) -> {});
    }

    /**
     * Returns a copy with the order, slack, and handling of foreign bytes of {@code other}. Its strategy is ignored.
     */
    public Compaction withPolicy(ShardWritePolicy other) {
        return new Compaction(node, other, percent, progress);
    }

    /** Returns a copy that selects only shards with more than {@code percent} percent of unused bytes. */
    public Compaction above(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("expected 0 to 100 percent, found " + percent);
        }
        return new Compaction(node, policy, percent, progress);
    }

    /** Returns a copy that reports its progress to {@code listener}. */
    public Compaction withProgress(Progress listener) {
        return new Compaction(node, policy, percent, listener);
    }

    /**
     * Compacts the shards, or reports what it would do.
     *
     * @param shards receives each shard that is compacted, deleted or refused, in the order of the chunk grid
     */
    public Summary run(Mode mode, Consumer<? super Shard> shards) {
        Run run = new Run(mode, shards);
        long arrays = TreeWalk.visit(node, run::visit, (path, e) -> {
            throw e;
        });
        return new Summary(arrays, run.shards, run.compacted, run.refusedShards, run.bytes, run.after);
    }

    /** One run, by one thread. */
    private final class Run {
        private final Mode mode;
        private final Consumer<? super Shard> listener;
        private long shards;
        private long compacted;
        private long refusedShards;
        private long bytes;
        private long after;

        Run(Mode mode, Consumer<? super Shard> listener) {
            this.mode = mode;
            this.listener = listener;
        }

        void visit(ZarrArray array) {
            if (!array.isSharded()) {
                return;
            }
            StoredChunkList cells = StoredChunkList.of(array);
            for (long i = 0; i < cells.count(); i++) {
                progress.at(array.path(), i, cells.count());
                processShard(array, cells.cell(i));
            }
            progress.at(array.path(), cells.count(), cells.count());
        }

        private void processShard(ZarrArray array, long[] cell) {
            StoredArray chunks = ArrayInternals.of(array);
            OneShard shard =
                    new OneShard(array.path(), chunks.codec(cell).shardAccess().orElseThrow());
            try {
                if (mode == Mode.DRY_RUN) {
                    chunks.inspect(List.of(cell), (c, source) -> shard.plan(chunks, cell, source, policy));
                } else {
                    chunks.change(
                            cell,
                            options -> options.with(policy.withStrategy(ShardWritePolicy.Strategy.REWRITE)),
                            (source, allowed) -> shard.plan(chunks, cell, source, allowed));
                }
                count(shard, chunks.key(cell), null);
            } catch (StoreException e) {
                throw e; // a store that fails ends the run; other failures concern this shard only
            } catch (ZarrException e) {
                count(shard, chunks.key(cell), e.fact());
            }
        }

        private void count(OneShard shard, String key, @Nullable String reason) {
            boolean isUnchanged = reason != null || shard.edit instanceof Edit.Keep;
            long size = isUnchanged ? shard.bytes : shard.edit instanceof Edit.Replace r ? r.size() : 0;
            shards++;
            bytes += shard.bytes;
            after += size;
            if (reason != null) {
                refusedShards++;
                listener.accept(new Shard(
                        shard.array, key, Outcome.REFUSED, shard.bytes, size, shard.unused, Optional.of(reason)));
            } else if (!isUnchanged) {
                compacted++;
                Outcome outcome = shard.edit instanceof Edit.Delete ? Outcome.REMOVED : Outcome.COMPACTED;
                listener.accept(
                        new Shard(shard.array, key, outcome, shard.bytes, size, shard.unused, Optional.empty()));
            }
        }
    }

    /** One shard and the result of its plan's latest run. A plan may run again, on another thread. */
    private final class OneShard {
        private final String array;
        private final ShardAccess codec;
        private volatile Edit edit = new Edit.Keep();
        private volatile long bytes;
        private volatile long unused;

        OneShard(String array, ShardAccess codec) {
            this.array = array;
            this.codec = codec;
        }

        Plan<Edit> plan(StoredArray chunks, long[] cell, Source source, ShardWritePolicy allowed) {
            ObjectCheck check = new ObjectCheck(array, ChunkDecoding.NONE);
            return check.of(chunks.codec(cell), source)
                    .then(result -> {
                        bytes = result.bytes();
                        unused = result.unused();
                        result.refuseErrors();
                        boolean due = unused > 0 && unused * 100.0 > (double) percent * bytes;
                        return due
                                ? ShardRewriting.of(codec).rewrite(source, allowed, ShardRewriting.Kept.ALL)
                                : Plan.done(new Edit.Keep());
                    })
                    .map(planned -> {
                        edit = planned instanceof Edit.Replace r && r.size() >= bytes
                                ? new Edit.Keep()
                                : planned; // do not grow the shard
                        return edit;
                    });
        }
    }
}
