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
 * Frames of coarser levels that level 0 lacks, as an interrupted acquisition leaves them: levels are not stored in
 * step. They are erased when the first frame of their stream comes, because only then this acquisition is known to be
 * the one that writes to the stream. Another program may be recording the other streams now, whose coarser levels are
 * ahead.
 *
 * <p>Thread-safe after the last {@link #add}.
 */
final class SurplusFrames {
    private final ZarrArray finest;
    /** The dimension along which the streams write. */
    private final int along;
    /** For each other dimension of a frame's indices, how many indices are in one stream. */
    private final Map<String, Long> streamLengths;
    /** The coarser levels that are longer than level 0. */
    private final List<ZarrArray> longer = new ArrayList<>();
    /** The streams by the indices of their first frames, divided by {@link #streamLengths}. */
    private final Map<Map<String, Long>, Stream> streams = new HashMap<>();

    /** A stream. */
    private static final class Stream {
        private final List<Part> surplus = new ArrayList<>();
        /** Whether a frame has come, so the surplus is erased. */
        private volatile boolean isBegun;
    }

    /** Surplus frames of one level. */
    private record Part(ZarrArray level, Box frames) {}

    SurplusFrames(ZarrArray finest, int along, Map<String, Long> streamLengths) {
        this.finest = finest;
        this.along = along;
        this.streamLengths = Map.copyOf(streamLengths);
    }

    /** Adds a stream, by the indices of a frame. */
    void addStream(Map<String, Long> indices) {
        streams.computeIfAbsent(key(indices), key -> new Stream());
    }

    /** Adds a coarser level that is longer than level 0. */
    void addLonger(ZarrArray level) {
        longer.add(level);
    }

    /** Adds surplus frames, by the indices of one of them. */
    void add(Map<String, Long> indices, ZarrArray level, Box frames) {
        stream(indices).surplus.add(new Part(level, frames));
    }

    private Stream stream(Map<String, Long> indices) {
        Stream stream = streams.get(key(indices));
        if (stream == null) {
            throw new IndexOutOfBoundsException("expected the indices of a frame, found " + indices);
        }
        return stream;
    }

    private Map<String, Long> key(Map<String, Long> indices) {
        Map<String, Long> key = new TreeMap<>();
        streamLengths.forEach((name, length) -> key.put(name, indices.getOrDefault(name, 0L) / length));
        return key;
    }

    /** Erases the surplus of a stream before its first frame. */
    void begin(Map<String, Long> indices) {
        begin(stream(indices));
    }

    /** Erases the surplus of all streams: all get frames now. */
    void beginAll() {
        streams.values().forEach(this::begin);
    }

    private void begin(Stream stream) {
        if (stream.isBegun) {
            return;
        }
        synchronized (stream) { // held while the store works: only frames of this stream wait for it
            if (stream.isBegun) {
                return;
            }
            stream.surplus.forEach(part -> part.level.erase(part.frames));
            if (streams.size() == 1) {
                cut(finest); // the length may say where the only stream of a level ends
            }
            stream.isBegun = true;
        }
    }

    /**
     * Makes the levels as long as level 0 after all frames were stored, if all streams are those of this acquisition.
     */
    void end() {
        if (!longer.isEmpty() && streams.values().stream().allMatch(stream -> stream.isBegun)) {
            cut(finest.refresh());
        }
    }

    /** Cuts coarser levels to the length of level 0. */
    private void cut(ZarrArray level0) {
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
