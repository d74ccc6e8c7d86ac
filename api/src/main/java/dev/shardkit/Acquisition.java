package dev.shardkit;

import dev.shardkit.FrameOrderException.Reason;
import dev.shardkit.engine.threads.SerialCalls;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.resize.GrowthLock;
import dev.shardkit.region.stream.CallerSlices;
import dev.shardkit.region.stream.TiledSlice;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Locks;
import dev.shardkit.store.policy.WriteOwnership;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames of an acquisition into one array: time points, positions, channels and planes, in any layout of the
 * dimensions and in any order within a window.
 *
 * <p>The array is divided into streams, which run along one dimension ({@link AcquisitionOptions#withStreamsAlong}).
 * Each line of shards along this dimension is a stream: for example, one for each channel and plane if the array is
 * {@code t, c, z, y, x}, the streams' dimension is {@code t}, and a shard holds one channel and one plane. If a frame
 * spans several shards, they belong to one stream. A slice of a stream is all its frames at one index of the dimension.
 * A frame is copied into its slice; a complete slice goes to a {@link SliceWriter}. So memory is bounded by the
 * streams' budget and the slices of their windows. {@link AcquisitionOptions#estimate} shows both beforehand: the fewer
 * frames a slice has, the less memory.
 *
 * <p>A frame has one index for each dimension that is not its own. Within a stream, frames may come in any order, as
 * long as they lie at most {@link AcquisitionOptions#window} indices behind the first incomplete slice. A frame that
 * comes twice, or after its slice is complete, is refused with {@link FrameOrderException}. Streams do not wait for one
 * another. The length of an array that grows follows the stream that is furthest ahead. So readers look at
 * {@link #committed}: all frames before this index are stored. At later indices, frames that are not stored yet read as
 * the fill value.
 *
 * <p>A frame is accepted when {@link #write} returns, and never when it throws. A failure of storing is thrown by the
 * next call, which repeats the work.
 *
 * <p>Frames of one stream are accepted in the order of the calls, blocking and asynchronous. A frame of
 * {@link #writeAsync} that is refused fails its future, and no other.
 *
 * <p>Thread-safe: frames of different streams are accepted concurrently, as several cameras need it. The first frame of
 * a stream opens it, which reads the array; frames of other streams do not wait for that.
 */
public final class Acquisition implements AutoCloseable {
    private final ZarrArray array;
    private final Layout layout;
    private final long start;
    /** The starts of the streams that do not begin at {@link #start}, by the streams' numbers. */
    private final Map<Long, ResumePosition> starts;
    /** The streams by their numbers. Guarded by this object. */
    private final Map<Long, FrameStream> streams = new HashMap<>();
    /** Whether {@link #close} has begun. Guarded by this object. */
    private boolean closing;

    private Acquisition(ZarrArray array, Layout layout, long start, Map<Long, ResumePosition> starts) {
        this.array = array;
        this.layout = layout;
        this.start = start;
        this.starts = starts;
    }

    /**
     * Where frames lie in an array.
     *
     * @param along the streams' dimension
     * @param isFrame which dimensions are those of a frame
     * @param part the shape of a stream's part of the array: that of a shard, but whole in the dimensions of a frame
     * @param across the grid of these parts at index 0 of the streams' dimension: one cell for each stream, in C order
     */
    private record Layout(
            List<String> names,
            long[] shape,
            int along,
            boolean[] isFrame,
            long[] part,
            Box across,
            AcquisitionOptions options) {

        static Layout of(ArrayMetadata array, AcquisitionOptions options) {
            FrameDimensions dimensions = FrameDimensions.of(array, options);
            if (!(array.chunkGrid() instanceof RegularGrid grid)) {
                throw new UnsupportedException("an acquisition needs shards of one shape, found the chunk grid "
                        + array.chunkGrid().name());
            }
            long[] shape = array.shape();
            boolean[] isFrame = dimensions.isFrame();
            long[] parts = grid.chunkShape();
            for (int d = 0; d < parts.length; d++) {
                parts[d] = isFrame[d] ? Math.max(1, shape[d]) : parts[d]; // a frame is in one stream
            }
            Box across = Boxes.cut(Box.of(shape), dimensions.along(), 0, 1).cells(parts);
            return new Layout(dimensions.names(), shape, dimensions.along(), isFrame, parts, across, options);
        }

        /** Throws if an acquisition of an array of this type and ownership cannot begin. */
        void check(DataType type, WriteOwnership ownership) {
            long start = Acquisition.start(this);
            if (across.count() > 1 && grows() && ownership == WriteOwnership.OWNED) {
                throw new UnsupportedException("streams that lengthen one array side by side need its locks, found "
                        + across.count()
                        + " streams and an owned array (WriteOwnership.OWNED): create it with the length "
                        + "of the acquisition, or choose shards that hold all frames of an index");
            }
            if (across.count() > 0) { // throws if slices cannot be put together from frames
                TiledSlice.bytes(type, Boxes.cut(region(0, start), along, 0, 1).shape());
            }
        }

        /** Returns the box of a frame in the array. The index in the streams' dimension is not checked. */
        Box frame(Map<String, Long> indices) {
            for (String name : indices.keySet()) {
                if (isFrame[FrameDimensions.index(names, name)]) {
                    throw new IllegalArgumentException(
                            "expected indices of a frame, found one of its own dimension \"" + name + "\"");
                }
            }
            long[] origin = new long[shape.length];
            long[] lengths = shape.clone();
            for (int d = 0; d < shape.length; d++) {
                if (isFrame[d]) {
                    continue;
                }
                Long index = indices.get(names.get(d));
                if (index == null) {
                    throw new IllegalArgumentException(
                            "expected an index of dimension \"" + names.get(d) + "\", found " + indices);
                }
                if (index < 0 || d != along && index >= shape[d]) {
                    throw new IndexOutOfBoundsException("expected an index of dimension \"" + names.get(d)
                            + "\" from 0 on" + (d == along ? "" : " and below " + shape[d]) + ", found " + index);
                }
                origin[d] = index;
                lengths[d] = 1;
            }
            return Box.of(origin, lengths);
        }

        /** Returns the number of the stream of a frame: the index of its cell in {@code across}, in C order. */
        long stream(Box frame) {
            long[] cell = Boxes.cut(frame, along, 0, 1).cells(part).origin();
            return Shapes.ravel(Box.of(cell, ones()).relativeTo(across).origin(), across.shape());
        }

        private long[] ones() {
            long[] ones = new long[shape.length];
            Arrays.fill(ones, 1);
            return ones;
        }

        boolean grows() {
            return options.slices().growth() == SliceOptions.Growth.GROW;
        }

        /** Throws if an array that grows cannot reach {@code end}: its length is limited to whole chunks. */
        void refuseTooLong(long end) {
            long longest = Long.MAX_VALUE - Long.MAX_VALUE % part[along];
            if (grows() && end > longest) {
                throw new IllegalArgumentException("expected an index of dimension \"" + names.get(along)
                        + "\" of at most " + longest + ", the end of the longest array, found " + end);
            }
        }

        /** Returns the indices of the first frame of a stream, without the streams' dimension. */
        Map<String, Long> indices(long stream) {
            Box cell = Box.cell(across.at(stream), part);
            Map<String, Long> indices = new HashMap<>();
            for (int d = 0; d < shape.length; d++) {
                if (d != along && !isFrame[d]) {
                    indices.put(names.get(d), cell.origin(d));
                }
            }
            return indices;
        }

        /**
         * Returns the part of the array that a stream may have stored: clipped at the array's edges, and in the
         * streams' dimension from 0 to the array's length.
         */
        Box stored(long stream) {
            return Boxes.cut(crossSection(stream), along, 0, shape[along]);
        }

        /** Returns the first cell of a stream, clipped at the array's edges except in the streams' dimension. */
        private Box crossSection(long stream) {
            Box cell = Box.cell(across.at(stream), part);
            return cell.intersect(Boxes.cut(Box.of(shape), along, 0, cell.end(along)));
        }

        /**
         * Returns the region of a stream that begins at {@code start}. In an array that grows, it has one slice,
         * because the stream has no end.
         */
        Box region(long stream, long start) {
            long end = grows() ? start + 1 : shape[along];
            return Boxes.cut(crossSection(stream), along, start, end);
        }

        /** Returns the options of a stream's writer, which has its share of the budget. */
        SliceOptions slices(long stream, long start) {
            SliceOptions all = options.slices();
            return all.withBudgetBytes(all.budgetBytes() / Math.max(1, across.count()))
                    .withRegion(region(stream, start));
        }

        long framesPerSlice() {
            long frames = 1;
            for (int d = 0; d < shape.length; d++) {
                frames *= d == along || isFrame[d] ? 1 : Math.min(part[d], shape[d]);
            }
            return frames;
        }

        /**
         * Returns the box of a tile in the array.
         *
         * @param frame the box of the tile's frame in the array
         * @param tile the box in the frame; it has only the dimensions of a frame
         */
        Box tile(Box frame, Box tile) {
            long[] origin = frame.origin();
            long[] lengths = frame.shape();
            int frameRank = 0;
            for (int d = 0; d < shape.length; d++) {
                if (isFrame[d]) {
                    if (frameRank < tile.rank()) {
                        origin[d] = tile.origin(frameRank);
                        lengths[d] = tile.shape(frameRank);
                    }
                    frameRank++;
                }
            }
            Box inArray = Box.of(origin, lengths);
            if (frameRank != tile.rank() || inArray.isEmpty() || !frame.contains(inArray)) {
                throw new IndexOutOfBoundsException("expected a tile that lies in a frame of shape "
                        + Arrays.toString(frameShape()) + ", found " + tile);
            }
            return inArray;
        }

        long[] frameShape() {
            long[] lengths = new long[shape.length];
            int rank = 0;
            for (int d = 0; d < shape.length; d++) {
                if (isFrame[d]) {
                    lengths[rank++] = shape[d];
                }
            }
            return Arrays.copyOf(lengths, rank);
        }
    }

    static AcquisitionEstimate estimate(ZarrArray array, AcquisitionOptions options) {
        ZarrArray current = array.refresh();
        Layout layout = Layout.of(current.metadata(), options);
        long start = start(layout);
        long streams = layout.across.count();
        if (streams == 0) {
            throw new IllegalArgumentException(
                    "expected an array with frames, found one of shape " + Arrays.toString(layout.shape));
        }
        SliceEstimate stream = layout.slices(0, start).estimate(current, layout.along);
        long[] slice = Boxes.cut(layout.region(0, start), layout.along, 0, 1).shape();
        long sliceBytes = TiledSlice.bytes(current.dataType(), slice);
        long windowSlices = Boxes.product(streams, layout.options.window()); // in the windows of all streams
        return new AcquisitionEstimate(
                streams,
                layout.framesPerSlice(),
                stream,
                Boxes.sum(
                        Boxes.product(streams, stream.heapBytes()),
                        Boxes.product(windowSlices, TiledSlice.coverageBytes(slice))),
                Boxes.sum(Boxes.product(streams, stream.directBytes()), Boxes.product(windowSlices, sliceBytes)));
    }

    /** Returns the index at which streams without a start of their own begin. */
    private static long start(Layout layout) {
        boolean grows = layout.grows();
        long length = layout.shape[layout.along];
        long start = layout.options.start().orElse(grows ? length : 0);
        if (!grows && start > length) {
            throw new IndexOutOfBoundsException(
                    "expected a start in an array of shape " + Arrays.toString(layout.shape) + ", found " + start);
        }
        return start;
    }

    /**
     * Returns the start of each stream, by the streams' numbers, if the acquisition is resumed or the caller gives a
     * start for each stream. Returns an empty map otherwise.
     */
    private static Map<Long, ResumePosition> starts(ZarrArray array, Layout layout) {
        AcquisitionOptions.StartRule rule = layout.options.startRule();
        ToLongFunction<Map<String, Long>> startOf = rule.each();
        if (startOf == null && !rule.isResumed()) {
            return Map.of();
        }
        Map<Long, ResumePosition> starts = new HashMap<>();
        for (long stream = 0; stream < layout.across.count(); stream++) {
            starts.put(
                    stream,
                    startOf == null
                            ? resumePosition(array, layout, stream)
                            : ResumePosition.at(start(layout, stream, startOf)));
        }
        return Map.copyOf(starts);
    }

    private static ResumePosition resumePosition(ZarrArray array, Layout layout, long stream) {
        // With locks, the only stream lengthens the array after it has stored a batch. So all slices before the array's
        // end are stored. Without locks, the array grows first, and a crash leaves slices before its end that were
        // never stored.
        boolean isLengthStored = layout.grows()
                && layout.across.count() == 1
                && array.node.session().store().can(Locks.class)
                && GrowthLock.isEffective(array.node);
        return isLengthStored
                ? ResumePosition.at(layout.shape[layout.along])
                : ResumePosition.find(array, layout.stored(stream), layout.along);
    }

    private static long start(Layout layout, long stream, ToLongFunction<Map<String, Long>> startOf) {
        Map<String, Long> indices = layout.indices(stream);
        long start = startOf.applyAsLong(indices);
        long length = layout.shape[layout.along];
        if (start < 0 || !layout.grows() && start > length) {
            throw new IndexOutOfBoundsException("expected a start of at least 0"
                    + (layout.grows() ? "" : " and at most " + length) + " for the frames at " + indices + ", found "
                    + start);
        }
        return start;
    }

    static FrameDimensions check(ArrayMetadata array, ZarrOptions options, AcquisitionOptions acquisition) {
        Layout.of(array, acquisition).check(array.dataType(), options.ownership());
        return FrameDimensions.of(array, acquisition);
    }

    static Acquisition begin(ZarrArray array, AcquisitionOptions options) {
        ZarrArray current = array.refresh();
        Layout layout = Layout.of(current.metadata(), options);
        layout.check(current.dataType(), current.options().ownership());
        return new Acquisition(current, layout, start(layout), starts(current, layout)); // starts() may read elements
    }

    /** The frames of one stream. Used in its serial calls only; but any thread may ask for the positions. */
    private final class FrameStream {
        private final long number;
        /** The index at which the open writer began. While no writer is open, the index at which the next begins. */
        private volatile long first;
        /** Runs the calls of this stream one after the other. */
        private final SerialCalls calls = array.serialCalls();

        /** Null until the first frame comes, and while the stream is suspended. */
        private volatile @Nullable SliceWriter openWriter;
        /** The box of every slice in the array, at index 0 of the streams' dimension. */
        private final Box sliceBox;

        /** The index at which the stream is complete. */
        private final long end;
        /** The slices with some or all of their frames that were not passed to the writer yet, by their indices. */
        private final TreeMap<Long, TiledSlice> begun = new TreeMap<>();

        /** Whether the stream takes no more slices, because it is complete or closed. */
        private volatile boolean isEnded;

        /** Whether {@link #close} was called: a frame that comes later would never be stored. */
        private boolean isClosed;

        FrameStream(long number) {
            this.number = number;
            this.first = firstIndex(number);
            Box region = layout.region(number, first);
            this.sliceBox = Boxes.cut(region, layout.along, 0, 1);
            this.end = layout.grows() ? Long.MAX_VALUE : layout.shape[layout.along];
        }

        /** Returns the writer. Opens it before the first frame, which reads the array. */
        private SliceWriter writer() {
            SliceWriter writer = openWriter;
            if (writer == null) {
                writer = array.within(calls).slices(layout.along, layout.slices(number, first));
                openWriter = writer;
            }
            return writer;
        }

        /** Returns the index of the first incomplete slice. Any thread may call this. */
        long position() {
            SliceWriter writer = openWriter;
            return writer == null ? first : writer.position();
        }

        /** Returns the index before which all slices are stored. Any thread may call this. */
        long committed() {
            SliceWriter writer = openWriter;
            return writer == null ? first : writer.committed();
        }

        void call(Runnable action) {
            calls.call(() -> {
                action.run();
                return NoResult.INSTANCE;
            });
        }

        CompletableFuture<NoResult> start(Runnable action) {
            return calls.start(
                    () -> {
                        action.run();
                        return NoResult.INSTANCE;
                    },
                    () -> {});
        }

        /** Accepts a frame, or a tile of one. */
        void accept(Part part) {
            if (isClosed) {
                throw closed();
            }
            drain();
            long index = part.box.origin(layout.along);
            refuseOutsideWindow(index);
            SliceWriter writer = writer();
            Box inSlice = Boxes.cut(part.box, layout.along, 0, 1).relativeTo(sliceBox);
            TiledSlice slice = begun.get(index);
            // A part that is all of the next slice goes to the writer without a copy in between.
            if (slice == null && index == writer.position() && inSlice.count() == sliceBox.count()) {
                passOn(() -> part.source.writeTo(writer));
                tryToDrain();
                return;
            }
            if (slice == null) {
                slice = new TiledSlice(array.metadata(), sliceBox.shape());
            } else if (part.isTile ? slice.isComplete() : slice.touches(inSlice)) { // tiles may overlap, frames may not
                throw refused(index);
            }
            slice.put(inSlice, part.elements);
            part.source.copied();
            begun.put(index, slice);
            tryToDrain();
        }

        private void refuseOutsideWindow(long index) {
            long position = position();
            if (index >= end) {
                throw new IndexOutOfBoundsException(
                        "expected an index of dimension \"" + name() + "\" below " + end + ", found " + index);
            }
            if (index < position) {
                throw refused(index);
            }
            if (index - position >= layout.options.window()) {
                throw new FrameOrderException(
                        Reason.BEYOND_WINDOW,
                        "expected a frame at an index of dimension \"" + name() + "\" from " + position + " to "
                                + (position + layout.options.window() - 1) + ", found " + index
                                + ": frames at index " + position
                                + " have not come; wait for them, give them up by complete(), or widen the window");
            }
        }

        private FrameOrderException refused(long index) {
            return new FrameOrderException(
                    Reason.COMPLETE,
                    "the frame at index " + index + " of dimension \"" + name()
                            + "\" came before, or was given up; the streams' next index is " + position());
        }

        private String name() {
            return layout.names.get(layout.along);
        }

        /**
         * Runs a write of the next slice. If the writer has accepted the slice and could not store it, the failure is
         * only logged: the next call stores it again, and throws if that fails.
         */
        private void passOn(Runnable write) {
            long before = position();
            try {
                write.run();
            } catch (RuntimeException e) {
                if (position() == before) {
                    throw e;
                }
                log(e);
            }
        }

        /** Passes the complete slices at the position to the writer, and closes the writer of a complete stream. */
        private void drain() {
            while (!begun.isEmpty()
                    && begun.firstKey() == position()
                    && begun.firstEntry().getValue().isComplete()) {
                passOnFirst();
            }
            SliceWriter writer = openWriter;
            if (position() == end && !isEnded) {
                if (writer != null) {
                    writer.close(); // its memory is free for other streams
                }
                isEnded = true;
            }
        }

        /** Passes the first begun slice to the writer; its missing elements are the fill value. */
        private void passOnFirst() {
            TiledSlice slice = begun.firstEntry().getValue();
            Runnable end = slice.share(); // frees the memory when both the writer and this method have run it
            long before = position();
            try {
                passOn(() -> writer().writeOwned(slice.elements(), end));
            } finally {
                if (position() > before) { // accepted, even if the call failed
                    begun.pollFirstEntry();
                    end.run();
                }
            }
        }

        /** Drains after a frame was accepted. Only logs a failure: the caller must not take the frame for refused. */
        private void tryToDrain() {
            try {
                drain();
            } catch (RuntimeException e) {
                log(e);
            }
        }

        private void log(RuntimeException e) {
            System.getLogger(Acquisition.class.getName())
                    .log(System.Logger.Level.DEBUG, "slices of stream " + number + " are written by the next call", e);
        }

        /** Completes the slices before {@code limit}: frames that have not come become the fill value. */
        void complete(long limit) {
            drain();
            while (!isEnded && position() < Math.min(limit, end)) {
                long position = position();
                if (!begun.isEmpty() && begun.firstKey() == position) {
                    passOnFirst();
                } else {
                    long next = begun.isEmpty() ? limit : Math.min(limit, begun.firstKey());
                    passOn(() -> writer().skip(Math.min(next, end) - position));
                }
            }
            drain();
        }

        void flush() {
            drain();
            if (!isEnded && openWriter != null) {
                writer().flush();
            }
        }

        /** Completes the slices up to the last one that has a frame. */
        void completeBegun() {
            complete(begun.isEmpty() ? position() : begun.lastKey() + 1);
        }

        /** Stores the complete slices and frees their memory; the next frame opens the stream again. */
        void suspend() {
            drain();
            SliceWriter writer = openWriter;
            if (!isEnded && writer != null) {
                writer.close();
                first = writer.position();
                openWriter = null;
            }
        }

        void close() {
            isClosed = true;
            if (!isEnded) {
                completeBegun();
                SliceWriter writer = openWriter;
                if (writer != null) {
                    writer.close();
                }
            }
            isEnded = true;
        }
    }

    private FrameStream stream(Box frame) {
        synchronized (this) {
            refuseClosing();
            return streams.computeIfAbsent(layout.stream(frame), FrameStream::new);
        }
    }

    private void refuseClosing() {
        if (closing) {
            throw closed();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the acquisition is closed, or its close failed and is to be repeated");
    }

    /** Returns the array with the shape that it had when the acquisition began. */
    public ZarrArray array() {
        return array;
    }

    /** The memory of a frame or of a tile. */
    private interface Source {
        /** Writes the frame, which is the next slice. */
        void writeTo(SliceWriter writer);

        /** The frame was copied, so the memory is free. */
        default void copied() {}
    }

    /**
     * A frame, or a tile of one.
     *
     * @param frame the box of the frame in the array
     * @param box the box of this part in the array
     * @param isTile whether this is a tile, which may overlap other tiles
     */
    private record Part(Box frame, Box box, boolean isTile, Feed elements, Source source) {
        static Part wholeFrame(Box frame, Feed elements, Source source) {
            return new Part(frame, frame, false, elements, source);
        }

        static Part tile(Box frame, Box tile, Feed elements, Source source) {
            return new Part(frame, tile, true, elements, source);
        }
    }

    /** A frame whose memory the acquisition takes over. */
    private static final class OwnedFrame implements Source {
        private final BiConsumer<SliceWriter, Runnable> write;
        private final Runnable released;
        private boolean isPassedOn;

        OwnedFrame(BiConsumer<SliceWriter, Runnable> write, Runnable released) {
            this.write = write;
            this.released = released;
        }

        @Override
        public void writeTo(SliceWriter writer) {
            isPassedOn = true; // the writer runs the action, also if it refuses the slice
            write.accept(writer, released);
        }

        @Override
        public void copied() {
            isPassedOn = true;
            released.run();
        }

        /** Runs the action if the frame was refused. */
        void end() {
            if (!isPassedOn) {
                released.run();
            }
        }
    }

    /**
     * Accepts a frame and copies it.
     *
     * @param indices the index in each dimension that is not one of the frame, by the dimension's name
     * @param frame in the shape of a frame, in the order of the array's dimensions
     * @throws FrameOrderException if the frame came before, or lies beyond the window
     * @throws IllegalArgumentException if an index is missing, or the shape or the data type is another
     * @throws IndexOutOfBoundsException if an index lies outside the array
     */
    public void write(Map<String, Long> indices, NdArray frame) {
        accept(frame(indices, frame, writer -> writer.write(frame.array(), 0)));
    }

    /**
     * Accepts a frame from a buffer, from its position to its limit, in its byte order, and copies it; see
     * {@link #write(Map, NdArray)}. Then the driver of a camera may fill the buffer again.
     *
     * @throws IllegalArgumentException if an index is missing, or the buffer has another number of bytes
     */
    public void write(Map<String, Long> indices, ByteBuffer frame) {
        accept(frame(indices, frame, writer -> writer.write(frame)));
    }

    /**
     * Accepts a frame as {@link #write(Map, NdArray)} does, and takes over its Java array in place of a copy if the
     * frame is the next slice of its stream. Otherwise, as for a frame that comes early or shares its slice with other
     * frames, copies it. Do not change the array before {@code released} runs.
     *
     * @param released runs once, in any thread, when the acquisition no longer uses the array; also if the frame is not
     *     accepted. See {@link SliceWriter#writeOwned(NdArray, Runnable)}
     */
    public void writeOwned(Map<String, Long> indices, NdArray frame, Runnable released) {
        acceptOwned(
                new OwnedFrame((writer, end) -> writer.writeOwned(asSlice(frame), end), released),
                source -> frame(indices, frame, source));
    }

    /** Accepts a frame from a buffer as {@link #writeOwned(Map, NdArray, Runnable)} does. */
    public void writeOwned(Map<String, Long> indices, ByteBuffer frame, Runnable released) {
        acceptOwned(
                new OwnedFrame((writer, end) -> writer.writeOwned(frame, end), released),
                source -> frame(indices, frame, source));
    }

    /** Returns a frame in the shape of a slice, which has a length of 1 in the other dimensions. */
    private NdArray asSlice(NdArray frame) {
        long[] lengths = layout.shape.clone();
        for (int d = 0; d < lengths.length; d++) {
            lengths[d] = layout.isFrame[d] ? lengths[d] : 1;
        }
        return NdArray.of(frame.dataType(), lengths, frame.array());
    }

    /**
     * Asynchronous form of {@link #write(Map, NdArray)}: the future completes when the frame is accepted. Do not change
     * the frame before. Frames of one stream have the order of the calls; a frame that is refused fails its own future
     * only. At most one thread works for each stream.
     *
     * @throws IllegalArgumentException if an index is missing, or the shape or the data type is another
     * @throws IndexOutOfBoundsException if an index lies outside the array
     */
    public CompletableFuture<NoResult> writeAsync(Map<String, Long> indices, NdArray frame) {
        Part part = frame(indices, frame, writer -> writer.write(frame.array(), 0));
        FrameStream stream = stream(part.frame);
        return stream.start(() -> stream.accept(part));
    }

    /**
     * Asynchronous form of {@link #write(Map, ByteBuffer)}; see {@link #writeAsync(Map, NdArray)}. The position, the
     * limit and the byte order of the buffer are those at the call.
     */
    public CompletableFuture<NoResult> writeAsync(Map<String, Long> indices, ByteBuffer frame) {
        ByteBuffer window = frame.duplicate().order(frame.order()); // the caller's may move on before the turn
        Part part = frame(indices, window, writer -> writer.write(window));
        FrameStream stream = stream(part.frame);
        return stream.start(() -> stream.accept(part));
    }

    private Part frame(Map<String, Long> indices, NdArray frame, Source source) {
        if (!Arrays.equals(frame.shape(), layout.frameShape())) {
            throw new IllegalArgumentException("expected a frame of shape " + Arrays.toString(layout.frameShape())
                    + ", found " + Arrays.toString(frame.shape()));
        }
        Box box = layout.frame(indices);
        return Part.wholeFrame(box, feed(box, frame), source);
    }

    private Part frame(Map<String, Long> indices, ByteBuffer frame, Source source) {
        Box box = layout.frame(indices);
        return Part.wholeFrame(box, slices(box).tile(box.atZero(), frame), source);
    }

    private Feed feed(Box part, NdArray elements) {
        return slices(part)
                .tile(part.atZero(), elements.ofType(array.dataType()).array());
    }

    /** Returns the slices of a part's shape. They refuse elements of another shape or data type. */
    private CallerSlices slices(Box part) {
        return new CallerSlices(array.dataType(), part.shape(), layout.along);
    }

    /**
     * Accepts a tile of a frame and copies it. A frame is complete when tiles have covered it. Where tiles overlap, the
     * later one counts.
     *
     * @param tile the place in the frame
     * @throws FrameOrderException if all frames of the slice are complete, or it lies beyond the window
     * @throws IndexOutOfBoundsException if the tile or an index lies outside
     */
    public void writeTile(Map<String, Long> indices, Box tile, ByteBuffer elements) {
        Box frame = layout.frame(indices);
        Box part = layout.tile(frame, tile);
        Feed feed = slices(part).tile(part.atZero(), elements);
        accept(Part.tile(frame, part, feed, writer -> writer.write(elements)));
    }

    /** Accepts a tile of a frame as {@link #writeTile(Map, Box, ByteBuffer)} does; {@code origin} is its place. */
    public void writeTile(Map<String, Long> indices, long[] origin, NdArray tile) {
        Box frame = layout.frame(indices);
        Box part = layout.tile(frame, Box.of(origin, tile.shape()));
        Feed feed = feed(part, tile);
        accept(Part.tile(frame, part, feed, writer -> writer.write(tile.array(), 0)));
    }

    private void accept(Part part) {
        FrameStream stream = stream(part.frame);
        stream.call(() -> stream.accept(part));
    }

    private void acceptOwned(OwnedFrame frame, Function<Source, Part> part) {
        try {
            accept(part.apply(frame));
        } finally {
            frame.end();
        }
    }

    /**
     * Gives up frames that have not come: completes all slices before index {@code end} of the streams' dimension.
     * Missing elements become the fill value. Use it for frames that a camera dropped, so that later ones are not
     * refused. {@link #close} gives up the missing frames of each stream up to the last slice that has a frame.
     *
     * @throws IllegalArgumentException if the array grows, and {@code end} lies behind the end of the longest array
     */
    public void complete(long end) {
        layout.refuseTooLong(end);
        forEach(openAll(), stream -> stream.call(() -> stream.complete(end)));
    }

    /**
     * Returns the index in the streams' dimension before which all frames of all streams have come or were given up.
     */
    public long position() {
        return least(FrameStream::position);
    }

    /**
     * Returns the index in the streams' dimension before which all frames of all streams are stored. The
     * {@linkplain #partialFrames partial frames} of an earlier run count.
     */
    public long committed() {
        return least(FrameStream::committed);
    }

    /**
     * Returns the index in the streams' dimension before which all frames of one stream have come or were given up.
     *
     * @param indices the indices of any frame of the stream; the one in the streams' dimension is not needed
     * @throws IllegalArgumentException if an index is missing
     * @throws IndexOutOfBoundsException if an index lies outside the array
     */
    public long position(Map<String, Long> indices) {
        return state(indices, FrameStream::position);
    }

    /** Returns the index before which all frames of one stream are stored; see {@link #position(Map)}. */
    public long committed(Map<String, Long> indices) {
        return state(indices, FrameStream::committed);
    }

    /**
     * Frames of one stream that may be stored in part.
     *
     * @param indices the indices of the stream's first frame, without the streams' dimension
     * @param from the index of the first of them in the streams' dimension
     * @param to the index behind the last of them, which is the first {@link #position(Map) position} of the stream
     */
    public record PartialFrames(Map<String, Long> indices, long from, long to) {
        /** Copies the map. */
        public PartialFrames {
            indices = Map.copyOf(indices);
        }
    }

    /**
     * Returns the frames of each stream that the run before a {@linkplain AcquisitionOptions#withResume resumed}
     * acquisition may have stored in part, because it was killed after it had stored only some of their inner chunks.
     * Such frames have an inner chunk in which all their elements equal the fill value. So complete frames with a black
     * part are returned too. Partial frames lie in the last shards of the stream; all earlier frames of that run are
     * whole. Empty if there are none, or if nothing was resumed.
     *
     * <p>{@link #write} refuses these frames. If the program still has them, it can replace them by
     * {@link ZarrArray#write(Box, NdArray)}, or begin the acquisition at {@code from}
     * ({@link AcquisitionOptions#withStarts}).
     */
    public List<PartialFrames> partialFrames() {
        List<PartialFrames> partial = new ArrayList<>();
        new TreeMap<>(starts).forEach((number, own) -> {
            if (own.wholeEnd() < own.index()) {
                partial.add(new PartialFrames(layout.indices(number), own.wholeEnd(), own.index()));
            }
        });
        return List.copyOf(partial);
    }

    private long state(Map<String, Long> indices, ToLongFunction<FrameStream> state) {
        Map<String, Long> frame = new HashMap<>(indices);
        frame.putIfAbsent(layout.names.get(layout.along), 0L); // any index there leads to the same stream
        long number = layout.stream(layout.frame(frame));
        FrameStream stream;
        synchronized (this) {
            stream = streams.get(number);
        }
        return stream == null ? firstIndex(number) : state.applyAsLong(stream);
    }

    /** Returns the index at which a stream starts. */
    private long firstIndex(long stream) {
        ResumePosition own = starts.get(stream);
        return own == null ? start : own.index();
    }

    /** Returns the smallest index of all streams. A stream without a frame is at its start. */
    private synchronized long least(ToLongFunction<FrameStream> state) {
        Map<Long, Long> indices = new HashMap<>();
        starts.forEach((number, own) -> indices.put(number, own.index()));
        streams.forEach((number, stream) -> indices.put(number, state.applyAsLong(stream)));
        // streams that neither have a start of their own nor a frame are not in the map
        boolean isMissing = indices.isEmpty() || indices.size() < layout.across.count();
        return indices.values().stream().reduce(isMissing ? start : Long.MAX_VALUE, Math::min);
    }

    /**
     * Stores all complete slices before the first incomplete one of each stream, so that all frames before
     * {@link #committed} survive a crash and can be read.
     */
    public void flush() {
        forEach(open(), stream -> stream.call(stream::flush));
    }

    /** Asynchronous form of {@link #flush}. */
    public CompletableFuture<NoResult> flushAsync() {
        List<FrameStream> all = open();
        return array.async(() -> forEach(all, stream -> stream.call(stream::flush)));
    }

    /**
     * Completes each stream up to its last slice that has a frame, as {@link #close} does, and accepts later frames.
     * Missing frames become the fill value.
     */
    public void completeBegun() {
        forEach(open(), stream -> stream.call(stream::completeBegun));
    }

    /**
     * Stores all complete slices and frees their memory. The next frame of a stream opens it again, which reads the
     * array. Incomplete slices stay in memory until their other frames come. Use it for an acquisition that gets no
     * frames for a while, such as that of a field that is imaged once an hour.
     */
    public void suspend() {
        forEach(open(), stream -> stream.call(stream::suspend));
    }

    /** Asynchronous form of {@link #suspend}. */
    public CompletableFuture<NoResult> suspendAsync() {
        List<FrameStream> all = open();
        return array.async(() -> forEach(all, stream -> stream.call(stream::suspend)));
    }

    /**
     * Completes each stream up to its last slice that has a frame, as {@link #complete} does. Then stores all slices
     * and accepts no more. If a stream fails, the others are closed all the same, and the call can be repeated.
     */
    @Override
    public void close() {
        List<FrameStream> all;
        synchronized (this) {
            closing = true; // no stream is added later
            all = new ArrayList<>(streams.values());
        }
        forEach(all, stream -> stream.call(stream::close));
    }

    /** Returns the streams that have begun. Throws if the acquisition takes no more calls. */
    private synchronized List<FrameStream> open() {
        refuseClosing();
        return new ArrayList<>(streams.values());
    }

    /** Begins all streams and returns them. Throws if the acquisition takes no more calls. */
    private synchronized List<FrameStream> openAll() {
        refuseClosing();
        for (long number = 0; number < layout.across.count(); number++) {
            streams.computeIfAbsent(number, FrameStream::new);
        }
        return open();
    }

    /** Runs an action for all streams; the first failure is thrown at the end. */
    private static void forEach(List<FrameStream> all, Consumer<FrameStream> action) {
        RuntimeException failure = null;
        for (FrameStream stream : all) {
            try {
                action.accept(stream);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
