package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.BlockingStore;
import java.io.IOException;
import java.util.Optional;

/** Calls of an array's store, whose failures say of which array they are. Immutable, thread-safe. */
final class StoreCalls {
    private final BlockingStore store;
    private final String location;

    StoreCalls(ZarrArray array) {
        this.store = Inside.of(array).store();
        this.location = array.location();
    }

    BlockingStore store() {
        return store;
    }

    /** A call that gives something. */
    interface Call<T> {
        T run(BlockingStore store) throws IOException;
    }

    /** A call that gives nothing. */
    interface Action {
        void run(BlockingStore store) throws IOException;
    }

    <T> T get(Call<T> call) {
        try {
            return call.run(store);
        } catch (IOException e) {
            throw new StoreException("the store failed: " + e, e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }

    void run(Action action) {
        get(s -> {
            action.run(s);
            return Unit.UNIT;
        });
    }
}
