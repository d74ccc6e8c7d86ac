package dev.shardkit.session.publication;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.search.ArrayDocuments;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds unfinished moves of arrays at and below a node: targets ({@link WorkKind#MOVING_CONCATENATION}), sources
 * ({@link WorkKind#MOVED_ARRAY}), copies whose sources were being deleted, and unreadable records, which may belong to
 * a move. The chunks of a moved array may be stored nowhere else, and the records name the absolute locations of the
 * arrays. Stateless.
 */
public final class UnfinishedMoves {
    private UnfinishedMoves() {}

    /**
     * Refuses an operation that would delete chunks of an unfinished move, or move them away from their record. Sends a
     * few requests for each folder that is not in an array; none in stores that cannot move objects.
     *
     * @param consequence the end of the message, such as "nothing was removed"
     * @throws StoreException if there is an unfinished move at or below {@code path}
     */
    public static void refuse(BlockingStore store, String path, String consequence) throws IOException {
        if (!store.can(Moves.class)) {
            return;
        }
        Deque<String> paths = new ArrayDeque<>(List.of(path));
        while (!paths.isEmpty()) {
            String node = paths.pop();
            Optional<WorkKind> found = WorkKind.at(store, node);
            String location = StoreKeys.location(store.describe(), node);
            if (found.isPresent() && !found.get().isRemovable()) {
                throw new StoreException(location + " holds " + found.get().text() + ": "
                        + found.get().advice() + "; " + consequence);
            }
            Optional<String> source = found.isPresent()
                    ? PublicationRecord.read(store, node).flatMap(PublicationRecord::movedFrom)
                    : Optional.empty();
            if (source.isPresent()) {
                throw new StoreException(location + " holds the copy of an interrupted move, which was deleting "
                        + source.get() + ": repeat the move (shardkit mv " + source.get() + " " + location
                        + "), which deletes the rest there; " + consequence);
            }
            paths.addAll(children(store, node));
        }
    }

    /** Returns the paths of the folders in a folder; none in an array of Zarr v3 or v2, whose folders hold chunks. */
    private static List<String> children(BlockingStore store, String path) throws IOException {
        Optional<Boolean> isArray = describesArray(store, StoreKeys.join(path, NodePath.DOCUMENT));
        if (isArray.orElse(false)) {
            return List.of();
        }
        List<String> folders = new ArrayList<>();
        boolean[] isV2Array = {false};
        store.list(path, entry -> {
            if (entry.kind() == Entry.Kind.PREFIX) {
                folders.add(StoreKeys.join(path, entry.name()));
            } else {
                isV2Array[0] |= isArray.isEmpty() && entry.name().equals(ArrayDocuments.V2_DOCUMENT);
            }
        });
        return isV2Array[0] ? List.of() : folders;
    }

    /**
     * Returns whether a document describes an array; empty if there is no document. A document that cannot be read,
     * such as a pipe, does not describe an array, so the search continues in the folders beside it.
     */
    private static Optional<Boolean> describesArray(BlockingStore store, String key) throws IOException {
        try {
            Optional<ObjectSnapshot> document = store.open(key);
            return document.isEmpty() ? Optional.empty() : Optional.of(describesArray(document.get()));
        } catch (StoreException | MetadataException e) {
            return Optional.of(false);
        }
    }

    private static boolean describesArray(ObjectSnapshot document) throws IOException {
        try (document) {
            Limits limits = Limits.defaults();
            if (document.size() > limits.metadataBytes()) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) document.size());
            document.read(0, bytes);
            return JsonReader.read(Arrays.copyOf(bytes.array(), bytes.position()), limits) instanceof Json.Obj members
                    && ArrayDocuments.isArray(members);
        }
    }
}
