package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Takes the bearer token of each request from a supplier, which may block, and remembers the last one, so that messages
 * can hide it. {@code toString} shows no token. Thread-safe.
 */
public final class BearerAuthorization {
    private final Supplier<String> tokens;
    private volatile String last = "";

    /** Creates an instance that takes its tokens from {@code tokens}. */
    public BearerAuthorization(Supplier<String> tokens) {
        this.tokens = tokens;
    }

    /** Returns the current token. */
    public String token() {
        try {
            String token = tokens.get();
            last = token;
            return token;
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) { // its message may contain the secret
            throw new StoreException(
                    "the supplier of the token failed with " + e.getClass().getName());
        }
    }

    /** Returns the texts that messages must not show. */
    public Set<String> secrets() {
        return last.isEmpty() ? Set.of() : Set.of(last);
    }
}
