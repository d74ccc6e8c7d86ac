package dev.shardkit.store;

/**
 * Receives the beginning of an answer while the rest is still on its way, so that it can be decoded at once. The answer
 * itself ends the read; its bytes begin with those of the last call.
 */
@FunctionalInterface
public interface PartialResponseReceiver {
    /** Receives nothing: only the complete answer counts. */
    PartialResponseReceiver NONE = beginning -> {};

    /**
     * Receives the bytes of the range so far. The store has checked the head of the answer against the request (range,
     * size, version), as for a complete answer. A store that asks again after a failure may call this with fewer bytes
     * than before.
     *
     * <p>Calls never overlap, but may come from different threads, and one may still run when the read ends. May block.
     *
     * @param beginning the first bytes of the range. They stay unchanged and valid
     */
    void received(FetchResult.Found beginning);
}
