package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.base.AllOrNothing;
import dev.shardkit.maintenance.base.NodeLock;
import dev.shardkit.maintenance.base.StoreCalls;
import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.PublicationRecord;
import dev.shardkit.session.PublicationRecord.Step;
import dev.shardkit.session.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.AppendOnly;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The work at a node that stores new objects before it publishes them, in four steps:
 *
 * <ol>
 *   <li>mark: {@link #write} a {@link PublicationRecord} before the first new object;
 *   <li>stage: store the new objects where no reader looks;
 *   <li>swap: put the documents that name them, each in one put. Work that changes existing nodes first writes that it
 *       is {@link Step#COMMITTED}: from then on it can only be completed;
 *   <li>finish: delete what is left over, and at last the record ({@link #end}).
 * </ol>
 *
 * Each step can be repeated, so an interrupted run is resumed, rolled back or completed as its record says. A node has
 * one record, so other work is refused there meanwhile. Immutable.
 */
public final class Publication {
    private static final String SUBJECT = "of";
    private static final String INTERMEDIATE = "intermediate";

    private final StoreCalls calls;
    private final String path;

    private Publication(StoreCalls calls, String path) {
        this.calls = calls;
        this.path = path;
    }

    /** Returns the work at the node at {@code path}. */
    public static Publication at(Store store, String path) {
        return new Publication(new StoreCalls(StoreAccess.to(store), StoreKeys.location(store.describe(), path)), path);
    }

    /** Returns the work at an array. */
    public static Publication at(ZarrArray array) {
        return new Publication(new StoreCalls(array), array.path());
    }

    /** Returns the work at a node. */
    public static Publication at(ZarrNode node) {
        return at(AllOrNothing.store(node), node.path());
    }

    /** Returns the key of the record, which is also that of the lock. */
    public String key() {
        return PublicationRecord.key(path);
    }

    /** Returns the location of the record, for messages. */
    public String location() {
        return StoreKeys.location(calls.store().describe(), key());
    }

    /** Does work while no other call that takes this lock changes the record or the objects that it tells of. */
    public <T> T whileLocked(Duration patience, Supplier<T> work) {
        return new NodeLock(calls, path, patience).whileHolding(key(), work);
    }

    /**
     * Returns the record, if there is one.
     *
     * @throws MetadataException if there is an object that is no record
     */
    public Optional<PublicationRecord> record() {
        return calls.get(store -> PublicationRecord.read(store, path));
    }

    /**
     * Returns the record of this kind of work, if there is one.
     *
     * @throws MetadataException if there is an object that is no record
     */
    public Optional<PublicationRecord> record(WorkKind work) {
        return record().filter(record -> record.work() == work);
    }

    /**
     * Returns the record of this kind of work, if there is one, and refuses other work that is unfinished.
     *
     * @throws StoreException if there is other work
     * @throws MetadataException if there is an object that is no record
     */
    public Optional<PublicationRecord> recordRefusingOthers(WorkKind work) {
        Optional<PublicationRecord> found = record();
        Optional<PublicationRecord> other = found.filter(record -> record.work() != work && !isPublished(record));
        if (other.isPresent()) {
            throw new StoreException(StoreKeys.location(calls.store().describe(), path) + " holds "
                    + other.get().named().text() + ", and no other work can begin there until it has ended: "
                    + other.get().named().advice());
        }
        return found.filter(record -> record.work() == work);
    }

    /**
     * Stores what tells this array of a replacement of all elements, whose record is at the root of the store. Whoever
     * opens the array as a store of its own sees this mark, and not the record.
     *
     * @throws StoreException if there is other work
     */
    public void markMember(PublicationRecord replacement, ZarrOptions options) {
        whileLocked(options.lockPatience(), () -> {
            recordRefusingOthers(WorkKind.REPLACEMENT); // or refuses
            write(
                    PublicationRecord.begun(
                            WorkKind.REPLACEMENT, replacement.source(), ArrayChange.memberDetails(path)),
                    options.durability());
            return Unit.UNIT;
        });
    }

    /** Whether only the record is left to delete, because the new node has its document, which is stored last. */
    private boolean isPublished(PublicationRecord record) {
        return record.work().isOfNewNode()
                && record.work().isRemovable()
                && record.details().get(SUBJECT).isEmpty()
                && !hasIntermediate(record)
                && calls.get(store -> StoredObjects.has(store, StoreKeys.join(path, NodePath.DOCUMENT)));
    }

    /** Whether the record is there and says that this kind of work stores new objects, made from this source. */
    public boolean holds(WorkKind work, String source) {
        try {
            return record().filter(record -> record.isOf(work, source)).isPresent();
        } catch (MetadataException e) {
            return false;
        }
    }

    /** Whether there is a record, or an object in its place. */
    public boolean isMarked() {
        return calls.get(store -> StoredObjects.has(store, key()));
    }

    /** Stores the record. */
    public void write(PublicationRecord record, Durability durability) {
        AppendOnly.refuse(calls.store().store(), "a record of unfinished work, which is deleted at the end,");
        calls.run(store -> store.put(key(), Content.of(record.print()), durability));
    }

    /** Deletes the record of this kind of work, after everything else that belongs to it. */
    public void end(WorkKind work) {
        boolean isOwn;
        try {
            isOwn = record(work).isPresent();
        } catch (MetadataException e) {
            isOwn = true; // nobody can read it
        }
        if (isOwn) {
            calls.run(store -> store.delete(key()));
        }
    }

    /** Returns the details of a copy in two passes: the intermediate array lies below the node at {@code path}. */
    public static Json.Obj intermediate(String path) {
        return Json.object().with(INTERMEDIATE, Json.of(path));
    }

    /** Whether the record is that of a copy in two passes. */
    public static boolean hasIntermediate(PublicationRecord record) {
        return record.details().get(INTERMEDIATE).isPresent();
    }

    /** Returns the details of a pyramid of the array at {@code path}, beside which it lies. */
    public static Json.Obj ofArray(String path) {
        return Json.object().with(SUBJECT, Json.of(path));
    }

    /** Says what the work is, and how it is ended. */
    public String describe(PublicationRecord record) {
        boolean staging = record.step() == Step.STAGING;
        return switch (record.work()) {
            case RELAYOUT -> {
                if (!ArrayChange.hasChanges(record)) {
                    yield "a change of layout that removed the consolidated metadata of the group, and was interrupted"
                            + " or runs; rerun it to build them again";
                }
                yield staging
                        ? "a change of layout that was stopped before it changed the array, or that runs; rerun it to "
                                + "resume, or remove what it staged by shardkit repair --apply"
                        : "a change of layout whose last steps are missing; shardkit repair --apply takes them";
            }
            case REPLACEMENT ->
                ArrayChange.describeRecordLocation(record, location())
                        .orElse(
                                staging
                                        ? "a replacement of all elements was not committed: the array keeps its old"
                                                + " elements"
                                        : "a replacement of all elements was committed, but not completed: the array"
                                                + " gets its new elements");
            case PYRAMID ->
                record.details().get(SUBJECT).orElse(record.details()) instanceof Json.Str array
                        ? describePyramid(StoreKeys.location(
                                StoreKeys.location(calls.store().describe(), path), array.value()))
                        : adviseRerun(record.named());
            default -> adviseRerun(record.named());
        };
    }

    private static String describePyramid(String source) {
        return WorkKind.PYRAMID.text() + " of " + source
                + "; rerun the command with its options to finish it: shardkit pyramid " + source;
    }

    private static String adviseRerun(WorkKind work) {
        return work.text() + "; rerun the interrupted command to finish it";
    }
}
