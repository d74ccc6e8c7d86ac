package dev.shardkit.ome.pyramid;

import dev.shardkit.ResizePolicy;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Erases frames that a coarser level has and level 0 lacks. An interrupted acquisition leaves such frames, because it
 * stores the levels of a frame at different times. {@link LiveImage} collects them when it opens an acquisition. They
 * are not erased then, but just before the first new frame of their stream: until a frame comes, another program may be
 * recording the stream, and its coarser levels may be ahead of level 0. For the same reason, a frame that coarser
 * levels lack waits for the first new frame if level 0 may not have stored all of it yet. {@link LiveImage} explains
 * streams and frames.
 *
 * <p>Thread-safe after the last {@link #add} and {@link #addMissing}.
 */
final class SurplusFrames {
    private final ZarrArray finest;
    /** The dimension along which the streams write. */
    private final int along;
    /** How many indices of each dimension belong to one stream; see {@link LiveImage}. */
    private final Map<String, Long> streamLengths;
    /** The coarser levels that are longer than level 0. */
    private final List<ZarrArray> longer = new ArrayList<>();
    /** The streams, by {@link #key}. */
    private final Map<Map<String, Long>, Stream> streams = new HashMap<>();

    /** The changes of coarser levels that a stream needs before its first new frame. */
    private static final class Stream {
        /** Erases the surplus and adds frames, the finer levels first. Each action can be repeated. */
        private final List<Runnable> changes = new ArrayList<>();
        /** Whether the changes have been made, because a frame of the stream has arrived. */
        private volatile boolean isBegun;
    }

    SurplusFrames(ZarrArray finest, int along, Map<String, Long> streamLengths) {
        this.finest = finest;
        this.along = along;
        this.streamLengths = Map.copyOf(streamLengths);
    }

    /**
     * Adds a stream without surplus frames.
     *
     * @param indices the indices of any frame of the stream
     */
    void addStream(Map<String, Long> indices) {
        streams.computeIfAbsent(key(indices), key -> new Stream());
    }

    /** Adds a coarser level that is longer than level 0. */
    void addLonger(ZarrArray level) {
        longer.add(level);
    }

    /**
     * Adds surplus frames of a stream.
     *
     * @param indices the indices of any frame of the stream
     * @param level the coarser level that contains the frames
     * @param frames the frames, as a box of the level
     */
    void add(Map<String, Long> indices, ZarrArray level, Box frames) {
        stream(indices).changes.add(() -> level.erase(frames));
    }

    /**
     * Adds frames that a coarser level lacks and level 0 may have in part.
     *
     * @param indices the indices of any frame of the stream
     * @param reduction adds the frames to the level; runs after the changes that were added before, those of finer
     *     levels
     */
    void addMissing(Map<String, Long> indices, Runnable reduction) {
        stream(indices).changes.add(reduction);
    }

    private Stream stream(Map<String, Long> indices) {
        Stream stream = streams.get(key(indices));
        if (stream == null) {
            throw new IndexOutOfBoundsException("expected the indices of a frame, found " + indices);
        }
        return stream;
    }

    /** Returns the key of a frame's stream: the position of the stream in the grid of streams. */
    private Map<String, Long> key(Map<String, Long> indices) {
        Map<String, Long> key = new TreeMap<>();
        streamLengths.forEach((name, length) -> key.put(name, indices.getOrDefault(name, 0L) / length));
        return key;
    }

    /**
     * Makes the changes of a stream: erases the surplus frames and adds the frames that coarser levels lack. Does
     * nothing if they have been made. Called before a frame of the stream is written to the coarser levels.
     *
     * @param indices the indices of the frame
     */
    void begin(Map<String, Long> indices) {
        begin(stream(indices));
    }

    /**
     * Makes the changes of all streams. Called when this acquisition no longer waits for missing frames of any stream.
     */
    void beginAll() {
        streams.values().forEach(this::begin);
    }

    private void begin(Stream stream) {
        if (stream.isBegun) {
            return;
        }
        synchronized (stream) { // held during the changes, for which only frames of this stream wait
            if (stream.isBegun) {
                return;
            }
            stream.changes.forEach(Runnable::run);
            if (streams.size() == 1) {
                // The next acquisition starts the only stream of a growing array at the array's end. So each level must
                // end at its last frame, even if this process is killed later. At this point, the coarser levels
                // have none of the new frames. So they get the length that level 0 had when it was opened, not its
                // present length. With several streams, a level may not be shortened, because frames of another
                // stream may be at its end.
                shorten(finest);
            }
            stream.isBegun = true;
        }
    }

    /**
     * Shortens coarser levels to the length of level 0, if this acquisition has written to all streams. Called when all
     * frames are stored. Reads the length of level 0 again, because it may have grown.
     */
    void end() {
        if (!longer.isEmpty() && streams.values().stream().allMatch(stream -> stream.isBegun)) {
            shorten(finest.refresh());
        }
    }

    /** Shortens coarser levels to the length of {@code level0} along the streams, without refreshing {@code level0}. */
    private void shorten(ZarrArray level0) {
        long length = level0.shape()[along];
        for (ZarrArray level : longer) {
            ZarrArray current = level.refresh();
            long[] shape = current.shape();
            if (shape[along] > length) {
                shape[along] = length;
                current.resize(shape, ResizePolicy.REMOVE);
            }
        }
    }
}
