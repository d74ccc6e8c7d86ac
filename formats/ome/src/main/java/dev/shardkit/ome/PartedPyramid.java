package dev.shardkit.ome;

import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.base.SourceNode;
import dev.shardkit.maintenance.base.SparseReads;
import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.maintenance.copy.LazyFeed;
import dev.shardkit.maintenance.copy.ResumedWrite;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Ownership;
import dev.shardkit.store.Store;

/**
 * A {@link Pyramid} that several processes make together, without locks. Each process creates a {@code PartedPyramid}
 * of its own, from the same source and with the same settings. One process calls {@link #begin}. Then, for each level
 * from 0 on, all processes call {@link #write} for ranges of its shards, and one calls {@link #publish(int)}. At the
 * end, one calls {@link #publish()}, which writes the metadata of the image. Until then, each call may be repeated;
 * several processes may write the same shard at once, but only one may begin and publish. Until the image is published,
 * no other program may write to the target, and the source must not change.
 *
 * <p>Used by one thread at a time.
 */
public final class PartedPyramid {
    private final ZarrArray source;
    private final Existing existing;
    private final Progress progress;
    private final Store target;
    private final ZarrOptions options;
    private final PyramidLevels levels;
    private final Destination destination;
    private final String state;

    PartedPyramid(
            ZarrArray source,
            PyramidLevels levels,
            Existing existing,
            Progress progress,
            Store target,
            ZarrOptions options) {
        if (levels.plan().version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException("several processes make an image of OME-Zarr 0.5 only");
        } else if (target.find(Commits.class).isPresent()) {
            throw new UnsupportedException(target.describe() + " is an archive, which one process writes as a whole");
        }
        SourceNode.refuseOverlap(source, target);
        this.source = source;
        this.levels = levels;
        this.existing = existing;
        this.progress = progress;
        this.target = target;
        this.options = options.withOwnership(Ownership.OWNED);
        this.destination = Destination.of(target).ofPyramid();
        this.state = levels.state(source);
    }

    /** Returns the number of levels. */
    public int levels() {
        return levels.count();
    }

    /** Returns the number of shards of a level, stored or not. */
    public long shards(int level) {
        return array(level).shards().count();
    }

    /**
     * Returns the most bytes that one shard of a level takes, decoded. For each thread of the options, {@link #write}
     * holds at most twice as many, for the decoded shard and the encoded one, and a part of what it reads.
     */
    public long shardBytes() {
        double most = 0;
        for (int level = 0; level < levels.count(); level++) {
            double bytes = levels.plan().elementSize();
            for (long length : array(level).storedChunkShape()) {
                bytes *= length;
            }
            most = Math.max(most, bytes);
        }
        return (long) most;
    }

    private ArrayMetadata metadata(int level) {
        return Zarr.describe(levels.spec(level), options);
    }

    private ZarrArray array(int level) {
        return Zarr.openArray(target, levels.path(level), metadata(level), options);
    }

    /**
     * Marks the target as an unfinished image, or accepts one that an earlier call with the same source and settings
     * has marked.
     *
     * @throws StoreException if the target holds anything else, unless the pyramid is overwriting
     */
    public void begin() {
        if (!destination.holds(state)) {
            destination.makeRoom(existing);
            destination.begin(state, options.durability());
        }
    }

    /** Returns whether a level is published. */
    public boolean isPublished(int level) {
        return destination.isFinished(levels.path(level), metadata(level), options);
    }

    /**
     * Writes the shards of a level from {@code first} on, except those that an earlier call has stored. The level
     * before must be published.
     *
     * @throws StoreException if the image has not begun
     */
    public void write(int level, long first, long end) {
        checkBegun();
        LazyFeed.Loader loader;
        if (level == 0) {
            loader = LazyFeed.confirmed(source);
        } else {
            ZarrArray finer = finer(level);
            loader = new LevelFeed(new SparseReads(finer), levels.factors(finer.shape()), levels.plan());
        }
        ResumedWrite.run(array(level), loader, first, end, this::isUnfinished, levels.path(level), progress);
    }

    private ZarrArray finer(int level) {
        return Zarr.openArray(target, levels.path(level - 1), options);
    }

    /** Throws when the image was published: a late run must not write over what users have changed since then. */
    private boolean isUnfinished(long shard) {
        checkBegun();
        return true;
    }

    private void checkBegun() {
        if (!destination.holds(state)) {
            throw new StoreException(target.describe() + " holds no unfinished image of this source with these levels");
        }
    }

    /** Writes the metadata of a level, after all its shards were written. */
    public void publish(int level) {
        checkBegun();
        if (!isPublished(level)) {
            SourceNode.confirm(level == 0 ? source : finer(level));
            Zarr.stageArray(target, levels.path(level), metadata(level), Existing.REFUSE, options)
                    .publish();
        }
    }

    /**
     * Writes the metadata of the image, after all levels were published. The name of a label image is added to the list
     * of labels, as by {@link Pyramid#to}.
     */
    public void publish() {
        checkBegun();
        OmeMetadata metadata = levels.metadata(levels.count());
        if (Zarr.find(target, "", options).isEmpty()) {
            Zarr.createGroup(target, "", metadata.attributes(), Existing.REFUSE, options);
        }
        destination.finish(options);
        LabelLocation.list(target, levels.plan().version(), options);
    }
}
