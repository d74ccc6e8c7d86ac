package dev.shardkit.soak;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What each inner chunk may hold. An inner chunk has one writer, which numbers its writes and fills the whole inner
 * chunk with the number; so a read must find one number in all elements, not below the last write that was finished
 * before the read began, and not above the last that was begun before it ended. Thread-safe.
 */
final class Ledger {
    private final AtomicLongArray begun;
    private final AtomicLongArray finished;

    Ledger(int innerChunks) {
        begun = new AtomicLongArray(innerChunks);
        finished = new AtomicLongArray(innerChunks);
    }

    /** Begins the next write of an inner chunk and gives its number. */
    int begin(int innerChunk) {
        return Math.toIntExact(begun.incrementAndGet(innerChunk));
    }

    /** A write has returned: its value is committed. */
    void finish(int innerChunk, int number) {
        finished.accumulateAndGet(innerChunk, number, Math::max);
    }

    /** The last write that was finished by now. */
    long finished(int innerChunk) {
        return finished.get(innerChunk);
    }

    /** The last write that was begun by now. */
    long begun(int innerChunk) {
        return begun.get(innerChunk);
    }
}
