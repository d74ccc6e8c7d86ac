package dev.shardkit.store;

import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;

/**
 * A read of a range from a remote store. Immutable.
 *
 * @param key the key of the object
 * @param range the range
 * @param pin the version that the object must still have, from an earlier answer; empty for any version
 * @param listener is notified of retries
 * @param budget the memory for the whole object, if the server sends that instead of the range
 *     ({@link FetchResult.Found#whole}); a store may ignore it
 * @param progress receives the bytes of the range while they arrive; a store may pass nothing before the complete
 *     answer
 * @param dependents what the code that depends on the future of the answer may do
 */
public record FetchRequest(
        String key,
        ByteRange range,
        Optional<String> pin,
        StoreListener listener,
        WholeBodyBudget budget,
        PartialResponseReceiver progress,
        Dependents dependents) {
    /** What the code that depends on the future may do. */
    public enum Dependents {
        /** Anything: the store completes the future on a thread that may block. */
        MAY_BLOCK,
        /**
         * Only work that never blocks and takes microseconds. So the store may complete the future on a thread that
         * must not block, such as an I/O thread. A store that handles the answers of another store must not pass this
         * value on, unless its own code never blocks either.
         */
        NEVER_BLOCK
    }

    /** Returns a read of the range only, whose dependents may block. */
    public static FetchRequest of(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return new FetchRequest(
                key, range, pin, listener, WholeBodyBudget.NONE, PartialResponseReceiver.NONE, Dependents.MAY_BLOCK);
    }

    /** Returns this read with memory for the whole object. */
    public FetchRequest withBudget(WholeBodyBudget memory) {
        return new FetchRequest(key, range, pin, listener, memory, progress, dependents);
    }

    /** Returns this read with a receiver of the beginning of the answer. */
    public FetchRequest withProgress(PartialResponseReceiver receiver) {
        return new FetchRequest(key, range, pin, listener, budget, receiver, dependents);
    }

    /** Returns this read with other dependents. */
    public FetchRequest withDependents(Dependents code) {
        return new FetchRequest(key, range, pin, listener, budget, progress, code);
    }
}
