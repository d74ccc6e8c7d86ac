package dev.shardkit.maintenance.publish;

import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.io.File;
import java.util.List;
import java.util.Optional;

/**
 * The metadata document of an existing array before and after a publication: a change that writes new chunks under
 * other keys, and then replaces the document. The record of the publication contains it, so that an interrupted
 * publication can be completed or rolled back. Immutable.
 *
 * @param path the path of the array in the store
 * @param from the document before the publication
 * @param to the document after the publication
 */
public record DocumentChange(String path, Json.Obj from, Json.Obj to) {
    private static final String ARRAYS = "arrays";
    private static final String KEYS = "chunk_key_encoding";
    /** The member that only a mark has: a short record at an array, whose changes are recorded at the root. */
    private static final String MEMBER = "path";

    /** Returns the chunk key encoding before the publication. */
    public Json fromKeys() {
        return from.get(KEYS).orElseThrow();
    }

    /** Returns the chunk key encoding after the publication. */
    public Json toKeys() {
        return to.get(KEYS).orElseThrow();
    }

    /** Returns the details of a record of these changes. */
    public static Json.Obj details(List<DocumentChange> changes) {
        return Json.object()
                .with(
                        ARRAYS,
                        new Json.Arr(changes.stream()
                                .<Json>map(change -> Json.object()
                                        .with("path", Json.of(change.path))
                                        .with("from", change.from)
                                        .with("to", change.to))
                                .toList()));
    }

    /**
     * Returns the details of the mark at an array: a record that only says that the array takes part in a publication.
     * The record with the changes is at the root of the store.
     */
    static Json.Obj memberDetails(String path) {
        return Json.object().with(MEMBER, Json.of(path));
    }

    /**
     * Describes where the record with the changes is, if {@code record} is only the mark at one of the arrays. Empty if
     * it is not a mark.
     *
     * @param location the location of the mark
     */
    public static Optional<String> describeRecordLocation(PublicationRecord record, String location) {
        if (!(record.details().get(MEMBER).orElse(record.details()) instanceof Json.Str member)) {
            return Optional.empty();
        }
        String below = "/" + PublicationRecord.key(member.value());
        String comparable =
                LocalFolders.of(location).isPresent() ? location.replace(File.separatorChar, '/') : location;
        String root = comparable.endsWith(below)
                ? location.substring(0, location.length() - below.length())
                : "the store that has the array at " + member.value();
        return Optional.of(record.work().text() + ", whose record is in " + root + ": end it there by shardkit repair"
                + " --apply; if that finds nothing, delete " + location);
    }

    /** Returns whether a record contains changes of arrays. */
    static boolean hasChanges(PublicationRecord record) {
        return record.details().get(ARRAYS).isPresent();
    }

    /**
     * Reads the changes of a record.
     *
     * @param location the location of the record, for messages
     * @throws StoreException if this is only the mark at one of the arrays
     * @throws MetadataException if the record has no valid changes
     */
    public static List<DocumentChange> of(PublicationRecord record, String location) {
        if (record.details().get(ARRAYS).orElse(record.details()) instanceof Json.Arr arrays
                && !arrays.items().isEmpty()) {
            return arrays.items().stream().map(item -> parse(item, location)).toList();
        }
        describeRecordLocation(record, location).ifPresent(where -> {
            throw new StoreException(location + " is the mark of " + where);
        });
        throw unexpected(location);
    }

    private static DocumentChange parse(Json json, String location) {
        if (json instanceof Json.Obj members
                && members.get("path").orElse(json) instanceof Json.Str path
                && isPath(path.value())
                && members.get("from").orElse(json) instanceof Json.Obj from
                && from.get(KEYS).isPresent()
                && members.get("to").orElse(json) instanceof Json.Obj to
                && to.get(KEYS).isPresent()) {
            return new DocumentChange(path.value(), from, to);
        }
        throw unexpected(location);
    }

    /** Returns whether a path in a record is a valid path of a node. Any program may have written the record. */
    private static boolean isPath(String path) {
        try {
            return NodePath.of(path).key().equals(path);
        } catch (MetadataException e) {
            return false;
        }
    }

    /** Returns the error for a record without valid changes. */
    public static MetadataException unexpected(String location) {
        return new MetadataException(location + ": expected the record of a change of arrays; delete it to begin again,"
                + " and then the stray chunks that repair names");
    }
}
