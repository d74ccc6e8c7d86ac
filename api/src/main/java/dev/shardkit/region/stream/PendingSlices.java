package dev.shardkit.region.stream;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.slices.SliceBacklog;

/**
 * The slices that a stream has accepted and not stored yet: the buffer behind a slice writer. Callers make one call at
 * a time, except for {@link #state} and {@link #pause}.
 */
public interface PendingSlices extends AutoCloseable {
    /**
     * The state of a stream. Immutable.
     *
     * @param stored the metadata of the array, as it was last read
     * @param committed the index before which all slices are committed
     * @param position the index of the next slice
     * @param committedCount the number of slices of this stream that are committed
     * @param backlog the accepted slices that are not stored yet
     */
    record State(ArrayMetadata stored, long committed, long position, long committedCount, SliceBacklog backlog) {}

    /** Accepts slice {@code i} of a group. Copies the slice, unless the caller has handed its memory to the stream. */
    void accept(CallerSlices.SliceGroup group, int i);

    /**
     * Accepts {@code count} slices of fill values. If the call fails, only the first of them may have been accepted. A
     * whole shard of skipped slices costs no more time and memory than one slice.
     */
    void skip(long count);

    /**
     * Stores all accepted slices. After a failure, slices that are not stored are kept, and the call can be retried.
     */
    void flush();

    /**
     * Begins to store all accepted slices in the background, without blocking. A later call reports a failure, and
     * retries the work.
     */
    void beginFlush();

    /** Stops the work in the background. The next slice or flush starts it again. Any thread may call this. */
    void pause();

    /** Returns the state. Any thread may call this. */
    State state();

    /** Frees the memory. Callers call {@link #flush} first. */
    @Override
    void close();
}
