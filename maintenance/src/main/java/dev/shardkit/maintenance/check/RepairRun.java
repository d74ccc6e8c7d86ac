package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.check.RepairSettings.Corrupt;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Leftover;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The repair of one array. Used once, by one thread. */
final class RepairRun {
    private final ZarrArray array;
    private final StoredArray chunks;
    private final RepairSettings settings;
    private final Mode mode;
    private final RepairCounter count;
    /** The keys of objects with an interrupted change in place, which must not be checked until it is ended. */
    private final Set<String> interruptedKeys = new HashSet<>();

    RepairRun(ZarrArray array, RepairSettings settings, Mode mode, RepairCounter count) {
        this.array = array;
        this.chunks = ArrayInternals.of(array);
        this.settings = settings;
        this.mode = mode;
        this.count = count;
    }

    void run() {
        List<Leftover> leftovers = new ArrayList<>();
        try {
            chunks.leftovers(leftovers::add);
        } catch (StoreException e) {
            report(Kind.LEFT, null, "cannot look for files of interrupted writers: " + e.fact());
        }
        leftovers.forEach(this::resolve);
        chunks.leftovers(this::reportUnresolved); // list again: a journal may have been set aside meanwhile
        ArrayCheck check = new ArrayCheck(array, decoding(), settings.progress(), this::repairObject);
        check.run(
                StoredChunkList.of(array, new StoredChunkList.OtherEntries() {
                    @Override
                    public void foreign(String key) {
                        return; // a foreign object does no harm
                    }

                    @Override
                    public void directory(String key) {
                        unreadable(key, "a directory, so that the chunk reads as absent");
                    }

                    @Override
                    public void unreadable(String key, String found) {
                        report(Kind.LEFT, DataLocation.of(key), "expected chunks that can be read, found " + found);
                    }
                }),
                cell -> interruptedKeys.contains(chunks.key(cell)));
    }

    private ChunkDecoding decoding() {
        return settings.corrupt() != Corrupt.KEEP ? ChunkDecoding.ALL : ChunkDecoding.NONE;
    }

    /** Handles one file of an interrupted writer: removes it, ends its change, or reports it. */
    private void resolve(Leftover leftover) {
        DataLocation place = leftover.key().map(DataLocation::of).orElse(null);
        Optional<long[]> cell = leftover.key().flatMap(chunks::cell);
        if (leftover.kind() == Leftover.Kind.TEMPORARY) {
            if (mode == Mode.DRY_RUN || chunks.remove(leftover)) {
                report(
                        Kind.REMOVE_TEMPORARY,
                        place,
                        "a file of an interrupted writer: " + leftover.name() + ", " + leftover.bytes() + " bytes");
            }
        } else if (needsUser(leftover)) {
            return; // reported after the other steps
        } else if (cell.isEmpty()) {
            report(Kind.LEFT, place, "a journal without a chunk of the array: " + leftover.name());
        } else if (leftover.kind() == Leftover.Kind.UNBEGUN_JOURNAL) {
            if (mode == Mode.APPLY) {
                change(cell.get(), (source, policy) -> Plan.done(new Edit.Keep()));
            }
            report(
                    Kind.REMOVE_TEMPORARY,
                    place,
                    "a journal of an interrupted writer that had not changed anything: " + leftover.name() + ", "
                            + leftover.bytes() + " bytes");
        } else if (interruptedKeys.add(leftover.key().get())) {
            resolve(cell.get(), Objects.requireNonNull(place));
        }
    }

    private static boolean needsUser(Leftover leftover) {
        return leftover.kind() == Leftover.Kind.JOURNAL_SET_ASIDE || leftover.kind() == Leftover.Kind.FOREIGN;
    }

    private void reportUnresolved(Leftover leftover) {
        if (needsUser(leftover)) {
            boolean journal = leftover.kind() == Leftover.Kind.JOURNAL_SET_ASIDE;
            report(
                    Kind.LEFT,
                    leftover.key().map(DataLocation::of).orElse(null),
                    journal
                            ? "the journal of an interrupted change in place was set aside, because another program "
                                    + "has written the "
                                    + "object: remove " + leftover.name()
                            : "an unknown object among the store's own files: " + leftover.name());
        }
    }

    /** Ends an interrupted change in place. Any change of the object does so first, even one that keeps it. */
    private void resolve(long[] cell, DataLocation place) {
        try {
            if (mode == Mode.APPLY) {
                change(cell, (source, policy) -> Plan.done(new Edit.Keep()));
                interruptedKeys.remove(chunks.key(cell)); // now the object can be checked
            }
            report(Kind.END_CHANGE, place, "a change in place was interrupted");
        } catch (ZarrException e) {
            report(Kind.LEFT, place, "a change in place was interrupted and cannot be completed: " + e.fact());
        }
    }

    private void report(Kind kind, @Nullable DataLocation place, String reason) {
        count.report(new RepairStep(kind, array.path(), Optional.ofNullable(place), Optional.empty(), reason));
    }

    private void change(long[] cell, BiFunction<Source, ShardWritePolicy, Plan<Edit>> change) {
        chunks.change(cell, options -> options.with(settings.policy()), change);
    }

    /**
     * Repairs the faults of one object, as far as the settings allow. A shard with a corrupt index gets a rebuilt one,
     * or is cut at its last valid index, or is deleted. Other objects lose their corrupt chunks.
     */
    private void repairObject(long[] cell, CheckResult result) {
        List<Finding> findings = result.findings();
        Optional<Finding> torn = findings.stream().filter(RepairRun::isTorn).findFirst();
        Optional<Finding> lost =
                findings.stream().filter(RemovableFindings::isLostShard).findFirst();
        if (settings.corrupt() != Corrupt.KEEP && lost.isPresent() && rebuild(cell, lost.get(), torn.isPresent())) {
            return;
        }
        if (torn.isPresent()) {
            truncate(cell, torn.get());
            return;
        }
        if (settings.corrupt() == Corrupt.DROP_WITH_SHARDS
                && findings.stream().anyMatch(RemovableFindings::isLostShard)) {
            dropShard(
                    cell,
                    findings.stream().filter(RemovableFindings::isLostShard).toList());
            return;
        }
        List<Finding> corrupt = new ArrayList<>();
        for (Finding f : findings) {
            if (f.severity() == Severity.ERROR) {
                if (settings.corrupt() != Corrupt.KEEP && RemovableFindings.isRemovable(f, chunks.codec(cell))) {
                    corrupt.add(f);
                } else {
                    report(f, Kind.LEFT, RemovableFindings.remedy(f, chunks.codec(cell)));
                }
            }
        }
        if (!corrupt.isEmpty()) {
            drop(cell, corrupt);
        }
    }

    /** Whether the last index of a shard is corrupt. */
    private static boolean isTorn(Finding f) {
        return f.kind() == Finding.Kind.LAST_INDEX && f.innerChunks().isEmpty();
    }

    private void report(Finding f, Kind kind) {
        report(f, kind, "");
    }

    private void report(Finding f, Kind kind, String remedy) {
        count.report(new RepairStep(
                kind,
                array.path(),
                f.location(),
                f.bytes(),
                "expected " + f.expected() + ", found " + f.found() + remedy));
    }

    private void dropShard(long[] cell, List<Finding> lost) {
        if (mode == Mode.DRY_RUN
                || attempt(
                        cell,
                        lost,
                        (source, policy) -> Plan.done(
                                isStill(cell, RemovableFindings::isLostShard) ? new Edit.Delete() : new Edit.Keep()))) {
            report(lost.get(0), Kind.DROP_SHARD);
        }
    }

    /**
     * Checks again under the lock whether an object has such a finding. An object that is shorter than its index makes
     * the whole check fail.
     */
    private boolean isStill(long[] cell, Predicate<Finding> wrong) {
        try {
            ObjectCheck check = new ObjectCheck(array.path(), ChunkDecoding.NONE);
            return chunks
                    .inspect(List.of(cell), (c, source) -> check.of(chunks.codec(c), source))
                    .get(0)
                    .findings()
                    .stream()
                    .anyMatch(wrong);
        } catch (CorruptDataException e) {
            return true;
        }
    }

    /**
     * Cuts a shard at the end of its last valid index. Checks it again if corrupt chunks are dropped, because no inner
     * chunk was checked without an index.
     */
    private void truncate(long[] cell, Finding torn) {
        ShardAccess shard = chunks.codec(cell).shardAccess().orElseThrow();
        boolean cut = attempt(cell, List.of(torn), (source, policy) -> ShardRewriting.of(shard)
                .lastValidEnd(source)
                .map(end -> end.isPresent() && isStill(cell, RepairRun::isTorn)
                        ? new Edit.Replace(List.of(new Piece.Copied(0, end.getAsLong())))
                        : new Edit.Keep()));
        if (cut) {
            report(torn, Kind.CUT);
            if (mode == Mode.APPLY && settings.corrupt() != Corrupt.KEEP) {
                new ArrayCheck(array, decoding(), (path, done, total) -> {}, this::repairObject)
                        .checkBatch(List.of(cell));
            }
        }
    }

    /**
     * Rebuilds the index of a shard from the entries of its corrupt index whose inner chunks decode.
     *
     * @param isTorn whether the shard has an older valid index. Then an index is rebuilt only if all its entries are
     *     sound, because the bytes at the end may not be an index at all
     * @return false if the index cannot be rebuilt; true if it was, would be, or an attempt failed and was reported
     */
    private boolean rebuild(long[] cell, Finding lost, boolean isTorn) {
        ChunkCodec codec = chunks.codec(cell);
        Optional<ShardAccess> found =
                codec.shardAccess().flatMap(ShardAccess::rewriting).flatMap(ShardRewriting::withUncheckedIndex);
        if (found.isEmpty()) {
            return false;
        }
        ShardAccess shard = found.get();
        RecoveredIndex index;
        try {
            index = chunks.inspect(List.of(cell), (c, source) -> RecoveredIndex.of(array.path(), codec, shard, source))
                    .get(0);
        } catch (CorruptDataException e) {
            return false;
        }
        if (index.soundCount() == 0 || isTorn && !index.isSound()) {
            return false;
        }
        List<Finding> lostEntries = new ArrayList<>(index.lostEntries());
        boolean done =
                attempt(cell, List.of(lost), (source, policy) -> RecoveredIndex.of(array.path(), codec, shard, source)
                        .then(now -> {
                            lostEntries.clear(); // check again under the lock
                            lostEntries.addAll(now.lostEntries());
                            return now.soundCount() == 0 || !isStill(cell, RemovableFindings::isLostShard)
                                    ? Plan.done(new Edit.Keep())
                                    : ShardRewriting.of(shard)
                                            .rewrite(source, keepingForeignBytes(policy), now.keptChunks(shard));
                        }));
        if (done) {
            report(
                    lost,
                    Kind.REBUILD_INDEX,
                    "; its entries name " + index.soundCount() + " inner chunks that decode, which are kept");
            lostEntries.forEach(f -> report(f, kind(codec, f.innerChunks().size())));
        }
        return true;
    }

    /** Keeps foreign bytes by default, because they may belong to a lost inner chunk. */
    private static ShardWritePolicy keepingForeignBytes(ShardWritePolicy policy) {
        return policy.foreignBytes() == ShardWritePolicy.ForeignBytes.REFUSE
                ? policy.withForeignBytes(ShardWritePolicy.ForeignBytes.KEEP)
                : policy;
    }

    /** Removes corrupt chunks or inner chunks. */
    private void drop(long[] cell, List<Finding> corrupt) {
        ChunkCodec codec = chunks.codec(cell);
        ObjectCheck check = new ObjectCheck(array.path(), ChunkDecoding.ALL);
        List<Finding> removed = new ArrayList<>(corrupt);
        boolean dropped = attempt(
                cell, corrupt, (source, policy) -> check.of(codec, source).then(result -> {
                    removed.clear(); // check again under the lock
                    result.findings().stream()
                            .filter(f -> f.severity() == Severity.ERROR && RemovableFindings.isRemovable(f, codec))
                            .forEach(removed::add);
                    return edit(codec, source, removed, policy);
                }));
        if (dropped) {
            removed.forEach(f -> report(f, kind(codec, f.innerChunks().size())));
        }
    }

    /** Returns the kind of a removal {@code depth} levels below a stored object. */
    private static Kind kind(ChunkCodec codec, int depth) {
        if (depth == 0) {
            return Kind.DROP_CHUNK;
        }
        ChunkCodec removed = codec;
        for (int level = 0; level < depth; level++) {
            removed = removed.shardAccess().orElseThrow().inner();
        }
        return removed.shardAccess().isPresent() ? Kind.DROP_SHARD : Kind.DROP_INNER_CHUNK;
    }

    /** Returns the edit that removes these chunks: of a shard, inner chunks; otherwise the object. */
    private static Plan<Edit> edit(ChunkCodec codec, Source source, List<Finding> removed, ShardWritePolicy policy) {
        if (removed.isEmpty() || codec.shardAccess().isEmpty()) {
            return Plan.done(removed.isEmpty() ? new Edit.Keep() : new Edit.Delete());
        }
        ShardAccess shard = codec.shardAccess().get();
        return ShardRewriting.of(shard)
                .rewrite(
                        source,
                        policy,
                        RemovedChunks.of(
                                shard,
                                removed.stream().map(Finding::innerChunks).toList()));
    }

    /**
     * Changes an object, or checks whether it could be changed. If not, or if another program has changed the object so
     * that the change is superfluous, reports each finding with the reason.
     */
    private boolean attempt(long[] cell, List<Finding> wrong, BiFunction<Source, ShardWritePolicy, Plan<Edit>> change) {
        AtomicBoolean isKept = new AtomicBoolean();
        BiFunction<Source, ShardWritePolicy, Plan<Edit>> noted =
                (source, policy) -> change.apply(source, policy).map(edit -> {
                    isKept.set(edit instanceof Edit.Keep);
                    return edit;
                });
        try {
            if (mode == Mode.DRY_RUN) {
                chunks.inspect(List.of(cell), (c, source) -> noted.apply(source, settings.policy()));
            } else {
                settings.backUp(array, chunks.key(cell));
                change(cell, noted);
            }
        } catch (ZarrException e) {
            wrong.forEach(f -> report(f, Kind.LEFT, "; it cannot be repaired: " + e.fact()));
            return false;
        }
        if (isKept.get()) {
            wrong.forEach(f -> report(
                    f, Kind.LEFT, "; another program has changed the object since, so it was left: check it again"));
        }
        return !isKept.get();
    }
}
