package dev.shardkit.maintenance.copy;

import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A copy of an array in the two passes of a {@link RechunkPlan}, each of them a {@link PartedCopy}. The intermediate
 * array lies in the folder {@code __rechunk} of the target, which readers ignore, and is deleted at the end.
 *
 * <p>{@link #run} makes the copy in one process. To share it among processes, one of them, the driver, takes these
 * steps:
 *
 * <ol>
 *   <li>It calls {@link #begin}. If that returns true, only the last step is left.
 *   <li>Unless {@link #isFirstDone}, it begins {@link #first}, all processes write its shards, and the driver publishes
 *       it.
 *   <li>It begins {@link #second}, all processes write its shards, and the driver publishes it.
 *   <li>It calls {@link #finish}.
 * </ol>
 *
 * The same calls resume an interrupted copy. Used by one thread at a time.
 */
public final class PartedRechunk {
    private static final String DOCUMENT = "zarr.json";

    private final Copy copy;
    private final ZarrArray source;
    private final Store target;
    private final Store between;
    private final ZarrOptions options;
    private final PartedCopy first;

    private PartedRechunk(
            Copy copy, ZarrArray source, RechunkPlan plan, Store target, Store between, ZarrOptions options) {
        this.copy = copy;
        this.source = source;
        this.target = target;
        this.between = between;
        this.options = options;
        this.first = Copy.of(source)
                .withShardShape(plan.shardShape())
                .withChunkShape(plan.chunkShape())
                .withCodecs(Codecs.zstd(1), Codecs.crc32c())
                .overwriting()
                .inParts(between, options)
                .loadingWholeShards();
    }

    /**
     * Plans a copy with other chunks.
     *
     * @param taskBytes the maximum memory of a task, in bytes
     * @throws UnsupportedException if the source is not an array, has no regular grid, or has elements of variable
     *     size, or if a shard needs more memory
     */
    public static RechunkPlan plan(Copy copy, ZarrOptions options, long taskBytes) {
        ZarrArray source = requireArray(copy);
        ArrayMetadata metadata = copy.overrides.metadata(source, options);
        if (!source.metadata().chunkGrid().name().equals("regular")
                || !metadata.chunkGrid().name().equals("regular")) {
            throw new UnsupportedException(source.location() + ": passes are planned for regular chunk grids only");
        }
        int elementBytes = metadata.dataType()
                .elementSize()
                .orElseThrow(() -> new UnsupportedException(source.location()
                        + ": passes are planned for elements of one size only, found "
                        + metadata.dataType().name()));
        return RechunkPlan.of(
                source.shape(),
                source.chunkShape(),
                metadata.chunkGrid().chunk(new long[source.shape().length]).shape(),
                elementBytes,
                taskBytes);
    }

    private static ZarrArray requireArray(Copy copy) {
        if (copy.source instanceof ZarrArray array) {
            return array;
        }
        throw new UnsupportedException(
                copy.source.location() + " is a group; passes are planned for an array only, so copy each array");
    }

    /**
     * Returns the location of the intermediate array of a copy.
     *
     * @param target the store of the target
     * @param location the location of the target
     * @throws UnsupportedException if the location contains '?', '#' or '|', so that no folder can be appended
     */
    public static String between(Store target, String location) {
        if (location.contains("?") || location.contains("#") || location.contains("|")) {
            throw new UnsupportedException(target.describe()
                    + ": the intermediate array needs a location without '?', '#' and '|'; leave --max-memory out");
        }
        return (location.endsWith("/") ? location : location + "/") + Destination.INTERMEDIATE;
    }

    /**
     * Creates a copy.
     *
     * @param plan the plan of this copy, which is not direct
     * @param target the store of the target
     * @param between the store of the intermediate array: the folder {@code __rechunk} of the target
     */
    public static PartedRechunk of(Copy copy, RechunkPlan plan, Store target, Store between, ZarrOptions options) {
        if (plan.isDirect()) {
            throw new IllegalArgumentException("a direct copy has no passes");
        }
        target.need(TreeDeletions.class, "deleting the intermediate array");
        Optional<Path> link = LocalFolders.of(target)
                .map(folder -> folder.resolve(Destination.INTERMEDIATE))
                .filter(Files::isSymbolicLink);
        if (link.isPresent()) { // the link's target belongs to another program and would be deleted
            throw new StoreException(link.get() + " is a symbolic link; the intermediate array needs a folder of its "
                    + "own there, which is deleted at the end: remove the link");
        }
        return new PartedRechunk(copy, requireArray(copy), plan, target, between, options);
    }

    /** Returns the copy to the intermediate array. */
    public PartedCopy first() {
        return first;
    }

    /** Returns the copy from the intermediate array, which must be published. */
    public PartedCopy second() {
        ZarrArray intermediate = Zarr.openArray(between, "", options);
        // Not Copy.inParts, which refuses a source inside of its target: this one lies there until the end.
        Copy rest = Copy.of(intermediate).withMetadata(copy.overrides.metadata(source, options));
        PartedCopy second = new PartedCopy(rest, target, options).loadingWholeShards();
        second.becomeLastPass(state());
        return second;
    }

    /**
     * Returns a digest that identifies this copy: the source, the intermediate array and the metadata of the target.
     */
    private String state() {
        StateDigest digest = new StateDigest();
        digest.add(first.state());
        digest.add(MetadataWriter.write(copy.overrides.metadata(source, options)));
        return digest.text();
    }

    /** Whether the intermediate array of this copy is complete. */
    public boolean isFirstDone() {
        return isComplete()
                && Destination.of(target)
                        .publication()
                        .held(WorkKind.COPY, state())
                        .isPresent();
    }

    private boolean isComplete() {
        Destination intermediate = Destination.of(between);
        return intermediate.has(DOCUMENT) && !intermediate.isMarked();
    }

    /**
     * Prepares the target: accepts the unfinished copy of an interrupted call, or removes what the copy may overwrite.
     *
     * @return whether the copy is complete already, so that {@link #finish} is the only call that is left
     * @throws StoreException if the target holds anything else; a copy that is overwriting replaces Zarr nodes and
     *     unfinished ones, but no other objects
     */
    public boolean begin() {
        Destination destination = Destination.of(target).ofPasses(Destination.INTERMEDIATE);
        Optional<PublicationRecord> record = record().filter(Publication::hasIntermediate);
        if (record.isEmpty() && isComplete()) {
            throw new StoreException(between.describe() + " holds an array or group that no copy has made; the "
                    + "intermediate array needs this place: remove it first, or choose another target");
        } else if (record.filter(found -> found.source().equals(state())).isPresent()) {
            boolean isFinished = destination.isFinished("", copy.overrides.metadata(source, options), options);
            Destination intermediate = Destination.of(between);
            if (!isFinished && !intermediate.has(DOCUMENT) && !intermediate.isMarked()) {
                destination.deleteIntermediate(); // a killed call that replaced this copy may have left chunks
            }
            return isFinished;
        }
        destination.clear(copy.existing); // foreign objects are found before the first pass
        destination.begin(state(), options.durability());
        return false;
    }

    private Optional<PublicationRecord> record() {
        return Destination.of(target).publication().record(WorkKind.COPY);
    }

    /**
     * Copies everything in this process. Resumes a copy that an interrupted call has left if the source's objects are
     * unchanged, and the source is not remote.
     */
    public void run() {
        first.addObjects(Copy.of(source));
        if (!begin()) {
            if (!isFirstDone()) {
                write(first);
                first.publish();
            }
            PartedCopy second = second();
            write(second);
            second.publish();
        }
        finish();
    }

    private static void write(PartedCopy pass) {
        pass.begin();
        pass.write(0, pass.shards());
    }

    /** Deletes the intermediate array, and then the record of the copy. */
    public void finish() {
        Destination destination = Destination.of(target);
        destination.deleteIntermediate();
        destination.finish(options);
    }
}
