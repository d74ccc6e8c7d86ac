package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.SystemErrorText;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.Optional;

/**
 * Calls the store of an array. Converts an {@code IOException} to a {@code StoreException} with the array's location.
 * Does not retry. Immutable and thread-safe.
 */
public final class StoreCalls {
    private final BlockingStore store;
    private final String location;

    public StoreCalls(ZarrArray array) {
        this(BlockingStore.to(ArrayInternals.of(array).store()), array.location());
    }

    public StoreCalls(BlockingStore store, String location) {
        this.store = store;
        this.location = location;
    }

    public BlockingStore store() {
        return store;
    }

    /** A call with a result. */
    public interface Call<T> {
        T run(BlockingStore store) throws IOException;
    }

    /** A call without a result. */
    public interface Action {
        void run(BlockingStore store) throws IOException;
    }

    /** Makes a call, and returns its result. */
    public <T> T get(Call<T> call) {
        try {
            return call.run(store);
        } catch (IOException e) {
            throw new StoreException("the store failed: " + SystemErrorText.of(e), e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }

    /** Makes a call without a result. */
    public void run(Action action) {
        get(target -> {
            action.run(target);
            return NoResult.INSTANCE;
        });
    }
}
