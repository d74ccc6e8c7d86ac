package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteOnce;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The protocol for work at a node that stores new objects before it publishes them. It has four steps:
 *
 * <ol>
 *   <li>mark: {@link #write} a {@link PublicationRecord} before the first new object;
 *   <li>stage: store the new objects where no reader looks;
 *   <li>swap: replace each document by one that names the new objects, in one put. Work that changes existing nodes
 *       first records {@link Step#COMMITTED}: from then on it can only be completed;
 *   <li>finish: delete the old objects, and then the record ({@link #end}).
 * </ol>
 *
 * Each step can be repeated. The record decides whether an interrupted run is resumed, rolled back or completed. A node
 * has one record, so it refuses other work meanwhile. Immutable.
 */
public final class Publication {
    /** The array of a pyramid that lies beside it. */
    private static final String SUBJECT = "of";

    /** The intermediate array of a copy in two passes. */
    private static final String INTERMEDIATE = "intermediate";

    /** The wait for a lock that a call does not wait for. */
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    /** The member of a record with a text that no other run has. */
    public static final String RUN = "run";

    /** The document that publishes a new node. */
    private static final String DOCUMENT = "document";

    private final StoreCalls calls;
    private final String path;

    private Publication(StoreCalls calls, String path) {
        this.calls = calls;
        this.path = path;
    }

    /** Returns the publication at the node at {@code path}. */
    public static Publication at(Store store, String path) {
        return new Publication(
                new StoreCalls(BlockingStore.to(store), StoreKeys.location(store.describe(), path)), path);
    }

    /** Returns the publication at an array. */
    public static Publication at(ZarrArray array) {
        return new Publication(new StoreCalls(array), array.path());
    }

    /** Returns the publication at a node. */
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

    /**
     * Runs work under the lock of the record. Other work that changes the record or its objects takes this lock too.
     */
    public <T> T whileLocked(Duration patience, Supplier<T> work) {
        return new NodeLock(calls, path, patience).whileHolding(key(), work);
    }

    /**
     * Returns the record, if there is one.
     *
     * @throws MetadataException if the object under the record's key is not a valid record
     */
    public Optional<PublicationRecord> record() {
        return calls.get(store -> PublicationRecord.read(store, path));
    }

    /**
     * Returns the record of this kind of work, if there is one.
     *
     * @throws MetadataException if the object under the record's key is not a valid record
     */
    public Optional<PublicationRecord> record(WorkKind work) {
        return record().filter(record -> record.work() == work);
    }

    /**
     * Returns the record of this kind of work, if there is one, and refuses other work that is unfinished, and all work
     * at a node that an interrupted move has made ({@link PublicationRecord#movedFrom}): only the move itself may end
     * that record.
     *
     * @throws StoreException if there is other work
     * @throws MetadataException if the object under the record's key is not a valid record
     */
    public Optional<PublicationRecord> recordRefusingOthers(WorkKind work) {
        Optional<PublicationRecord> found = record();
        found.ifPresent(record -> refuseMoved(record, "no other work can begin there until it has ended"));
        Optional<PublicationRecord> other = found.filter(record -> record.work() != work && !isPublished(record));
        if (other.isPresent()) {
            throw new StoreException(StoreKeys.location(calls.store().describe(), path) + " holds "
                    + other.get().named().text() + ", and no other work can begin there until it has ended: "
                    + other.get().named().advice());
        }
        return found.filter(record -> record.work() == work);
    }

    /**
     * Marks this array as a member of a replacement, whose record is at the root of the store. A program that opens the
     * array as the root of its own store finds this mark, but not the record.
     *
     * @throws StoreException if there is other work
     */
    public void markMember(PublicationRecord replacement, ZarrOptions options) {
        whileLocked(options.lockPatience(), () -> {
            recordRefusingOthers(WorkKind.REPLACEMENT); // or refuses
            write(
                    PublicationRecord.started(
                            WorkKind.REPLACEMENT, replacement.source(), DocumentChange.memberDetails(path)),
                    options.durability());
            return NoResult.INSTANCE;
        });
    }

    /**
     * Whether only the deletion of the record is missing. The document of a new node is stored last, so the node is
     * complete if it has one.
     */
    private boolean isPublished(PublicationRecord record) {
        return record.work().isOfNewNode()
                && record.work().isRemovable()
                && record.details().get(SUBJECT).isEmpty()
                && !hasIntermediate(record)
                && calls.get(store -> StoredObjects.has(store, StoreKeys.join(path, NodePath.DOCUMENT)));
    }

    /** Returns the record of this kind of work with this source that is still staging; empty if there is none. */
    public Optional<PublicationRecord> held(WorkKind work, String source) {
        try {
            return record().filter(record -> record.isOf(work, source));
        } catch (MetadataException e) {
            return Optional.empty();
        }
    }

    /** Whether there is a record, valid or not. */
    public boolean isMarked() {
        return calls.get(store -> StoredObjects.has(store, key()));
    }

    /** Stores the record. */
    public void write(PublicationRecord record, Durability durability) {
        WriteOnce.refuse(calls.store().store(), "a record of unfinished work, which is deleted at the end,");
        calls.run(store -> store.put(key(), Content.of(record.print()), durability));
    }

    /**
     * Replaces the record of this run. In a store without locks, the put has the condition that no other program has
     * changed the record since it was read.
     *
     * @throws StoreException if the record is not that of this run any more
     */
    public void replace(PublicationRecord own, PublicationRecord next, Durability durability) {
        Condition unchanged = unchanged();
        requireHeld(own);
        if (!put(next, unchanged, durability)) {
            throw taken();
        }
    }

    /** Returns the condition that the record stays as it is now; none if the store does not honour it, or has locks. */
    private Condition unchanged() {
        BlockingStore store = calls.store();
        return store.can(Locks.class) || !store.putsUnderConditions()
                ? Condition.ANY
                : calls.get(s -> s.version(key())).map(Condition::version).orElse(Condition.ABSENT);
    }

    /** Stores a record that no other run has. Returns false if the condition does not hold. */
    private boolean put(PublicationRecord record, Condition condition, Durability durability) {
        WriteResult result = calls.get(store -> store.put(key(), Content.of(record.print()), condition, durability));
        if (result instanceof WriteResult.Done || isHeld(record)) {
            return true; // also if the answer to a put was lost, and the store's second attempt was refused
        } else if (result instanceof WriteResult.Unknown unknown) {
            throw new UnknownOutcomeException(
                    "storing " + location() + " failed: the answer was lost: " + unknown.cause(), unknown.cause());
        }
        return false;
    }

    /**
     * Takes the place of an unfinished copy over, before it is removed or overwritten: the record of a removal replaces
     * that of the copy. A move that has made the copy, and now begins to delete its source, then fails. Keeps the
     * record of other work, also that of copies in parts and in two passes, which a move never makes.
     *
     * @param consequence the end of the message, such as "nothing was removed"
     * @throws StoreException if another program works at the node, or the record is that of a move that was deleting
     *     its source, so that the node may be the only complete one
     */
    public void beginRemoval(String consequence, Durability durability) {
        if (!isMarked()) {
            return;
        }
        whileLockedAtOnce(consequence, () -> {
            Condition unchanged = unchanged();
            refuseMovedNode(consequence);
            if (canBeOfMove() && !put(removal(), unchanged, durability)) {
                throw new StoreException("another program has changed " + location()
                        + " meanwhile: check what it does there, then repeat the call; " + consequence);
            }
            return NoResult.INSTANCE;
        });
    }

    /** Whether the record is that of a copy which a move can have made: in one part, in one pass. */
    private boolean canBeOfMove() {
        try {
            return record().filter(record -> record.named() == WorkKind.COPY && !hasIntermediate(record))
                    .isPresent();
        } catch (MetadataException e) {
            return false;
        }
    }

    private static PublicationRecord removal() {
        return PublicationRecord.started(
                WorkKind.REMOVAL,
                "",
                Json.object().with(RUN, Json.of(UUID.randomUUID().toString())));
    }

    /**
     * Records that all objects of a new node are stored, and the document that publishes it. So a later run can tell
     * this document from a node that another program has made at the same place.
     *
     * @return the new record, for {@link #publishNode}
     */
    public PublicationRecord commitNode(PublicationRecord record, byte[] document, Durability durability) {
        requireHeld(record);
        PublicationRecord committed =
                record.with(Step.COMMITTED).with(DOCUMENT, Json.of(new String(document, StandardCharsets.UTF_8)));
        write(committed, durability);
        return committed;
    }

    /**
     * Publishes a new node, and records that. No-op if an interrupted run has recorded it: programs may have changed
     * the node since, so its document is not compared again.
     *
     * @param committed a record of {@link #commitNode}
     * @throws StoreException if there is another node, which another program has made
     * @throws MetadataException if the record does not name the document
     */
    public void publishNode(PublicationRecord committed, ZarrOptions options) {
        if (committed.step() != Step.COMMITTED) {
            return;
        }
        // If there is no such member, its stand-in is an object, so it is no text either.
        if (!(committed.details().get(DOCUMENT).orElse(committed.details()) instanceof Json.Str text)) {
            throw new MetadataException(location() + ": expected the document of the new node");
        }
        Bytes document = Bytes.of(text.value().getBytes(StandardCharsets.UTF_8));
        String key = StoreKeys.join(path, NodePath.DOCUMENT);
        new NodeLock(calls, path, options.lockPatience()).whileHolding(key, () -> {
            requireHeld(committed);
            if (!isStored(key, document)) {
                Condition absent = calls.store().putsUnderConditions() ? Condition.ABSENT : Condition.ANY;
                calls.run(store -> store.put(key, Content.of(document), absent, options.durability()));
                if (!isStored(key, document)) {
                    throw new StoreException("storing "
                            + StoreKeys.location(calls.store().describe(), key)
                            + " failed: the store reports no error, but does not hold the new document");
                }
            }
            return NoResult.INSTANCE;
        });
        write(committed.with(Step.SWITCHED), options.durability());
    }

    /** Whether the document is stored. Throws if another one is. */
    private boolean isStored(String key, Bytes document) {
        Optional<Bytes> found =
                calls.get(store -> StoredObjects.find(store, key, object -> read(object, document.size())));
        if (found.isPresent() && !found.get().contentEquals(document)) {
            throw new StoreException("another program has made an array or group at "
                    + StoreKeys.location(calls.store().describe(), path)
                    + ", where unfinished work publishes another one. Nothing was deleted. Delete " + key
                    + ", but keep all other objects, then rerun the command");
        }
        return found.isPresent();
    }

    /**
     * Checks that the record is still that of this run. Another program may have removed or replaced the objects that
     * this run has stored.
     *
     * @throws StoreException if it is not
     */
    public void requireHeld(PublicationRecord own) {
        if (!isHeld(own)) {
            throw taken();
        }
    }

    /**
     * Returns the failure of a run whose record is gone or replaced. If there is a node, another run of the same work
     * may have completed it, so only a place without one is to be removed.
     */
    private StoreException taken() {
        String place = StoreKeys.location(calls.store().describe(), path);
        boolean isNode = calls.get(store -> StoredObjects.has(store, StoreKeys.join(path, NodePath.DOCUMENT)));
        return new StoreException(
                isNode
                        ? "another program has removed or replaced the unfinished work at " + place + ", or completed"
                                + " it, while this run wrote to it. This run stops and publishes nothing more. There is"
                                + " an array or group now: check it (shardkit verify) and compare it with the source;"
                                + " if anything is missing, run the command again"
                        : "another program has removed or replaced the unfinished " + place + " while this run wrote"
                                + " to it. This run stops and publishes nothing more. Objects of both may be there:"
                                + " remove the place, then run the command again");
    }

    /**
     * Whether the record is still that of this run, as {@link #requireHeld} checks.
     *
     * @throws StoreException if the record cannot be read
     */
    public boolean isHeld(PublicationRecord own) {
        try {
            return record().filter(own::equals).isPresent();
        } catch (MetadataException e) {
            return false;
        }
    }

    /**
     * Refuses to delete or move a node that an interrupted move has made. The move was deleting its source, so the node
     * may be the only complete one.
     *
     * @param consequence the end of the message, such as "nothing was removed"
     * @throws StoreException if the record is that of such a move
     */
    public void refuseMovedNode(String consequence) {
        Optional<PublicationRecord> record;
        try {
            record = record();
        } catch (MetadataException e) {
            return; // unreadable, so it says nothing about the node
        }
        record.ifPresent(found -> refuseMoved(found, consequence));
    }

    private void refuseMoved(PublicationRecord record, String consequence) {
        if (record.movedFrom().isPresent()) {
            throw new StoreException(StoreKeys.location(calls.store().describe(), path) + " holds "
                    + describe(record)
                    + ". If the source cannot be reached any more, or this node is not needed, delete"
                    + " its object " + PublicationRecord.KEY + " first; " + consequence);
        }
    }

    /**
     * Runs work under the lock of the record. Fails at once if another program holds the lock: work that still runs
     * holds it until it ends, so waiting would take long and then fail.
     */
    private void whileLockedAtOnce(String consequence, Supplier<NoResult> work) {
        AtomicBoolean hasLock = new AtomicBoolean();
        try {
            whileLocked(AT_ONCE, () -> {
                hasLock.set(true);
                return work.get();
            });
        } catch (StoreException e) {
            if (hasLock.get()) {
                throw e;
            }
            throw new StoreException(
                    "another program is working at "
                            + StoreKeys.location(calls.store().describe(), path) + ": wait until it ends, or stop it; "
                            + consequence + ": " + e.fact(),
                    e);
        }
    }

    /** Reads an object, but at most one byte more than {@code expected}: that shows that it is another object. */
    private static Bytes read(ObjectSnapshot object, long expected) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(object.size(), expected + 1));
        object.read(0, bytes);
        return Bytes.of(Arrays.copyOf(bytes.array(), bytes.position()));
    }

    /** Deletes the record of this kind of work. Called after all other objects of the work were deleted. */
    public void end(WorkKind work) {
        boolean isOwn;
        try {
            isOwn = record(work).isPresent();
        } catch (MetadataException e) {
            isOwn = true; // unreadable, so no other work needs it
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

    /** Returns the details of a pyramid that lies beside its array at {@code path}. */
    public static Json.Obj ofArray(String path) {
        return Json.object().with(SUBJECT, Json.of(path));
    }

    /** Describes the work and how to end it. */
    public String describe(PublicationRecord record) {
        boolean staging = record.step() == Step.STAGING;
        return switch (record.work()) {
            case RELAYOUT -> {
                if (!DocumentChange.hasChanges(record)) {
                    yield "a change of layout that removed the consolidated metadata of the group, and was interrupted"
                            + " or runs; rerun it to build them again";
                }
                yield staging
                        ? "a change of layout that was stopped before it changed the array, or that runs; rerun it to "
                                + "resume, or remove what it staged by shardkit repair --apply"
                        : "a change of layout whose last steps are missing; shardkit repair --apply takes them";
            }
            case REPLACEMENT ->
                DocumentChange.describeRecordLocation(record, location())
                        .orElse(
                                staging
                                        ? "a replacement of all elements was not committed: the array keeps its old"
                                                + " elements"
                                        : "a replacement of all elements was committed, but not completed: the array"
                                                + " gets its new elements");
            case PYRAMID ->
                record.details().get(SUBJECT).orElse(record.details()) instanceof Json.Str array // absent: no text
                        ? describePyramid(StoreKeys.location(
                                StoreKeys.location(calls.store().describe(), path), array.value()))
                        : adviseRerun(record.named());
            default -> record.movedFrom().map(this::describeMove).orElseGet(() -> adviseRerun(record.named()));
        };
    }

    private String describeMove(String source) {
        return "a complete node that a move has made. The move was interrupted while it deleted " + source
                + ", which may be incomplete; rerun it to delete the rest: shardkit mv " + source + " "
                + StoreKeys.location(calls.store().describe(), path);
    }

    private static String describePyramid(String source) {
        return WorkKind.PYRAMID.text() + " of " + source
                + "; rerun the command with its options to finish it: shardkit pyramid " + source;
    }

    private static String adviseRerun(WorkKind work) {
        return work.text() + "; rerun the interrupted command to finish it";
    }
}
