package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.Session;

/**
 * An array whose chunks are written before its metadata: to others it is no array until {@link #publish}. Thread-safe.
 * Not a transaction: chunks that were written stay when it is given up.
 */
public final class StagedArray {
    private final Session session;
    private final String path;
    private final ZarrArray array;

    StagedArray(Session session, String path, ArrayMetadata metadata) {
        this.session = session;
        this.path = path;
        this.array = new ZarrArray(session, path, metadata);
    }

    /** The array, to be written. */
    public ZarrArray array() {
        return array;
    }

    /** Writes the metadata and gives the array. */
    public ZarrArray publish() {
        session.putMetadata(path, array.metadata());
        Consolidated.created(session, path, array.metadata());
        return array;
    }
}
