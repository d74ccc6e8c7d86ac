package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Options of an {@link Acquisition}: the dimensions of a frame, how far frames may come out of order, and how its
 * streams write. A stream writes one row of shards along one dimension ({@link #withStreamsAlong}). Immutable; start
 * with {@link #defaults()}.
 */
public final class AcquisitionOptions {
    private static final int DEFAULT_WINDOW = 4;

    private static final AcquisitionOptions DEFAULTS =
            new AcquisitionOptions(null, List.of(), DEFAULT_WINDOW, StartRule.DEFAULT, SliceOptions.defaults());

    private final @Nullable String along;
    private final List<String> frame;
    private final int window;
    private final StartRule start;
    private final SliceOptions slices;

    /**
     * Where streams start.
     *
     * @param index of all streams; -1 for the end of an array that grows, or the start of one of fixed length
     * @param isResumed whether each stream starts behind its last stored frame
     * @param each returns the start of each stream; null if the other components decide
     */
    record StartRule(
            long index, boolean isResumed, @Nullable ToLongFunction<Map<String, Long>> each) {
        private static final StartRule DEFAULT = new StartRule(-1, false, null);

        private static StartRule atIndex(long index) {
            return new StartRule(index, false, null);
        }

        private static StartRule resuming() {
            return new StartRule(-1, true, null);
        }

        private static StartRule ofEach(ToLongFunction<Map<String, Long>> each) {
            return new StartRule(-1, false, each);
        }
    }

    private AcquisitionOptions(
            @Nullable String along, List<String> frame, int window, StartRule start, SliceOptions slices) {
        this.along = along;
        this.frame = frame;
        this.window = window;
        this.start = start;
        this.slices = slices;
    }

    /**
     * Returns the defaults: streams along the first dimension, frames of the last two dimensions, a window of 4, from
     * index 0, or from the end of an array that grows, and {@link SliceOptions#defaults()}.
     */
    public static AcquisitionOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with streams along the dimension of this name, which is the one that may grow. */
    public AcquisitionOptions withStreamsAlong(String dimension) {
        return new AcquisitionOptions(dimension, frame, window, start, slices);
    }

    /** Returns these options with the dimensions of a frame. */
    public AcquisitionOptions withFrame(String... dimensions) {
        if (dimensions.length == 0) {
            throw new IllegalArgumentException("expected at least 1 dimension of a frame, found none");
        }
        return new AcquisitionOptions(along, List.of(dimensions), window, start, slices);
    }

    /**
     * Returns these options with another window: how many indices of the streams' dimension, from the first incomplete
     * one on, may get frames. Each stream needs memory for so many slices, beside the budget. A window of 1 takes the
     * frames of one slice in any order.
     */
    public AcquisitionOptions withWindow(int indices) {
        if (indices < 1) {
            throw new IllegalArgumentException("expected a window of at least 1, found " + indices);
        }
        return new AcquisitionOptions(along, frame, indices, start, slices);
    }

    /**
     * Returns these options with another first index in the streams' dimension, the same for all streams. Frames from
     * there on replace stored ones, as after a crash. Without it, an array that grows is continued at its end, and an
     * array of fixed length is written from its start.
     */
    public AcquisitionOptions withStart(long index) {
        if (index < 0) {
            throw new IllegalArgumentException("expected a start of at least 0, found " + index);
        }
        return new AcquisitionOptions(along, frame, window, StartRule.atIndex(index), slices);
    }

    /**
     * Returns these options with streams that resume an earlier acquisition, for example after a crash. Each starts
     * behind its last stored frame, at {@link Acquisition#position(Map)}, so it replaces no stored element. Frames that
     * hold nothing but the fill value count as stored only if a later frame of the stream is stored, or if the array
     * grows, has one stream and lies in a store with locks. So a stream may ask for black frames once more.
     *
     * <p>A frame of several inner chunks counts as stored if one of them is stored: a crash may leave the last frames
     * in some of their shards only. Their other elements read as the fill value, as those of stored black parts do. The
     * acquisition does not go back to these partial frames, because new frames would replace the stored parts; it lists
     * them in {@link Acquisition#partialFrames}.
     *
     * <p>To find the ends, {@link ZarrArray#acquisition} lists the shards of each stream and reads the last inner
     * chunks.
     */
    public AcquisitionOptions withResume() {
        return new AcquisitionOptions(along, frame, window, StartRule.resuming(), slices);
    }

    /**
     * Returns these options with a first index for each stream, as a program knows it from a log of
     * {@link Acquisition#committed(Map)}. Frames from there on replace stored ones.
     *
     * @param starts the index for the indices of the first frame of a stream, without the streams' dimension; called
     *     once for each stream
     */
    public AcquisitionOptions withStarts(ToLongFunction<Map<String, Long>> starts) {
        return new AcquisitionOptions(along, frame, window, StartRule.ofEach(starts), slices);
    }

    /**
     * Returns these options with options for the streams. They share the budget in equal parts. Numbers of slices and
     * times of flushes hold for each stream. The region must be empty.
     */
    public AcquisitionOptions withSlices(SliceOptions other) {
        if (other.region().isPresent()) {
            throw new IllegalArgumentException("expected streams of the whole array, found the region "
                    + other.region().get());
        }
        return new AcquisitionOptions(along, frame, window, start, other);
    }

    /**
     * Returns how an acquisition of {@code array} with these options uses memory. Reads the array.
     *
     * @throws IllegalArgumentException if the array lacks a dimension of these options
     */
    public AcquisitionEstimate estimate(ZarrArray array) {
        return Acquisition.estimate(array, this);
    }

    /**
     * Returns which dimensions of an array these options name. Makes the checks of {@link ZarrArray#acquisition},
     * before the array is created. Reads nothing.
     *
     * @param array the metadata of the array, as {@link Zarr#describe} returns them
     * @param options the options with which the array is opened
     * @throws IllegalArgumentException if the array lacks a dimension of these options, or if the streams' dimension is
     *     also one of a frame
     * @throws IndexOutOfBoundsException if these options start behind the end of an array of fixed length
     * @throws dev.shardkit.spi.error.UnsupportedException if dimensions have no names, the shards do not have one
     *     shape, the elements are not numbers, or several streams would lengthen an array that is written without locks
     */
    public FrameDimensions dimensions(ArrayMetadata array, ZarrOptions options) {
        return Acquisition.check(array, options, this);
    }

    /** Returns the dimension of the streams; empty for the first one. */
    public Optional<String> streamsAlong() {
        return Optional.ofNullable(along);
    }

    /** Returns the dimensions of a frame; empty for the last two. */
    public List<String> frame() {
        return frame;
    }

    /** Returns how many indices of the streams' dimension may get frames at once. */
    public int window() {
        return window;
    }

    /** Returns the first index in the streams' dimension, if one was set for all streams. */
    public OptionalLong start() {
        return start.index() < 0 ? OptionalLong.empty() : OptionalLong.of(start.index());
    }

    /** Returns whether a start was set: {@link #withStart}, {@link #withStarts} or {@link #withResume}. */
    public boolean hasStart() {
        return !start.equals(StartRule.DEFAULT);
    }

    StartRule startRule() {
        return start;
    }

    /** Returns the options of the streams. */
    public SliceOptions slices() {
        return slices;
    }
}
