package dev.shardkit.session;

import java.util.Optional;

/**
 * Whether a node may still be used: until its handle is closed, or that of the group through which it was opened, and
 * written to until it is deleted. All handles that were made of one handle share it. Thread-safe.
 */
public final class Lifetime {
    private final Optional<Lifetime> owner;
    private volatile boolean closed;
    private volatile boolean deleted;

    private Lifetime(Optional<Lifetime> owner) {
        this.owner = owner;
    }

    /** Of a node that was opened by itself. */
    public static Lifetime begin() {
        return new Lifetime(Optional.empty());
    }

    /** Of a node that was opened through this one. */
    public Lifetime below() {
        return new Lifetime(Optional.of(this));
    }

    /** Ends it; whether it had not ended. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** The node is deleted, with all below it. */
    public void delete() {
        deleted = true;
    }

    /** Refuses to use what is closed. */
    public void use(String location) {
        for (Optional<Lifetime> at = Optional.of(this); at.isPresent(); at = at.get().owner) {
            if (at.get().closed) {
                throw new IllegalStateException(location + " cannot be used: it was closed");
            }
        }
    }

    /** Refuses to write to what is closed or deleted. */
    public void change(String location) {
        use(location);
        for (Optional<Lifetime> at = Optional.of(this); at.isPresent(); at = at.get().owner) {
            if (at.get().deleted) {
                throw new IllegalStateException(location + " cannot be written to: it was deleted");
            }
        }
    }
}
