package dev.shardkit.ome.pyramid;

import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Appends slices to an image of OME-Zarr while they arrive: to level 0 and, reduced, to each coarser level
 * ({@link Pyramid#stream}). The metadata of the image are complete before the first slice, so viewers can open it at
 * any time. All levels grow together along the first dimension, which is not reduced.
 *
 * <p>A slice is accepted when level 0 accepts it. If a coarser level fails, the call succeeds all the same. The next
 * call first passes the missing slices to the level again, and throws if that fails. Levels are stored in the
 * background, so after a crash some may be shorter than others; the next stream completes them.
 *
 * <p>Calls reduce the slice themselves: a slice of 8 MiB takes tens of milliseconds. Thread-safe: calls run one at a
 * time. {@link #position}, {@link #committed} and queries of {@link #levels} do not wait for other calls. A store's
 * listener may make these three, but no other calls of the stream.
 */
public final class PyramidStream implements AutoCloseable {
    private final DataType type;
    private final List<SliceWriter> writers = new ArrayList<>();
    private final SliceReductions reductions;
    /** The accepted slices that coarser levels lack. Guarded by this object, whose monitor each write holds. */
    private final Deque<Missing> missing = new ArrayDeque<>();

    /**
     * Slices that a coarser level lacks.
     *
     * @param end the position of the level when it has the slices
     * @param slice the slice, if there is one; empty for any number of slices of fill values
     */
    private record Missing(SliceWriter level, long end, Optional<ByteBuffer> slice) {
        /** Passes the slices to the level. Does nothing if the level accepted them in an earlier call that failed. */
        void pass() {
            if (level.position() < end) {
                slice.ifPresentOrElse(level::write, () -> level.skip(end - level.position()));
            }
        }
    }

    private PyramidStream(ZarrArray source, PyramidSettings plan, long[] sliceShape) {
        this.type = source.dataType();
        this.reductions = SliceReductions.of(type, plan, sliceShape);
    }

    /** Begins a stream; see {@link Pyramid#stream}. Checks everything before it writes. */
    static PyramidStream begin(
            Store store, ZarrArray source, PyramidSettings settings, ZarrOptions options, SliceOptions slices) {
        SliceReductions.refuseOthers(source.dataType());
        if (slices.growth() != SliceOptions.Growth.GROW || slices.region().isPresent()) {
            throw new IllegalArgumentException("expected a stream that grows (Growth.GROW) and has no region");
        }
        PyramidSettings plan = settings.growing(source);
        plan.check();
        PyramidLevels levels = new PyramidLevels(plan, source.path());
        LevelAddition addition = new LevelAddition(store, source, options);
        addition.requireImage(levels);
        List<ArrayMetadata> coarser = new ArrayList<>();
        for (int level = 1; level < levels.count(); level++) {
            coarser.add(Zarr.describe(levels.spec(level), options));
            requireLevelOrNone(store, coarser.get(level - 1), levels.path(level), options);
        }
        long[] sliceShape = source.shape();
        sliceShape[0] = 1;
        PyramidStream stream = new PyramidStream(source, plan, sliceShape);
        boolean isOpen = false;
        try {
            ZarrArray finer = addition.named(plan);
            stream.open(finer, finer, slices); // level 0 has as many slices as itself
            for (int level = 1; level < levels.count(); level++) {
                ZarrArray array = level(store, coarser.get(level - 1), levels.path(level), options);
                stream.open(finer, array, slices);
                finer = array.refresh();
            }
            addition.publish(levels);
            isOpen = true;
            return stream;
        } finally {
            if (!isOpen) {
                stream.abandon();
            }
        }
    }

    /** Throws if there is another node at the path of a level. */
    private static void requireLevelOrNone(Store store, ArrayMetadata wanted, String path, ZarrOptions options) {
        if (Destination.of(store).isFree(path)) {
            return;
        }
        ArrayMetadata stored = Zarr.openArray(store, path, options).metadata();
        boolean isSame = stored.rank() == wanted.rank()
                && Arrays.equals(MetadataWriter.write(of(wanted, stored.shape()[0])), MetadataWriter.write(stored));
        if (!isSame) {
            throw new StoreException("expected a level of the image at \"" + path + "\" in " + store.describe()
                    + ", found another array there; nothing was written");
        }
    }

    /** Returns the metadata of a level with this number of slices. */
    private static ArrayMetadata of(ArrayMetadata level, long length) {
        long[] shape = level.shape();
        shape[0] = length;
        return level.withShape(shape);
    }

    /** Opens a level, or creates it without slices. */
    private static ZarrArray level(Store store, ArrayMetadata wanted, String path, ZarrOptions options) {
        if (Destination.of(store).isFree(path)) {
            Zarr.stageArray(store, path, of(wanted, 0), IfExists.REFUSE, options)
                    .publish();
        }
        return Zarr.openArray(store, path, options);
    }

    /**
     * Opens the writer of a level. First gives the level as many slices as the finer level has, because a crash may
     * leave levels of different lengths: cuts a longer level, and writes the slices that a shorter one lacks.
     */
    private void open(ZarrArray finer, ZarrArray array, SliceOptions slices) {
        long[] shape = array.shape();
        long length = finer.shape()[0];
        ZarrArray coarse = array;
        if (shape[0] > length) {
            shape[0] = length;
            coarse = array.resize(shape, ResizePolicy.REMOVE);
        }
        writers.add(coarse.slices(0, slices));
        int level = writers.size() - 1;
        if (shape[0] < length) {
            long[] missing = finer.shape();
            missing[0] = length - shape[0];
            long[] origin = new long[missing.length];
            origin[0] = shape[0];
            reductions.writeMissing(level - 1, finer, Box.of(origin, missing), 0, writers.get(level));
        }
        writers.get(level).flush();
    }

    /** Returns the index of the next slice. Does not wait for other calls. */
    public long position() {
        return writers.get(0).position();
    }

    /**
     * Returns the index before which all slices are stored in all levels. A crash loses at most the slices from this
     * index on; see {@link SliceWriter#committed}. Does not wait for other calls.
     */
    public long committed() {
        return writers.stream().mapToLong(SliceWriter::committed).min().orElseThrow();
    }

    /**
     * Returns the writers of the levels, the finest first, to query their state. Only this stream may write to them.
     */
    public List<SliceWriter> levels() {
        return List.copyOf(writers);
    }

    /**
     * Accepts the next slice and copies it. The shape is that of level 0 with length 1 in the first dimension, or
     * without it.
     *
     * @throws IllegalArgumentException if the shape or the type is not that of a slice; then no slice is accepted
     */
    public void write(NdArray slice) {
        long[] shape = reductions.shape(0);
        boolean isSlice = Arrays.equals(slice.shape(), shape)
                || Arrays.equals(slice.shape(), Arrays.copyOfRange(shape, 1, shape.length));
        if (!isSlice || !slice.dataType().equals(type)) {
            throw new IllegalArgumentException("expected one slice of shape " + Arrays.toString(shape) + " of "
                    + type.name() + ", found " + Arrays.toString(slice.shape()) + " of "
                    + slice.dataType().name());
        }
        write(reductions.buffer(slice));
    }

    /**
     * Accepts the next slice from a buffer, as {@link SliceWriter#write(ByteBuffer)} does, and copies it.
     *
     * @throws IllegalArgumentException if the buffer does not hold exactly one slice; then no slice is accepted
     */
    public synchronized void write(ByteBuffer slice) {
        long bytes = reductions.bytes(0);
        if (slice.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "expected one slice of " + bytes + " bytes, found a buffer with " + slice.remaining());
        }
        complete();
        List<Missing> coarser = new ArrayList<>();
        long end = position() + 1;
        List<ByteBuffer> reduced = reductions.coarser(slice);
        for (int level = 1; level < writers.size(); level++) {
            coarser.add(new Missing(writers.get(level), end, Optional.of(reduced.get(level - 1))));
        }
        try {
            writers.get(0).write(slice);
        } finally {
            if (position() == end) { // accepted, even if the call failed
                missing.addAll(coarser);
            }
        }
        tryToComplete();
    }

    /** Accepts slices of fill values in all levels; see {@link SliceWriter#skip}. */
    public synchronized void skip(long count) {
        complete();
        try {
            writers.get(0).skip(count);
        } finally {
            for (SliceWriter writer : writers.subList(1, writers.size())) {
                // up to the position of level 0, which may have accepted only some of the slices
                missing.add(new Missing(writer, position(), Optional.empty()));
            }
        }
        tryToComplete();
    }

    /** Passes the missing slices to the coarser levels. If one fails, it stays in the queue, and the call fails. */
    private void complete() {
        while (!missing.isEmpty()) {
            missing.element().pass();
            missing.remove();
        }
    }

    /**
     * Passes the missing slices to the coarser levels. Only logs a failure, because level 0 has already accepted the
     * caller's slice. The next call tries again and throws.
     */
    private void tryToComplete() {
        try {
            complete();
        } catch (RuntimeException e) {
            System.getLogger(PyramidStream.class.getName())
                    .log(System.Logger.Level.DEBUG, "a coarser level is repeated by the next call", e);
        }
    }

    /** Stores all slices in all levels, the finest first; see {@link SliceWriter#flush}. */
    public synchronized void flush() {
        complete();
        writers.forEach(SliceWriter::flush);
    }

    /** Stores all slices in all levels and ends the stream. If this fails, it can be repeated. */
    @Override
    public synchronized void close() {
        complete();
        writers.forEach(SliceWriter::close);
    }

    /**
     * Closes the writers after {@link #begin} has failed. Failures are only logged: no slice can be lost, because all
     * slices of a writer were computed from those of the finer level.
     */
    private void abandon() {
        for (SliceWriter writer : writers) {
            try {
                writer.close();
            } catch (RuntimeException e) {
                System.getLogger(PyramidStream.class.getName())
                        .log(System.Logger.Level.DEBUG, "a level could not be closed", e);
            }
        }
    }
}
