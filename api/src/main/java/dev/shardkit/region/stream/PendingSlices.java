package dev.shardkit.region.stream;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.slices.SliceBacklog;

/** The slices that a stream has accepted, until they are stored. One call runs at a time, except for {@link #state}. */
public interface PendingSlices extends AutoCloseable {
    /**
     * The state of a stream. Immutable.
     *
     * @param stored the metadata of the array as read last
     * @param committed the index before which all slices are committed
     * @param position the index of the next slice
     * @param committedCount the number of slices of this stream that are committed
     * @param backlog the slices that wait
     */
    record State(ArrayMetadata stored, long committed, long position, long committedCount, SliceBacklog backlog) {}

    /** Accepts slice {@code i} of a group. Copies it, unless the stream owns it. */
    void accept(CallerSlices.SliceGroup group, int i);

    /**
     * Accepts {@code count} slices of fill values, or the first of them if the call fails. Whole shards take as much
     * time and memory as one slice.
     */
    void skip(long count);

    /** Stores all accepted slices. After a failure, the others wait, and the call can be repeated. */
    void flush();

    /**
     * Begins to store all accepted slices, and waits for no other thread. A failure is reported by a later call, which
     * repeats the work.
     */
    void beginFlush();

    /** Ends the work in the background. The next slice or flush begins it again. Any thread may call this. */
    void pause();

    /** Returns the state. Any thread may call this. */
    State state();

    /** Frees the memory. Called after a flush. */
    @Override
    void close();
}
