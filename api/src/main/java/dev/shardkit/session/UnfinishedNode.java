package dev.shardkit.session;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The kinds of operations that an interrupted call left unfinished at a path. The call stores a mark first, so objects
 * without a mark are never treated as leftovers of a call.
 */
public enum UnfinishedNode {
    /** A copy or a pyramid. */
    COPY(
            "an unfinished copy or pyramid",
            "rerun the command to resume it; if the source is remote or has changed, or the command differs, replace"
                    + " it with Existing.OVERWRITE"),
    /** A copy that several processes make, each a part. */
    PARTED_COPY(
            "an unfinished copy in parts",
            "run the missing parts with the same options and then copy --finish, or remove it"),
    /** An import from files. */
    IMPORT("an unfinished import", "import it again with Existing.OVERWRITE"),
    /** A conversion to another place. */
    CONVERSION("an unfinished conversion", "rerun the command to resume it"),
    /** A concatenation of copies. */
    CONCATENATION("an unfinished concatenation", "rerun the command to resume it"),
    /** A concatenation that moves the source's chunks here, so they may be stored nowhere else. */
    MOVING_CONCATENATION(
            "an unfinished concatenation that moves arrays here, which may be stored nowhere else",
            "rerun the command to complete it"),
    /** A source of {@link #MOVING_CONCATENATION}: some of its chunks are here, the others there. */
    MOVED_ARRAY(
            "an array that an unfinished concatenation moves to another place (its metadata is in "
                    + UnfinishedNode.MOVED_DOCUMENT + ")",
            "rerun the interrupted command, concat --move with the same arrays and the same target, to complete it");

    /**
     * The mark of {@link #COPY}, {@link #PARTED_COPY} and {@link #IMPORT}. Names that begin with two underscores are
     * never nodes.
     */
    public static final String COPY_MARK = "__unfinished_copy";

    /** The number of parts of {@link #PARTED_COPY}. */
    public static final String PARTS = COPY_MARK + "_parts";

    /** The mark of {@link #CONVERSION}. */
    public static final String CONVERSION_MARK = "__unfinished_conversion";

    /** The mark of {@link #CONCATENATION} and {@link #MOVING_CONCATENATION}. */
    public static final String CONCATENATION_MARK = "__unfinished_concatenation";

    /** The renamed document of {@link #MOVED_ARRAY}, which is its mark. */
    public static final String MOVED_DOCUMENT = "__concatenated-zarr.json";

    private static final String IMPORT_STATE = "import";
    private static final int MAX_STATE_BYTES = 1 << 24;

    private final String text;
    private final String advice;

    UnfinishedNode(String text, String advice) {
        this.text = text;
        this.advice = advice;
    }

    /** Returns the content of the mark of {@link #IMPORT}. */
    public static byte[] importState() {
        return IMPORT_STATE.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a noun with its article, for messages. */
    public String text() {
        return text;
    }

    /** Returns what a user can do, for messages. */
    public String advice() {
        return advice;
    }

    /** Returns whether the objects may be removed: the sources still hold all data. */
    public boolean isRemovable() {
        return this != MOVING_CONCATENATION && this != MOVED_ARRAY;
    }

    /** Reads the mark at {@code path}; empty if there is none. */
    public static Optional<UnfinishedNode> at(StoreAccess store, String path) throws IOException {
        Optional<byte[]> copy = read(store, StoreKeys.join(path, COPY_MARK));
        if (copy.isPresent()) {
            String state = new String(copy.get(), StandardCharsets.UTF_8);
            if (state.equals(IMPORT_STATE)) {
                return Optional.of(IMPORT);
            }
            boolean inParts = read(store, StoreKeys.join(path, PARTS)).isPresent();
            return Optional.of(inParts ? PARTED_COPY : COPY);
        } else if (read(store, StoreKeys.join(path, CONVERSION_MARK)).isPresent()) {
            return Optional.of(CONVERSION);
        }
        Optional<byte[]> concatenation = read(store, StoreKeys.join(path, CONCATENATION_MARK));
        if (concatenation.isPresent()) {
            return Optional.of(isCopy(concatenation.get()) ? CONCATENATION : MOVING_CONCATENATION);
        }
        return read(store, StoreKeys.join(path, MOVED_DOCUMENT)).map(document -> MOVED_ARRAY);
    }

    /** Returns whether the state of a concatenation says that it copies. An unreadable state may be that of a move. */
    private static boolean isCopy(byte[] state) {
        try {
            return JsonReader.read(state, Limits.defaults()) instanceof Json.Obj object
                    && object.get("way").equals(Optional.of(Json.of("copy")));
        } catch (ZarrException e) {
            return false;
        }
    }

    private static Optional<byte[]> read(StoreAccess store, String key) throws IOException {
        Optional<Snapshot> found = store.open(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (Snapshot object = found.get()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(object.size(), MAX_STATE_BYTES));
            object.read(0, bytes);
            return Optional.of(bytes.array());
        }
    }
}
