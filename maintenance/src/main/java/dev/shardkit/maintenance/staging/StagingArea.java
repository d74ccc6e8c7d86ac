package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.publish.DocumentChange;
import dev.shardkit.maintenance.publish.PartMarks;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.session.publication.PublicationRecord.Step;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.ShardAssembly.Frame;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The staging area for an array's objects in a new layout: the folder {@code ARRAY/__relayout}, a reserved name that is
 * never listed. {@code new/} holds complete objects, and the record of the {@link Publication} describes them. Used by
 * one thread.
 */
public final class StagingArea {
    public static final String FOLDER = "__relayout";

    private static final String INTERIM = "interim";
    private static final String LINKS = "links";

    private final ZarrArray array;
    private final StoreCalls calls;
    private final Publication publication;
    private final PartMarks marks;
    private final String base;
    /** The folder of encoded bytes that do not fit in memory. */
    private final String spills;

    /** Whether objects that an earlier run staged are kept. */
    private boolean resumes;

    /** The array's own key encoding, under which staged objects are named; null before {@link #begin}. */
    private dev.shardkit.spi.array.@Nullable ChunkKeyEncoding keys;

    /**
     * A recorded change.
     *
     * @param stored the record
     * @param from the array's document at the beginning
     * @param to the new document
     * @param interim the key encoding under which the new objects first appear; the array's own encoding until all are
     *     staged
     * @param links the fingerprint of the objects under the interim keys before the last change of the document; empty
     *     before the first one. At the end, the key whose write may be lost
     */
    public record Record(PublicationRecord stored, Json.Obj from, Json.Obj to, Json interim, String links) {
        Step step() {
            return stored.step();
        }

        /** Returns the fingerprint of the source objects. */
        String source() {
            return stored.source();
        }

        /** Whether all objects are staged. */
        public boolean isComplete() {
            return stored.isCommitted();
        }

        /** Whether objects are being staged for this change of the same objects. */
        boolean isOf(LayoutChange change, String fingerprint) {
            return !isComplete()
                    && source().equals(fingerprint)
                    && LayoutMembers.isSame(from, MetadataWriter.document(change.from()))
                    && LayoutMembers.isSame(to, MetadataWriter.document(change.to()));
        }

        Record with(Step next, String nextLinks) {
            return new Record(stored.with(next).with(LINKS, Json.of(nextLinks)), from, to, interim, nextLinks);
        }

        /** Returns the record for the step at which all objects are staged. */
        Record committed(Json keys) {
            return new Record(stored.with(INTERIM, keys), from, to, keys, "").with(Step.COMMITTED, "");
        }
    }

    public StagingArea(ZarrArray array) {
        this(array, "parts");
    }

    /** Creates the staging area of a process that spills into the folder {@code spills}. */
    public StagingArea(ZarrArray array, String spills) {
        this.array = array;
        this.calls = new StoreCalls(array);
        this.publication = Publication.at(array);
        this.marks = new PartMarks(ArrayInternals.of(array).store(), array.path(), durability());
        this.base = StoreKeys.join(array.path(), FOLDER);
        this.spills = base + "/" + spills;
    }

    BlockingStore store() {
        return calls.store();
    }

    /** Returns the array's publication. Its lock is held during the whole change. */
    public Publication publication() {
        return publication;
    }

    /** Returns the marks of the parts that several processes stage. */
    PartMarks marks() {
        return marks;
    }

    /**
     * Returns the record, if there is one.
     *
     * @throws dev.shardkit.spi.error.StoreException if other work at the array is unfinished
     */
    public Optional<Record> record() {
        return publication.recordRefusingOthers(WorkKind.RELAYOUT).map(this::parse);
    }

    private Record parse(PublicationRecord record) {
        DocumentChange change =
                DocumentChange.of(record, publication.location()).get(0);
        // If there are no links, their stand-in is an object, so the record is unexpected.
        if (record.details().get(INTERIM).isPresent()
                && record.details().get(LINKS).orElse(record.details()) instanceof Json.Str links) {
            return new Record(
                    record,
                    change.from(),
                    change.to(),
                    record.details().get(INTERIM).get(),
                    links.value());
        }
        throw DocumentChange.unexpected(publication.location());
    }

    void write(Record record) {
        publication.write(record.stored, durability());
    }

    private Durability durability() {
        return array.options().durability();
    }

    /**
     * Begins a change, or resumes it if the staged objects belong to the same change of the same objects.
     *
     * @return whether staged objects may exist
     */
    public boolean begin(LayoutChange change, String source) {
        Json.Obj from = MetadataWriter.document(change.from());
        Json.Obj to = MetadataWriter.document(change.to());
        keys = change.to().chunkKeyEncoding();
        resumes = record().filter(r -> r.isOf(change, source)).isPresent();
        if (!resumes) {
            discard();
            publication.write(
                    PublicationRecord.started(
                            WorkKind.RELAYOUT,
                            source,
                            DocumentChange.details(List.of(new DocumentChange(array.path(), from, to)))
                                    .with(INTERIM, LayoutMembers.keyEncoding(change.from()))
                                    .with(LINKS, Json.of(""))),
                    durability());
        }
        deleteSpills();
        return resumes;
    }

    /** Records the number of parts of the change. */
    void recordPartCount(Part part) {
        record().ifPresent(found -> publication.write(PartMarks.withPartCount(found.stored(), part), durability()));
    }

    /** Deletes all staged objects, and then the record. */
    public void discard() {
        marks.removeAll(Optional.empty()); // first: a mark says that staged objects exist
        calls.run(store -> store.deleteAll(base));
        publication.end(WorkKind.RELAYOUT);
    }

    /** Deletes the staged objects and keeps the record. */
    void deleteObjects() {
        calls.run(store -> store.deleteAll(base + "/new"));
    }

    private String key(long[] cell) {
        return base + "/new/" + Objects.requireNonNull(keys).encode(cell);
    }

    /** Whether an earlier run staged an object of {@code cell}. */
    boolean has(long[] cell) {
        return stagedSize(cell).isPresent();
    }

    /**
     * Whether an earlier run staged all bytes of {@code cell}. After a power failure, an object that was not forced to
     * the device may be shorter.
     */
    boolean has(long[] cell, long size) {
        return stagedSize(cell).filter(found -> found == size).isPresent();
    }

    private Optional<Long> stagedSize(long[] cell) {
        return resumes
                ? calls.get(store -> StoredObjects.find(store, key(cell), ObjectSnapshot::size))
                : Optional.empty();
    }

    /** Stores an object whose size {@link #has} can check. It is durable after {@link #force}. */
    void putAssembled(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, objectDurability()));
    }

    /** Stores an object whose size a later run cannot predict. It is durable at once, if the options ask for it. */
    void putEncoded(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, durability()));
    }

    /** Returns the durability of single objects; {@link #force} forces all of them at the end. */
    private Durability objectDurability() {
        return isForcedTogether() ? Durability.ATOMIC : durability();
    }

    private boolean isForcedTogether() {
        return durability() == Durability.FORCED && store().can(DeviceSync.class);
    }

    /** Forces the whole array to the device, staged or not, if the options ask for it. */
    void force() {
        if (isForcedTogether()) {
            calls.run(store -> store.force(array.path()));
        }
    }

    /**
     * Spills the in-memory bytes of {@code parts} to an object and replaces the parts by ranges of it.
     *
     * @param replacing adds to the content the keys of the objects that it replaces
     */
    void spill(int number, Map<Integer, AssembledContent.Part> parts, UnaryOperator<Content> replacing) {
        List<Map.Entry<Integer, AssembledContent.Part>> literal = new ArrayList<>(parts.entrySet());
        literal.removeIf(e -> !(e.getValue() instanceof AssembledContent.Literal));
        String key = spills + "/" + number;
        Content content = new AssembledContent(
                store(), new Frame(Bytes.EMPTY, i -> i, Bytes.EMPTY), literal.size(), i -> literal.get(i)
                        .getValue());
        calls.run(store -> store.put(key, replacing.apply(content), Durability.NONE));
        long at = 0;
        for (Map.Entry<Integer, AssembledContent.Part> e : literal) {
            long size = e.getValue().size();
            parts.put(e.getKey(), new AssembledContent.Range(key, at, size));
            at += size;
        }
    }

    void deleteSpills() {
        calls.run(store -> store.deleteAll(spills));
    }

    /** Visits the staged objects: the staged key, and the final key in the array's own encoding. */
    void visitObjects(BiConsumer<String, String> visitor) {
        String root = base + "/new";
        StoredObjects.visitKeys(
                calls, root, key -> visitor.accept(key, StoreKeys.join(array.path(), StoreKeys.relative(root, key))));
    }

    /**
     * Copies objects to other keys, if possible as hard links.
     *
     * @param pairs passes each pair of an object's key and its new key to the consumer that it receives
     */
    void link(Consumer<BiConsumer<String, String>> pairs) {
        pairs.accept((from, to) -> calls.run(store -> store.copy(from, to, objectDurability())));
        force();
    }
}
