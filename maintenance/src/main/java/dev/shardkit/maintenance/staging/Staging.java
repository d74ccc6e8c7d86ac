package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.base.StoreCalls;
import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.maintenance.staging.MovedContent.Part;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Framing.Frame;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.ForcesToDevice;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.StoreAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The staging place of an array's objects in a new layout: below {@code ARRAY/__relayout}, a reserved name that is
 * never listed. {@code new/} holds complete objects, {@code record} describes them. Used by one thread.
 */
public final class Staging {
    public static final String FOLDER = "__relayout";

    private final ZarrArray array;
    private final StoreCalls calls;
    private final String base;
    private final String spills;
    private boolean looks;
    private dev.shardkit.spi.array.@Nullable ChunkKeyEncoding keys;

    /**
     * The record of a change.
     *
     * @param state its progress
     * @param from the array's document at the beginning
     * @param to the new document
     * @param source the fingerprint of the source objects
     * @param interim the key encoding under which the new objects first appear; the array's own encoding until all are
     *     staged
     * @param links the fingerprint of the objects under the interim keys before the last change of the document; empty
     *     before the first one. At the end, the key to which a write may be lost
     */
    public record Record(State state, Json.Obj from, Json.Obj to, String source, Json interim, String links) {
        /** Whether all objects are staged. */
        public boolean isComplete() {
            return state != State.STAGING;
        }

        /** Whether objects are being staged for this change of the same objects. */
        boolean isOf(LayoutChange change, String fingerprint) {
            return state == State.STAGING
                    && source.equals(fingerprint)
                    && Layouts.isSame(from, MetadataWriter.document(change.from()))
                    && Layouts.isSame(to, MetadataWriter.document(change.to()));
        }

        Record with(State next, String nextLinks) {
            return new Record(next, from, to, source, interim, nextLinks);
        }
    }

    /** The progress of a change, in this order. */
    enum State {
        STAGING,
        /** All objects are staged; the old ones are untouched. */
        COMPLETE,
        /** The document names the interim keys, and no writer had changed an old object before; these may be gone. */
        SWITCHED,
        /** All objects have both keys. */
        LINKED,
        /** The document names the array's own keys; only the other keys are left to delete. */
        ENDED;

        private Json json() {
            return Json.of(name().toLowerCase(Locale.ROOT));
        }
    }

    public Staging(ZarrArray array) {
        this(array, "parts");
    }

    /** Creates the staging place as a process sees it that spills into a folder of its own. */
    public Staging(ZarrArray array, String spills) {
        this.array = array;
        this.calls = new StoreCalls(array);
        this.base = StoreKeys.join(array.path(), FOLDER);
        this.spills = base + "/" + spills;
    }

    StoreAccess store() {
        return calls.store();
    }

    /** Returns the key of the lock for the whole change. */
    public String recordKey() {
        return base + "/record";
    }

    /** Returns the record, if there is one. */
    public Optional<Record> record() {
        Optional<byte[]> bytes = calls.get(store -> StoredObjects.find(store, recordKey(), object -> {
            if (object.size() > 3 * array.options().limits().metadataBytes()) {
                throw new CorruptDataException(recordKey() + ": a record of " + object.size() + " bytes");
            }
            ByteBuffer all = ByteBuffer.allocate((int) object.size());
            object.read(0, all);
            return all.array();
        }));
        return bytes.map(b -> parse(JsonReader.read(b, array.options().limits())));
    }

    private Record parse(Json json) {
        if (json instanceof Json.Obj o
                && o.get("state").orElse(json) instanceof Json.Str state
                && o.get("from").orElse(json) instanceof Json.Obj from
                && from.get("chunk_key_encoding").isPresent()
                && o.get("to").orElse(json) instanceof Json.Obj to
                && o.get("source").orElse(json) instanceof Json.Str source
                && o.get("links").orElse(json) instanceof Json.Str links
                && o.get("interim").isPresent()) {
            for (State known : State.values()) {
                if (known.json().equals(state)) {
                    return new Record(
                            known, from, to, source.value(), o.get("interim").get(), links.value());
                }
            }
        }
        throw new MetadataException(
                recordKey() + ": expected the record of a change of layout; delete " + base + " to start again");
    }

    void write(Record record) {
        Json.Obj json = Json.object()
                .with("state", record.state.json())
                .with("from", record.from)
                .with("to", record.to)
                .with("source", Json.of(record.source))
                .with("interim", record.interim)
                .with("links", Json.of(record.links));
        calls.run(store -> store.put(recordKey(), Content.of(Bytes.of(JsonPrinter.print(json))), durability()));
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
        looks = record().filter(r -> r.isOf(change, source)).isPresent();
        if (!looks) {
            discard();
            write(new Record(State.STAGING, from, to, source, Layouts.keyEncoding(change.from()), ""));
        }
        deleteParts();
        return looks;
    }

    /** Deletes everything that is staged. */
    public void discard() {
        calls.run(store -> store.deleteAll(base));
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
        return staged(cell).isPresent();
    }

    /**
     * Whether an earlier run staged all bytes of {@code cell}: after a power failure an unforced object may be shorter.
     */
    boolean has(long[] cell, long size) {
        return staged(cell).filter(found -> found == size).isPresent();
    }

    private Optional<Long> staged(long[] cell) {
        return looks ? calls.get(store -> StoredObjects.find(store, key(cell), Snapshot::size)) : Optional.empty();
    }

    /** Stores an object whose size {@link #has} can check. It is durable after {@link #force}. */
    void putMoved(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, perObject()));
    }

    /** Stores an object whose size only its producer knows. */
    void putEncoded(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, durability()));
    }

    /** Returns the durability of single objects; {@link #force} forces all of them at the end. */
    private Durability perObject() {
        return isForcedTogether() ? Durability.ATOMIC : durability();
    }

    private boolean isForcedTogether() {
        return durability() == Durability.FORCED && store().can(ForcesToDevice.class);
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
     * @param inPlace adds to the content which objects it replaces
     */
    void spill(int number, Map<Integer, Part> parts, UnaryOperator<Content> inPlace) {
        List<Map.Entry<Integer, Part>> literal = new ArrayList<>(parts.entrySet());
        literal.removeIf(e -> !(e.getValue() instanceof MovedContent.Literal));
        String key = spills + "/" + number;
        Content content = new MovedContent(
                store(), new Frame(Bytes.EMPTY, i -> i, Bytes.EMPTY), literal.size(), i -> literal.get(i)
                        .getValue());
        calls.run(store -> store.put(key, inPlace.apply(content), Durability.NONE));
        long at = 0;
        for (Map.Entry<Integer, Part> e : literal) {
            long size = e.getValue().size();
            parts.put(e.getKey(), new MovedContent.Range(key, at, size));
            at += size;
        }
    }

    void deleteParts() {
        calls.run(store -> store.deleteAll(spills));
    }

    /** Visits the staged objects: their keys, and their later keys with the array's own key encoding. */
    void objects(BiConsumer<String, String> named) {
        String root = base + "/new";
        StoredObjects.below(
                calls, root, key -> named.accept(key, StoreKeys.join(array.path(), StoreKeys.relative(root, key))));
    }

    /**
     * Links keys to other keys.
     *
     * @param pairs supplies the pairs
     */
    void link(Consumer<BiConsumer<String, String>> pairs) {
        pairs.accept((from, to) -> calls.run(store -> store.copy(from, to, perObject())));
        force();
    }
}
