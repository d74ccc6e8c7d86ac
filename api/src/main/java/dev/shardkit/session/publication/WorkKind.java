package dev.shardkit.session.publication;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.Optional;

/**
 * The kinds of work that stores new objects before it publishes them. Each call stores a {@link PublicationRecord}
 * first, so objects without a record are never treated as leftovers of an interrupted call.
 */
public enum WorkKind {
    /** A copy. */
    COPY("an unfinished copy", WorkKind.RERUN_OR_REPLACE),
    /** A {@link #COPY} that several processes make, each a part. */
    PARTED_COPY(
            "an unfinished copy in parts",
            "run the missing parts with the same options and then copy --finish, or remove it"),
    /** A pyramid. */
    PYRAMID("an unfinished pyramid", WorkKind.RERUN_OR_REPLACE),
    /** An import from files. */
    IMPORT("an unfinished import", "import it again with IfExists.OVERWRITE"),
    /** A conversion to another place. */
    CONVERSION("an unfinished conversion", "rerun the command to resume it"),
    /** A concatenation of copies. */
    CONCATENATION("an unfinished concatenation", "rerun the command to resume it"),
    /** A concatenation that moves the source's chunks here, so they may be stored nowhere else. */
    MOVING_CONCATENATION(
            "an unfinished concatenation that moves arrays here, which may be stored nowhere else",
            "rerun the command to complete it"),
    /**
     * A source of {@link #MOVING_CONCATENATION}. Some of its chunks are still here, the others have been moved. It has
     * no record; the record is at the target.
     */
    MOVED_ARRAY(
            "an array that an unfinished concatenation moves to another place (its metadata is in "
                    + WorkKind.MOVED_DOCUMENT + ")",
            "rerun the interrupted command, concat --move with the same arrays and the same target, to complete it"),
    /** A change of the layout of an existing array. */
    RELAYOUT("an unfinished change of layout", "rerun it; shardkit repair says what else ends it"),
    /** A replacement of all elements of existing arrays. */
    REPLACEMENT("an unfinished replacement of all elements", "end it by shardkit repair --apply"),
    /** A removal of a node or of unfinished work. */
    REMOVAL("an unfinished removal", "repeat the removal"),
    /** An object under the record's key that cannot be read as a record. It may be a damaged record of a move. */
    UNKNOWN(
            "unfinished work whose record cannot be read, and whose chunks may be stored nowhere else",
            "if no move of arrays into this place (concat --move) was interrupted, delete the object "
                    + PublicationRecord.KEY + " there");

    /** The renamed document of {@link #MOVED_ARRAY}, which is its mark. */
    public static final String MOVED_DOCUMENT = "__concatenated-zarr.json";

    /** The advice for work that reads its source and does not change it. */
    private static final String RERUN_OR_REPLACE =
            "rerun the command to resume it; if the source is remote or has changed, or the command differs, replace it "
                    + "with IfExists.OVERWRITE";

    private final String text;
    private final String advice;

    WorkKind(String text, String advice) {
        this.text = text;
        this.advice = advice;
    }

    /** Returns a noun with its article, for messages. */
    public String text() {
        return text;
    }

    /** Returns what a user can do, for messages. */
    public String advice() {
        return advice;
    }

    /**
     * Returns whether the objects may be removed, because the sources still hold all data. There is one exception: a
     * {@link #COPY} that a move has made may be the only complete one while the move deletes the source. Its record
     * then names the source ({@link PublicationRecord#movedFrom}).
     */
    public boolean isRemovable() {
        return this != MOVING_CONCATENATION && this != MOVED_ARRAY && this != UNKNOWN;
    }

    /** Returns whether the work makes a new node, whose document is stored last. */
    public boolean isOfNewNode() {
        return this != RELAYOUT && this != REPLACEMENT && this != REMOVAL;
    }

    /** Returns the unfinished work at {@code path}, where there is no node; empty if there is none. */
    public static Optional<WorkKind> at(BlockingStore store, String path) throws IOException {
        Optional<WorkKind> found;
        try {
            found = PublicationRecord.read(store, path).map(PublicationRecord::named);
        } catch (MetadataException e) {
            return Optional.of(UNKNOWN);
        }
        if (found.isPresent()) {
            return found.filter(kind -> kind.isOfNewNode() || kind == REMOVAL);
        }
        Optional<ObjectSnapshot> moved = store.open(StoreKeys.join(path, MOVED_DOCUMENT));
        if (moved.isEmpty()) {
            return Optional.empty();
        }
        moved.get().close();
        return Optional.of(MOVED_ARRAY);
    }
}
