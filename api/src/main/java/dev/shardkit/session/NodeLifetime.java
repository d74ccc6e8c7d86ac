package dev.shardkit.session;

import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a node may be used. It may be read until its handle, or the group through which it was opened, is
 * closed. It may be written until it is deleted. All handles derived from one handle share it. Thread-safe.
 */
public final class NodeLifetime {
    private final @Nullable NodeLifetime owner;
    private volatile boolean closed;
    private volatile boolean deleted;

    private NodeLifetime(@Nullable NodeLifetime owner) {
        this.owner = owner;
    }

    /** Returns the lifetime of a node that was opened on its own. */
    public static NodeLifetime start() {
        return new NodeLifetime(null);
    }

    /** Returns the lifetime of a node that was opened through this one. */
    public NodeLifetime below() {
        return new NodeLifetime(this);
    }

    /** Closes the node. Returns false if it was closed before. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** Records that the node was deleted, with everything below it. */
    public void delete() {
        deleted = true;
    }

    /** Throws {@code IllegalStateException} if the node is closed. */
    public void refuseClosed(String location) {
        for (NodeLifetime lifetime = this; lifetime != null; lifetime = lifetime.owner) {
            if (lifetime.closed) {
                throw new IllegalStateException(location + " cannot be used: it was closed");
            }
        }
    }

    /** Throws {@code IllegalStateException} if the node is closed or deleted. */
    public void refuseEnded(String location) {
        refuseClosed(location);
        for (NodeLifetime lifetime = this; lifetime != null; lifetime = lifetime.owner) {
            if (lifetime.deleted) {
                throw new IllegalStateException(location + " cannot be written to: it was deleted");
            }
        }
    }
}
