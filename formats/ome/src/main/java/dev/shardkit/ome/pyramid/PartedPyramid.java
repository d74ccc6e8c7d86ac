package dev.shardkit.ome.pyramid;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.destination.LazyFeed;
import dev.shardkit.maintenance.destination.ResumedWrite;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.WriteOwnership;

/**
 * A {@link Pyramid} that several processes create together without locks. Each process creates its own
 * {@code PartedPyramid} from the same source with the same settings. One process calls {@link #begin}. Then, for each
 * level from 0 on, all processes call {@link #write} for ranges of its shards, and one calls {@link #publish(int)}. At
 * the end, one process calls {@link #publish()}, which writes the metadata of the image. Each call may be repeated
 * until the image is published. Several processes may write the same shard at the same time, but only one process may
 * call {@code begin} and {@code publish}. Until the image is published, no other program may write to the target, and
 * the source must not change.
 *
 * <p>Used by one thread at a time.
 */
public final class PartedPyramid {
    private final ZarrArray source;
    private final IfExists existing;
    private final Progress progress;
    private final Store target;
    private final ZarrOptions options;
    private final PyramidLevels levels;
    private final Destination destination;
    /** The digest of the source and the settings, by which processes recognize their unfinished image. */
    private final String state;

    PartedPyramid(
            ZarrArray source,
            PyramidLevels levels,
            IfExists existing,
            Progress progress,
            Store target,
            ZarrOptions options) {
        if (levels.plan().version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException("several processes make an image of OME-Zarr 0.5 only");
        } else if (target.find(Commits.class).isPresent()) { // the store publishes all changes in one step
            throw new UnsupportedException(target.describe() + " is an archive, which one process writes as a whole");
        }
        SourceCheck.refuseOverlap(source, target);
        this.source = source;
        this.levels = levels;
        this.existing = existing;
        this.progress = progress;
        this.target = target;
        this.options = options.withOwnership(WriteOwnership.OWNED);
        this.destination = Destination.of(target).ofPyramid();
        this.state = levels.state(source);
    }

    /** Returns the number of levels. */
    public int levels() {
        return levels.count();
    }

    /** Returns the number of shards of a level, stored or not. */
    public long shards(int level) {
        return openLevel(level).shards().count();
    }

    /**
     * Returns the maximum decoded size of a shard in bytes. {@link #write} needs, for each thread that the options
     * allow, at most twice this memory (for the decoded and the encoded shard), and memory for the elements that it
     * reads.
     */
    public long shardBytes() {
        double maxBytes = 0;
        for (int level = 0; level < levels.count(); level++) {
            double bytes = levels.plan().elementSize();
            for (long length : openLevel(level).storedChunkShape()) {
                bytes *= length;
            }
            maxBytes = Math.max(maxBytes, bytes);
        }
        return (long) maxBytes;
    }

    private ArrayMetadata describeLevel(int level) {
        return Zarr.describe(levels.spec(level), options);
    }

    /** Opens a level by its planned metadata, because its document is written last. */
    private ZarrArray openLevel(int level) {
        return Zarr.openArray(target, levels.path(level), describeLevel(level), options);
    }

    /**
     * Marks the target as an unfinished image. Accepts a mark of an earlier call with the same source and settings.
     *
     * @throws StoreException if the target holds anything else, unless the pyramid is overwriting
     */
    public void begin() {
        if (!destination.resume(state)) {
            destination.clear(existing);
            destination.begin(state, options.durability());
        }
    }

    /** Returns whether a level is published. */
    public boolean isPublished(int level) {
        return destination.isFinished(levels.path(level), describeLevel(level), options);
    }

    /**
     * Writes the shards of a level from {@code first} to {@code end}, exclusive. Skips shards that an earlier call
     * stored. The next finer level must be published.
     *
     * @throws StoreException if the image has not begun
     */
    public void write(int level, long first, long end) {
        requireUnfinished();
        LazyFeed.Loader loader;
        if (level == 0) {
            loader = LazyFeed.confirmed(source);
        } else {
            ZarrArray finerLevel = openFinerLevel(level);
            loader = new LevelLoader(
                    new UnchangedArrayReads(finerLevel), levels.factors(finerLevel.shape()), levels.plan());
        }
        ResumedWrite.run(openLevel(level), loader, first, end, this::confirmUnfinished, levels.path(level), progress);
    }

    private ZarrArray openFinerLevel(int level) {
        return Zarr.openArray(target, levels.path(level - 1), options);
    }

    /**
     * Throws if the image is already published, because a process that is late must not overwrite changes that users
     * made since. Called before each shard is written; returns that it may be written.
     */
    private boolean confirmUnfinished(long shard) {
        requireUnfinished();
        return true;
    }

    private void requireUnfinished() {
        if (!destination.resume(state)) {
            throw new StoreException(target.describe() + " holds no unfinished image of this source with these levels");
        }
    }

    /** Writes the metadata of a level. Call it after all shards of the level are written. */
    public void publish(int level) {
        requireUnfinished();
        if (!isPublished(level)) {
            SourceCheck.confirm(level == 0 ? source : openFinerLevel(level));
            Zarr.stageArray(target, levels.path(level), describeLevel(level), IfExists.REFUSE, options)
                    .publish();
        }
    }

    /**
     * Writes the metadata of the image. Call it after all levels are published. Adds the name of a label image to the
     * list of labels, like {@link Pyramid#to}.
     */
    public void publish() {
        requireUnfinished();
        OmeMetadata metadata = levels.metadata(levels.count());
        Pyramid.publishGroup(destination, target, metadata, options);
        destination.finish(options);
        LabelLocation.addToList(target, levels.plan().version(), options);
    }
}
