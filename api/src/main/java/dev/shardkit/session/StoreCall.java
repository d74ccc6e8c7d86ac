package dev.shardkit.session;

import dev.shardkit.store.StoreAccess;
import java.io.IOException;

/** A call of a store. */
public interface StoreCall<T> {
    T run(StoreAccess store) throws IOException;
}
