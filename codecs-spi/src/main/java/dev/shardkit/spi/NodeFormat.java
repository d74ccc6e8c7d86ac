package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Another form of the documents that say what a node is: Zarr v2, say. It is asked where there is no {@code zarr.json},
 * or one that is not of format 3, and translates what it finds into the {@code zarr.json} that says the same; from
 * there on the node is one like all others. Like everything here it reads nothing itself: it says which documents it
 * needs. Register it in {@code META-INF/services/dev.shardkit.spi.NodeFormat}. Not for other containers (HDF5, TIFF):
 * those are stores. Thread-safe.
 */
public interface NodeFormat extends Extension {
    /**
     * Looks for the node at {@code path}. Documents that are not there cost a request each, so the one that tells most
     * comes first.
     *
     * @param path the node's path in its store; empty for the root
     * @return empty if this format has no node there
     * @throws dev.shardkit.spi.error.MetadataException if a document is wrong, naming it and the member
     * @throws dev.shardkit.spi.error.UnsupportedException if a document says what Zarr v3 has no counterpart for
     */
    Plan<Optional<Node>> find(String path, Documents documents);

    /** The names of documents beside an array's chunks, which are no chunks of it; by default none. */
    default Set<String> documentNames() {
        return Set.of();
    }

    /** Reads documents. Neither method reads more than {@link dev.shardkit.spi.codec.Limits#metadataBytes}. */
    interface Documents {
        /**
         * Reads the JSON document under {@code key} of the store; empty if it definitely is not there.
         *
         * @throws dev.shardkit.spi.error.MetadataException if it is not JSON, when the plan runs
         * @throws dev.shardkit.spi.error.CorruptDataException if it is too large, when the plan runs
         */
        Plan<Optional<Json>> read(String key);

        /**
         * Reads the bytes of the document under {@code key} of the store, such as a binary header; empty if it
         * definitely is not there. The bytes are the format's to keep.
         *
         * @param most how many bytes the document may have
         * @throws dev.shardkit.spi.error.CorruptDataException if it has more, when the plan runs
         */
        Plan<Optional<Bytes>> bytes(String key, long most);
    }

    /** Whether a node is said to be there. */
    enum Evidence {
        /** A document says so. */
        STATED,
        /** There is a group if anything lies below its {@link Children}. */
        IMPLIED
    }

    /**
     * Where a group's children are found by listing.
     *
     * @param prefix what to list
     * @param suffixes how the names of child documents end; none if each name with keys below it may be a child
     */
    record Children(String prefix, List<String> suffixes) {
        /** Takes a copy of {@code suffixes}. */
        public Children {
            suffixes = List.copyOf(suffixes);
        }
    }

    /**
     * What was found. Immutable.
     *
     * @param document the {@code zarr.json} that says the same; a group's may hold consolidated metadata
     * @param dataPath the path below which an array's chunks lie
     * @param evidence whether there surely is a node
     * @param children where a group's children are
     */
    record Node(Json.Obj document, String dataPath, Evidence evidence, Children children) {
        /** A node whose chunks and children lie where those of Zarr v3 do. */
        public static Node at(String path, Json.Obj document) {
            return new Node(document, path, Evidence.STATED, new Children(path, List.of()));
        }
    }
}
