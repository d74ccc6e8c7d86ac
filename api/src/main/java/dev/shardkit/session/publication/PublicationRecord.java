package dev.shardkit.session.publication;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The record of work at a node that stores new objects and then publishes them, such as a copy or a change of layout.
 * The work stores its record under {@link #KEY} at the node before the first object, and deletes the record after the
 * last leftover. So a record that exists belongs to running or interrupted work. Immutable.
 *
 * @param work the kind of work
 * @param step the last step that the work has reached
 * @param source identifies the source of the new objects: a digest, or a text that no other work has. A call resumes
 *     the work only if its source is equal; empty if no call may resume it
 * @param details members that only this kind of work records
 */
public record PublicationRecord(WorkKind work, Step step, String source, Json.Obj details) {
    /** The name of the object. Names that begin with two underscores are never nodes. */
    public static final String KEY = "__unfinished";

    /** The member of the details with the number of parts, for work that several processes share. */
    public static final String PARTS = "parts";

    private static final String WORK = "work";
    private static final String STEP = "step";
    private static final String SOURCE = "source";
    private static final int MAX_BYTES = 64 << 20;
    /** The limits for a record, which contains documents: larger and more deeply nested than those for a document. */
    private static final Limits LIMITS =
            Limits.defaults().withMetadataBytes(MAX_BYTES).withJsonDepth(JsonReader.DEEPEST);

    /** The member of the details with the location of the node that a move copies. */
    public static final String MOVED_FROM = "moved_from";

    /** The steps, in this order. */
    public enum Step {
        /** New objects are being stored under keys that no reader uses. Readers see the old state. */
        STAGING,
        /** All new objects are stored, and documents are being changed to name them. The work can only be completed. */
        COMMITTED,
        /** The documents name the new objects. The old ones may be gone. */
        SWITCHED,
        /** The new objects also have their final keys, and a document is being changed to name these keys. */
        LINKED,
        /** Only leftovers are to be deleted. */
        ENDED
    }

    /** Creates the record of work that begins. */
    public static PublicationRecord started(WorkKind work, String source, Json.Obj details) {
        return new PublicationRecord(work, Step.STAGING, source, details);
    }

    /** Returns the key of the record of the node at {@code path}. */
    public static String key(String path) {
        return StoreKeys.join(path, KEY);
    }

    /** Returns the kind of work for messages, which name a shared copy differently. */
    public WorkKind named() {
        boolean isShared = work == WorkKind.COPY && details.get(PARTS).isPresent();
        return isShared ? WorkKind.PARTED_COPY : work;
    }

    /** Returns whether a call can resume this work: it is of {@code kind}, is not committed, and has this source. */
    public boolean isOf(WorkKind kind, String from) {
        return work == kind && !isCommitted() && !from.isEmpty() && source.equals(from);
    }

    /**
     * Returns the location of the node that an interrupted move was deleting; empty if this is other work. The node
     * with this record may be the only complete one.
     */
    public Optional<String> movedFrom() {
        // in place of a missing member stands the object itself, which is not a string
        return step == Step.SWITCHED && details.get(MOVED_FROM).orElse(details) instanceof Json.Str from
                ? Optional.of(from.value())
                : Optional.empty();
    }

    /** Returns whether the work can only be completed, or only leftovers are to be deleted. */
    public boolean isCommitted() {
        return step != Step.STAGING;
    }

    /** Returns a record of the next step. */
    public PublicationRecord with(Step next) {
        return new PublicationRecord(work, next, source, details);
    }

    /** Returns a record with another member of the details. */
    public PublicationRecord with(String name, Json value) {
        return new PublicationRecord(work, step, source, details.with(name, value));
    }

    /**
     * Returns the stored form.
     *
     * @throws UnsupportedException if it is too large to be read again
     */
    public Bytes print() {
        Json.Obj json = Json.object()
                .with(WORK, Json.of(name(work)))
                .with(STEP, Json.of(name(step)))
                .with(SOURCE, Json.of(source));
        for (Map.Entry<String, Json> detail : details.members().entrySet()) {
            json = json.with(detail.getKey(), detail.getValue());
        }
        Bytes bytes = Bytes.of(JsonPrinter.print(json));
        if (bytes.size() > MAX_BYTES) {
            throw new UnsupportedException("the record of " + work.text() + " would have " + bytes.size()
                    + " bytes, expected at most " + MAX_BYTES);
        }
        return bytes;
    }

    /**
     * Reads the record of the node at {@code path}; empty if there is none.
     *
     * @throws MetadataException if the object is not a record
     */
    public static Optional<PublicationRecord> read(BlockingStore store, String path) throws IOException {
        Optional<ObjectSnapshot> found = store.open(key(path));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = found.get()) {
            if (object.size() > MAX_BYTES) {
                throw unexpected(store, path);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
            object.read(0, bytes);
            byte[] read = Arrays.copyOf(bytes.array(), bytes.position());
            return Optional.of(parse(read).orElseThrow(() -> unexpected(store, path)));
        }
    }

    /** Parses the stored form of a record; empty if the bytes are not a record. */
    static Optional<PublicationRecord> parse(byte[] bytes) {
        try {
            // in place of a missing member stands the object itself, which is not a string
            if (JsonReader.read(bytes, LIMITS) instanceof Json.Obj object
                    && object.get(WORK).orElse(object) instanceof Json.Str work
                    && object.get(STEP).orElse(object) instanceof Json.Str step
                    && object.get(SOURCE).orElse(object) instanceof Json.Str source) {
                Optional<WorkKind> kind = named(WorkKind.values(), work);
                Optional<Step> reached = named(Step.values(), step);
                if (kind.isPresent() && reached.isPresent()) {
                    Map<String, Json> details = new LinkedHashMap<>(object.members());
                    details.keySet().removeAll(List.of(WORK, STEP, SOURCE));
                    return Optional.of(
                            new PublicationRecord(kind.get(), reached.get(), source.value(), new Json.Obj(details)));
                }
            }
        } catch (MetadataException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static <E extends Enum<E>> Optional<E> named(E[] values, Json.Str name) {
        return Arrays.stream(values)
                .filter(value -> name(value).equals(name.value()))
                .findFirst();
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static MetadataException unexpected(BlockingStore store, String path) {
        return new MetadataException(StoreKeys.location(store.describe(), key(path))
                + ": expected the record of unfinished work, found something else. If no move of arrays into this place"
                + " (concat --move) was interrupted, delete it to begin again");
    }
}
