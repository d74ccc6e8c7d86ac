package dev.shardkit.soak;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Records which values each inner chunk of a {@link SoakArray} may have. Each inner chunk has one writer, which numbers
 * its writes and fills the whole inner chunk with the number. So a read must find the same number in all elements. The
 * number must be at least that of the last write that finished before the read began, and at most that of the last
 * write that began before the read ended. Thread-safe.
 */
final class Ledger {
    private final AtomicLongArray begun;
    private final AtomicLongArray finished;

    Ledger(int innerChunks) {
        begun = new AtomicLongArray(innerChunks);
        finished = new AtomicLongArray(innerChunks);
    }

    /** Records that the next write of an inner chunk begins, and returns its number. */
    int begin(int innerChunk) {
        return Math.toIntExact(begun.incrementAndGet(innerChunk));
    }

    /** Records that a write has returned, so its value is committed. */
    void finish(int innerChunk, int number) {
        finished.accumulateAndGet(innerChunk, number, Math::max);
    }

    /** Returns the number of the last write that has finished. */
    long finished(int innerChunk) {
        return finished.get(innerChunk);
    }

    /** Returns the number of the last write that has begun. */
    long begun(int innerChunk) {
        return begun.get(innerChunk);
    }
}
