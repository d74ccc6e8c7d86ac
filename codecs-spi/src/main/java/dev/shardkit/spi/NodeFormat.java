package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Another metadata format for arrays and groups, such as Zarr v2. shardkit asks it where {@code zarr.json} is missing
 * or not of format 3. It translates the documents it finds into an equivalent {@code zarr.json}; from then on the node
 * behaves like any other. It performs no I/O: it says which documents it needs. Register it in
 * {@code META-INF/services/dev.shardkit.spi.NodeFormat}. Not for other containers (HDF5, TIFF), which are stores.
 * Thread-safe.
 */
public interface NodeFormat extends Extension {
    /**
     * Looks for the node at {@code path}. Each missing document costs a request, so ask first for the document that
     * most likely decides.
     *
     * @param path the node's path in its store; empty for the root
     * @return empty if this format has no node there
     * @throws dev.shardkit.spi.error.MetadataException if a document is invalid; the message names the document and the
     *     member
     * @throws dev.shardkit.spi.error.UnsupportedException if a document uses a feature that Zarr v3 lacks
     */
    Plan<Optional<Node>> find(String path, Documents documents);

    /** Returns where shardkit looks for nodes of this format if the user does not name it; everywhere by default. */
    default Search search() {
        return Search.EVERYWHERE;
    }

    /** Returns the names of documents that this format stores next to an array's chunks; none by default. */
    default Set<String> documentNames() {
        return Set.of();
    }

    /** Reads documents. Neither method reads more than {@link dev.shardkit.spi.codec.Limits#metadataBytes}. */
    interface Documents {
        /**
         * Reads the JSON document stored under {@code key}; empty if the store definitely lacks it.
         *
         * @throws dev.shardkit.spi.error.MetadataException if it is not JSON, when the plan runs
         * @throws dev.shardkit.spi.error.CorruptDataException if it is too large, when the plan runs
         */
        Plan<Optional<Json>> read(String key);

        /**
         * Reads the bytes of the document stored under {@code key}, such as a binary header; empty if the store
         * definitely lacks it. The format may keep the bytes.
         *
         * @param most the largest accepted size in bytes
         * @throws dev.shardkit.spi.error.CorruptDataException if the document is larger, when the plan runs
         */
        Plan<Optional<Bytes>> bytes(String key, long most);
    }

    /** Where a format is looked for without being named. A location such as {@code n5:https://...} names one. */
    enum Search {
        /** In all stores. */
        EVERYWHERE,
        /** In local stores, since each missing document costs a remote store a request. */
        LOCAL
    }

    /** How certain it is that a node exists. */
    enum Evidence {
        /** A document says so. */
        STATED,
        /** A group exists if the store has any key below its {@link Children}. */
        IMPLIED
    }

    /**
     * How listing finds a group's children.
     *
     * @param prefix the prefix to list
     * @param suffixes the endings of the names of child documents; if empty, each name that has keys below it may be a
     *     child
     */
    record Children(String prefix, List<String> suffixes) {
        /** Takes a copy of {@code suffixes}. */
        public Children {
            suffixes = List.copyOf(suffixes);
        }
    }

    /**
     * A node that was found. Immutable.
     *
     * @param document the equivalent {@code zarr.json}; a group's may hold consolidated metadata
     * @param dataPath the path below which an array's chunks are stored
     * @param evidence how certain it is that the node exists
     * @param children how listing finds a group's children
     */
    record Node(Json.Obj document, String dataPath, Evidence evidence, Children children) {
        /** Creates a node whose chunks and children are stored where Zarr v3 stores them. */
        public static Node at(String path, Json.Obj document) {
            return new Node(document, path, Evidence.STATED, new Children(path, List.of()));
        }
    }
}
