package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.EncodedCopy;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.destination.ResumedWrite;
import dev.shardkit.maintenance.local.CopiedPermissions;
import dev.shardkit.maintenance.publish.PartMarks;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongPredicate;

/**
 * A {@link Copy} that several processes make together, without locks and without communication. The shards of all
 * arrays of the target (without sharding: chunks) are numbered in C order, arrays in the order of their paths. Each
 * process writes a range of these numbers, and each shard belongs to one range.
 *
 * <p>Each process creates a {@code PartedCopy} of its own, from the same source and with the same settings. One process
 * calls {@link #begin}, then all processes call {@link #write}. After all {@code write} calls have returned, one
 * process calls {@link #publish}, which writes the metadata: until then, no reader finds the copy, each call may be
 * repeated, and {@code write} may run in several processes at once, also for the same shards. A repeated {@link #write}
 * skips shards that are stored and sound. If the copy replaces a target ({@link Copy#overwriting}), only one process
 * may call {@code begin}, and only once: it removes what is there, also a published copy. If the copy is published
 * while a {@link #write} still runs, that call fails before its next shard. Until the copy is published, no other
 * program may write to the target, and the source must not change.
 *
 * <p>Processes without a coordinator call {@link #run}; whichever part starts first begins the copy, and each part
 * leaves a mark when it is complete. Afterwards, one process calls {@link #finish}. Used by one thread at a time.
 */
public final class PartedCopy {
    /** For a range of at most this number of shards, a listing of the source costs more than it saves. */
    private static final int FEW = 10_000;

    private final Copy copy;
    private final Store target;
    private final ZarrOptions options;
    private final PartMarks marks;
    private final PartedPublication publication;
    private final List<PartedArray> arrays = new ArrayList<>();
    private final long shards;
    private final Destination destination;
    /** The source in the record of unfinished work: a digest of the copy's source and settings. */
    private String state;
    /** Whether {@link #state} depends on the versions of the source's objects. */
    private boolean hasObjects;
    /** Whether this is the last pass of a {@link PartedRechunk}. */
    private boolean isLastPass;

    private boolean loadsWhole;

    /** An array of the copy. Its shards have the numbers from {@code first} on. */
    private record PartedArray(String path, ZarrArray from, ArrayMetadata metadata, long first, long shards) {}

    PartedCopy(Copy copy, Store target, ZarrOptions options) {
        if (target.find(Commits.class).isPresent()) {
            throw new UnsupportedException(target.describe()
                    + " is an archive, which one process writes as a whole; it cannot be written in parts");
        } else if (options.durability() == Durability.NONE) {
            throw new UnsupportedException("a copy in parts keeps what earlier runs have stored, so it needs a"
                    + " durability that survives a crash of a process; found " + options.durability());
        }
        this.copy = copy;
        this.target = target;
        this.options = options.withOwnership(WriteOwnership.OWNED);
        this.destination = Destination.of(target);
        this.marks = new PartMarks(target, "", options.durability());
        this.publication = new PartedPublication(copy, target, this.options);
        StateDigest digest = new StateDigest();
        digest.add("parts of " + copy.source.location());
        this.shards = collect(copy.source, "", 0, digest);
        this.state = digest.text();
    }

    /**
     * Adds the arrays at and below a node to {@link #arrays}.
     *
     * @param first the number of their first shard
     * @return the number after their last shard
     */
    private long collect(ZarrNode node, String path, long first, StateDigest digest) {
        digest.add("/" + path);
        if (node instanceof ZarrArray array) {
            ArrayMetadata metadata = copy.overrides.metadata(array, options);
            digest.add(MetadataWriter.write(array.metadata()));
            digest.add(MetadataWriter.write(metadata));
            long count = openTarget(path, metadata).shards().count();
            arrays.add(new PartedArray(path, array, metadata, first, count));
            return Math.addExact(first, count);
        }
        ZarrGroup group = (ZarrGroup) node;
        digest.add(MetadataWriter.write(group.metadata()));
        long next = first;
        for (var child : copy.children(group).entrySet()) {
            next = collect(child.getValue(), StoreKeys.join(path, child.getKey()), next, digest);
        }
        return next;
    }

    /** Returns the number of shards of all arrays, stored or not. */
    public long shards() {
        return shards;
    }

    /**
     * Returns the maximum decoded size of a shard of the target, in bytes. {@link #write} holds at most twice as much
     * for each thread of the options: the decoded shard and the encoded one.
     */
    public long shardBytes() {
        return arrays.stream()
                .mapToLong(member -> DecodedCopy.shardBytes(openTarget(member.path, member.metadata)))
                .max()
                .orElse(0);
    }

    /**
     * Makes {@link #write} load all elements of a shard at once; each thread holds three times the bytes of a shard.
     * Use it if chunks of the source cross the borders of target shards. By default, such a chunk may be decoded
     * several times for one shard.
     */
    public PartedCopy loadingWholeShards() {
        loadsWhole = true;
        return this;
    }

    /**
     * Marks the target as an unfinished copy, or accepts one that an earlier call with the same source and settings has
     * marked.
     *
     * @throws StoreException if the target holds anything else, unless the copy is overwriting
     */
    public void begin() {
        if (isMarked()) {
            return;
        }
        try {
            if (copy.existing == IfExists.REFUSE) {
                refuseContent(destination.describeContent());
            }
            destination.clear(copy.existing);
        } catch (StoreException e) {
            if (isMarked()) {
                return; // another process has begun it in the meantime
            }
            throw e;
        }
        destination.begin(state, options.durability());
    }

    private void refuseContent(Optional<String> content) {
        if (content.isPresent()) {
            throw new StoreException(target.describe() + " already holds " + content.get()
                    + ", not the unfinished copy of this source with this layout. Remove it first, or choose another target;"
                    + " a copy that one process begins for all can also replace it (Copy.overwriting())");
        }
    }

    /**
     * Writes the shards from {@code first} on, except those that an earlier call has stored.
     *
     * @throws StoreException if the copy has not begun
     * @throws IndexOutOfBoundsException unless 0 &lt;= first &lt;= end &lt;= shards
     */
    public void write(long first, long end) {
        write(first, end, number -> true);
    }

    private long write(long first, long end, LongPredicate wanted) {
        if (first < 0 || first > end || end > shards) {
            throw new IndexOutOfBoundsException("shards " + first + " to " + end + " of " + shards);
        }
        refuseUnlessUnfinished(); // before anything makes folders in the target
        long skipped = 0;
        for (PartedArray member : arrays) {
            long from = Math.max(first, member.first) - member.first;
            long to = Math.min(end, member.first + member.shards) - member.first;
            if (from < to) {
                skipped += write(member, from, to, number -> isWanted(member.first + number, wanted));
            }
        }
        return skipped;
    }

    /**
     * Returns whether to write a shard; throws if the copy is no longer unfinished. Checks the mark only for shards
     * that may hold data, because each check is a request in a remote store.
     */
    private boolean isWanted(long number, LongPredicate wanted) {
        if (!wanted.test(number)) {
            return false;
        }
        refuseUnlessUnfinished(); // a late run must not write over what users have changed since the copy was published
        return true;
    }

    /** Returns the digest that the record of this copy holds as its source. */
    String state() {
        return state;
    }

    /** Makes this digest depend on {@code more} too. */
    void addToState(String more) {
        StateDigest digest = new StateDigest();
        digest.add(state);
        digest.add(more);
        state = digest.text();
    }

    /**
     * Makes the digest depend on the versions of the source's objects. The objects of a remote source are not listed,
     * so the copy of such a source gets a record that no other copy resumes. Later calls change nothing.
     */
    void addObjects(Copy copied) {
        if (hasObjects) {
            return;
        }
        hasObjects = true;
        String objects = CopyDigest.of(copied.source, copied.overrides, options, copied::children);
        addToState(objects.isEmpty() ? UUID.randomUUID().toString() : objects);
    }

    /**
     * Makes this the last pass of a copy, which has begun with this source. {@link #publish} then keeps the record,
     * because the intermediate array must still be deleted.
     */
    void becomeLastPass(String source) {
        state = source;
        isLastPass = true;
    }

    /** Whether the target is marked as this unfinished copy. */
    private boolean isMarked() {
        return destination.resume(state);
    }

    /** Copies everything in this process. Resumes an interrupted call if the source is local and unchanged. */
    public void runAlone() {
        addObjects(copy);
        begin();
        write(0, shards);
        publish();
    }

    private void refuseUnlessUnfinished() {
        if (!isMarked()) {
            throw new StoreException(target.describe() + " holds no unfinished copy of this source with this layout:"
                    + " it has not begun, was published or removed, or the source or the layout has changed");
        }
    }

    /**
     * Splits the shards into ranges of about equal work, for {@link #write(ShardRange)} of other processes. If the
     * source's store supports listing, and the array has fewer than 2^29 shards and source chunks, shards without data
     * are left out; that takes one listing, and a bit of memory for each shard.
     *
     * @param max the maximum number of ranges for each array
     * @throws IllegalArgumentException unless max &gt;= 1
     */
    public List<ShardRange> split(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("expected at least 1 range for each array, found " + max);
        }
        List<ShardRange> ranges = new ArrayList<>();
        for (PartedArray member : arrays) {
            BitSet stored =
                    CopySplit.shardsWithData(member.from, openTarget(member.path, member.metadata), member.shards);
            long count = stored == null ? member.shards : stored.cardinality();
            ranges.addAll(
                    CopySplit.split(member.first, member.shards, stored, count / max + (count % max > 0 ? 1 : 0)));
        }
        return ranges;
    }

    /**
     * Writes the shards of a range of {@link #split}, except those that an earlier call has stored.
     *
     * @return how many shards an earlier call had stored
     */
    public long write(ShardRange range) {
        return write(range.first(), range.end(), range::wants);
    }

    private long write(PartedArray member, long first, long end, LongPredicate wanted) {
        // Not closed here: its mark must stay until publish() removes it.
        CopiedPermissions.restrict(List.of(member.from.location()), StoreKeys.location(target.describe(), member.path));
        ZarrArray to = openTarget(member.path, member.metadata);
        if (EncodedCopy.isPossible(member.from, member.metadata, target)) {
            StoredChunkList cells = StoredChunkList.range(ArrayInternals.of(to).cells(), first, end);
            return EncodedCopy.run(member.from, to, cells, wanted, member.path, true, copy.progress);
        } else {
            LongPredicate isStored = end - first > FEW ? storedShards(member.from, to) : number -> true;
            return ResumedWrite.copy(
                    member.from, to, loadsWhole, first, end, isStored.and(wanted), member.path, copy.progress);
        }
    }

    /** Accepts the shards that have stored elements of the source: the others stay absent. Lists the source. */
    private static LongPredicate storedShards(ZarrArray from, ZarrArray to) {
        Optional<StoredBoxes> stored = StoredBoxes.madeOf(UnchangedArrayReads.ofWhole(from), to, box -> box);
        return stored.isPresent() ? stored.get()::has : number -> true;
    }

    /**
     * Writes the metadata of all arrays and groups, children before their group, after all shards were written.
     *
     * @throws StoreException if the copy has not begun, or another program has made a node at its place
     */
    public void publish() {
        refuseUnlessUnfinished();
        publication.run(this::refuseUnlessUnfinished);
        marks.removeAll(partCount());
        if (isLastPass) {
            destination.publication().write(record().orElseThrow().with(Step.ENDED), options.durability());
        } else {
            destination.finish(options);
        }
    }

    private ZarrArray openTarget(String path, ArrayMetadata metadata) {
        return Zarr.openArray(target, path, metadata, options);
    }

    /**
     * Begins the copy if it has not begun, writes the shards of a part, and marks the part as complete.
     *
     * @throws StoreException if the target holds anything else, or a copy in another number of parts
     */
    public void run(Part part) {
        begin();
        begin(part);
        write(part.first(shards), part.end(shards));
        refuseUnlessUnfinished();
        marks.complete(part, state);
        if (!isMarked()) {
            marks.removeMark(part); // another process has published the copy meanwhile, with all marks of that time
        }
    }

    /** Records the number of parts, or compares it with the recorded one. */
    private void begin(Part part) {
        Optional<PublicationRecord> record = record();
        Optional<Integer> parts = record.flatMap(PartMarks::count);
        if (parts.isPresent() && parts.get() != part.count()) {
            throw new StoreException(target.describe() + " holds an unfinished copy in " + parts.get()
                    + " parts, found part " + part + ": use the same number of parts, or remove the unfinished copy");
        } else if (parts.isEmpty() && record.isPresent()) {
            destination.publication().write(PartMarks.withPartCount(record.get(), part), options.durability());
        }
    }

    private Optional<PublicationRecord> record() {
        return destination.publication().record(WorkKind.COPY);
    }

    private Optional<Integer> partCount() {
        return record().flatMap(PartMarks::count);
    }

    private void checkParts() {
        int parts = partCount()
                .orElseThrow(() -> new StoreException(
                        target.describe() + " holds an unfinished copy, but no part of it was made: run all"
                                + " parts first, such as --part 1/8 to --part 8/8"));
        String missing = marks.describeMissing(parts, state);
        if (!missing.isEmpty()) {
            throw new StoreException(target.describe() + " is not complete: missing part " + missing
                    + ". Run it again, then finish; nothing was published");
        }
    }

    /**
     * Publishes the copy if all parts are complete. Does nothing if it was published already.
     *
     * @throws StoreException if a part is missing; the message names it, and nothing is published
     */
    public void finish() {
        try {
            boolean published = publication.isRootPublished();
            if (published && !isMarked()) {
                return;
            } else if (!published) {
                refuseUnlessUnfinished();
                checkParts();
            }
            publish();
        } catch (StoreException e) {
            if (isMarked() || !publication.isRootPublished()) {
                throw e; // else another process has published the copy meanwhile
            }
        }
    }
}
