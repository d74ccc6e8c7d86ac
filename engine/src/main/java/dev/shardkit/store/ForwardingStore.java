package dev.shardkit.store;

import java.util.Optional;

/**
 * A store that passes all calls to another store. Subclasses override the methods that differ. Forwards all abilities;
 * a subclass that changes reads or writes must also override {@link #find}. Thread-safe.
 */
public abstract class ForwardingStore implements Store {
    private final Store store;

    /** Creates a store that forwards to {@code store}. Closing the new store closes {@code store}. */
    protected ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public Reads reads() {
        return store.reads();
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return store.find(ability);
    }

    @Override
    public void close() {
        store.close();
    }
}
