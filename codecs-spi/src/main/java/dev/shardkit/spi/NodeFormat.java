package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Another metadata format for arrays and groups, such as Zarr v2. shardkit tries the format if the location names it,
 * or if the location names none and {@code zarr.json} is missing or not of format 3. The format translates the
 * documents that it finds into an equivalent {@code zarr.json}; from then on the node behaves like any other. A format
 * performs no I/O: it returns plans that name the documents it needs. Register it in
 * {@code META-INF/services/dev.shardkit.spi.NodeFormat}. Files that contain several arrays, such as HDF5, are stores
 * instead. Thread-safe.
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

    /**
     * Returns in which stores shardkit looks for nodes of this format if neither the location nor the options name the
     * format. By default, in all stores.
     */
    default Search search() {
        return Search.EVERYWHERE;
    }

    /**
     * Returns the names of documents that this format stores in an array's folder; none by default. shardkit never
     * treats them as chunks. It refuses to change the layout of a Zarr array while one of them describes an array at
     * the same path.
     */
    default Set<String> documentNames() {
        return Set.of();
    }

    /**
     * Returns the name of the document at the root of a tree of nodes, if this one document describes all of them. Then
     * the location of a local node below the root suffices to open the node: shardkit looks for the document in the
     * folders above. Empty by default: each node has documents of its own.
     */
    default Optional<String> rootDocument() {
        return Optional.empty();
    }

    /**
     * Returns whether the documents of arrays may lack the shape. Then a location that names the format may state it,
     * as in {@code wkw:LOCATION#shape=1,64,64,64} ({@link Documents#statedShape}). False by default.
     */
    default boolean lacksShape() {
        return false;
    }

    /** Returns how to describe new arrays of this format; empty, the default, if shardkit cannot create them. */
    default Optional<ArrayCreation> arrayCreation() {
        return Optional.empty();
    }

    /** Returns how to describe new groups of this format; empty, the default, if shardkit cannot create them. */
    default Optional<GroupCreation> groupCreation() {
        return Optional.empty();
    }

    /** Reads documents. No method reads more than {@link dev.shardkit.spi.codec.Limits#metadataBytes}. */
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
         * @param maxBytes the largest accepted size in bytes
         * @throws dev.shardkit.spi.error.CorruptDataException if the document is larger, when the plan runs
         */
        Plan<Optional<Bytes>> bytes(String key, long maxBytes);

        /**
         * Returns the names of the objects and folders directly below {@code prefix}, in no order, for formats that
         * store some metadata in the keys only. Empty, the default, if a listing would cost requests.
         *
         * @throws dev.shardkit.spi.error.UnsupportedException if there are too many, when the plan runs
         */
        default Plan<Optional<List<String>>> names(String prefix) {
            return Plan.done(Optional.empty());
        }

        /** Returns the shape that the location states, for formats whose documents {@linkplain #lacksShape lack it}. */
        default Optional<long[]> statedShape() {
            return Optional.empty();
        }
    }

    /**
     * Where shardkit looks for a format that neither the location nor the options name. A location such as
     * {@code n5:https://...} names one.
     */
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
        /** No document says so: a group exists if the store has any key below the prefix of its {@link Children}. */
        IMPLIED
    }

    /**
     * How a group's children are found.
     *
     * @param prefix the prefix to list
     * @param suffixes the endings of the names of child documents; if empty, each name that has keys below it may be a
     *     child
     * @param from where shardkit looks for the children
     */
    record Children(String prefix, List<String> suffixes, From from) {
        /** Where shardkit looks for the children of a group. */
        public enum From {
            /** In the listing of the store; in consolidated metadata, if the store cannot list. */
            LISTING,
            /** In the consolidated metadata of the group's document, which name all of them. */
            DOCUMENT
        }

        /** Copies {@code suffixes}. */
        public Children {
            suffixes = List.copyOf(suffixes);
        }

        /** Creates children that a listing finds. */
        public Children(String prefix, List<String> suffixes) {
            this(prefix, suffixes, From.LISTING);
        }

        /** Creates children that the consolidated metadata of the group's document name. */
        public static Children consolidated(String prefix) {
            return new Children(prefix, List.of(), From.DOCUMENT);
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
