package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.MovedContent.Part;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.Framing.Frame;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Forces;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.StoreAccess;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Where an array's objects wait that are made in another layout: below {@code ARRAY/__relayout}, which is nobody's node
 * and never listed. {@code new/} holds complete objects, {@code record} says what they are of. Used by one thread.
 */
final class Staging {
    static final String FOLDER = "__relayout";

    private final ZarrArray array;
    private final StoreCalls calls;
    private final String base;
    private boolean looks;
    private Optional<dev.shardkit.spi.array.ChunkKeyEncoding> keys = Optional.empty();

    /**
     * What is recorded of a change.
     *
     * @param state how far it is
     * @param from the array's document when it began
     * @param to the document that it shall have
     * @param source what the objects were that it was made from
     * @param interim the key encoding under which the new objects appear first; the array's own until they are complete
     */
    record Record(State state, Json.Obj from, Json.Obj to, String source, Json interim) {}

    /** How far it is. */
    enum State {
        STAGING,
        COMPLETE
    }

    Staging(ZarrArray array) {
        this.array = array;
        this.calls = new StoreCalls(array);
        this.base = under(array.path(), FOLDER);
    }

    static String under(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    StoreAccess store() {
        return calls.store();
    }

    /** The key that stands for the whole change, for its lock. */
    String recordKey() {
        return base + "/record";
    }

    /** What is recorded, if anything is. */
    Optional<Record> record() {
        Optional<byte[]> bytes = calls.get(store -> {
            Optional<Snapshot> found = store.open(recordKey());
            if (found.isEmpty()) {
                return Optional.empty();
            }
            try (Snapshot object = found.get()) {
                if (object.size() > 3 * array.options().limits().metadataBytes()) {
                    throw new CorruptDataException(recordKey() + ": a record of " + object.size() + " bytes");
                }
                ByteBuffer all = ByteBuffer.allocate((int) object.size());
                object.read(0, all);
                return Optional.of(all.array());
            }
        });
        return bytes.map(b -> parse(JsonReader.read(b, array.options().limits())));
    }

    private Record parse(Json json) {
        if (json instanceof Json.Obj o
                && o.get("state").orElse(json) instanceof Json.Str state
                && o.get("from").orElse(json) instanceof Json.Obj from
                && o.get("to").orElse(json) instanceof Json.Obj to
                && o.get("source").orElse(json) instanceof Json.Str source
                && o.get("interim").isPresent()) {
            boolean complete = state.value().equals("complete");
            return new Record(
                    complete ? State.COMPLETE : State.STAGING,
                    from,
                    to,
                    source.value(),
                    o.get("interim").get());
        }
        throw new MetadataException(
                recordKey() + ": expected the record of a change of layout; remove " + base + " to begin anew");
    }

    void write(Record record) {
        Json.Obj json = Json.object()
                .with("state", Json.of(record.state == State.COMPLETE ? "complete" : "staging"))
                .with("from", record.from)
                .with("to", record.to)
                .with("source", Json.of(record.source))
                .with("interim", record.interim);
        calls.run(store -> store.put(recordKey(), content(Bytes.of(JsonPrinter.print(json))), durability()));
    }

    static Content content(Bytes bytes) {
        return new Content() {
            @Override
            public long size() {
                return bytes.size();
            }

            @Override
            public void writeTo(java.nio.channels.WritableByteChannel out) throws java.io.IOException {
                for (ByteBuffer piece : bytes.pieces()) {
                    while (piece.hasRemaining()) {
                        out.write(piece);
                    }
                }
            }
        };
    }

    private Durability durability() {
        return array.options().durability();
    }

    /**
     * Begins a change, or goes on with it if what is staged is of the same change of the same objects.
     *
     * @return whether there may be staged objects
     */
    boolean begin(LayoutChange change, String source) {
        Json.Obj from = MetadataWriter.document(change.from());
        Json.Obj to = MetadataWriter.document(change.to());
        keys = Optional.of(change.to().chunkKeyEncoding());
        looks = record().filter(r -> r.state == State.STAGING
                        && r.source.equals(source)
                        && Layouts.isSame(r.from, from)
                        && Layouts.isSame(r.to, to))
                .isPresent();
        if (!looks) {
            discard();
            write(new Record(State.STAGING, from, to, source, Layouts.keyEncoding(change.from())));
        }
        deleteParts();
        return looks;
    }

    /** Removes all that is staged. */
    void discard() {
        calls.run(store -> store.deleteAll(base));
    }

    /** Removes the staged objects; the record stays. */
    void deleteObjects() {
        calls.run(store -> store.deleteAll(base + "/new"));
    }

    private String key(long[] cell) {
        return base + "/new/" + keys.orElseThrow().encode(cell);
    }

    /**
     * Whether the object of {@code cell} is there from an earlier run; it is complete then.
     *
     * @param size its size, if that is known: after a power failure an object that was not forced may be shorter
     */
    boolean has(long[] cell, OptionalLong size) {
        return looks
                && calls.get(store -> {
                    Optional<Snapshot> found = store.open(key(cell));
                    if (found.isEmpty()) {
                        return false;
                    }
                    try (Snapshot object = found.get()) {
                        return size.isEmpty() || object.size() == size.getAsLong();
                    }
                });
    }

    /** Puts an object of which {@link #has} can tell the size; it is on the device after {@link #force}. */
    void putMoved(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, perObject()));
    }

    /** Puts an object of which nobody knows the size but who made it. */
    void putEncoded(long[] cell, Content content) {
        calls.run(store -> store.put(key(cell), content, durability()));
    }

    /** How single objects are put where all of them are forced in the end. */
    private Durability perObject() {
        return isForcedTogether() ? Durability.ATOMIC : durability();
    }

    private boolean isForcedTogether() {
        return durability() == Durability.FORCED && store().can(Forces.class);
    }

    /** Sees to it that all of the array is on the device, staged or not, if that is asked for. */
    void force() {
        if (isForcedTogether()) {
            calls.run(store -> store.force(array.path()));
        }
    }

    /** Writes what is in memory of {@code parts} to an object of its own, of which they are ranges then. */
    void spill(int number, Map<Integer, Part> parts) {
        List<Map.Entry<Integer, Part>> literal = new ArrayList<>(parts.entrySet());
        literal.removeIf(e -> !(e.getValue() instanceof MovedContent.Literal));
        String key = base + "/parts/" + number;
        Content content = new MovedContent(
                store(), new Frame(Bytes.EMPTY, i -> i, Bytes.EMPTY), literal.size(), i -> literal.get(i)
                        .getValue());
        calls.run(store -> store.put(key, content, Durability.NONE));
        long at = 0;
        for (Map.Entry<Integer, Part> e : literal) {
            long size = e.getValue().size();
            parts.put(e.getKey(), new MovedContent.Range(key, at, size));
            at += size;
        }
    }

    void deleteParts() {
        calls.run(store -> store.deleteAll(base + "/parts"));
    }

    /** Names the staged objects: their keys, and what their keys will be with the array's own key encoding. */
    void objects(BiConsumer<String, String> named) {
        String root = base + "/new";
        calls.run(store -> {
            Deque<String> prefixes = new ArrayDeque<>(List.of(root));
            while (!prefixes.isEmpty()) {
                String prefix = prefixes.pop();
                store.list(prefix, entry -> {
                    String key = prefix + "/" + entry.name();
                    if (entry.kind() == Entry.Kind.PREFIX) {
                        prefixes.push(key);
                    } else {
                        named.accept(key, under(array.path(), key.substring(root.length() + 1)));
                    }
                });
            }
        });
    }

    /**
     * Links keys to keys.
     *
     * @param pairs hands over the pairs
     */
    void link(Consumer<BiConsumer<String, String>> pairs) {
        pairs.accept((from, to) -> calls.run(store -> store.copy(from, to, perObject())));
        force();
    }
}
