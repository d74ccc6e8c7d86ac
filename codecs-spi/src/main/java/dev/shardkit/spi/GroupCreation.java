package dev.shardkit.spi;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;

/** Describes new groups in the documents of a {@link NodeFormat}. Performs no I/O. Thread-safe. */
public interface GroupCreation {
    /** The position of a group in a tree of nodes. */
    enum Place {
        /** At the root of a tree of nodes. */
        ROOT,
        /** Below the root. */
        BELOW
    }

    /** Returns the name of the document of a group. */
    String documentName();

    /**
     * Returns the document of a group.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the format uses the name of an attribute itself
     */
    Bytes document(Place place, Json.Obj attributes);

    /** Returns the suffix that the names of root folders have by convention, such as {@code .n5}. */
    String rootEnding();
}
