package dev.shardkit.ome.pyramid;

import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionEstimate;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.FrameDimensions;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The arrays of an image whose levels are written side by side, each by an acquisition of its own: where they are, what
 * they hold, and what an earlier acquisition left undone. Immutable.
 */
final class LiveImage {
    /** The budget of a stream that is never pipelined. */
    private static final long SMALL_STREAM_BYTES = 8 << 20;

    private final Store store;
    private final String group;
    private final ZarrOptions options;
    private final AcquisitionOptions acquisition;
    private final PyramidLevels levels;
    private final SliceReductions reductions;
    /** The dimension along which the streams write. */
    private final int along;
    /** For each dimension, whether it is one of a frame. */
    private final boolean[] isFrame;
    /** The length of new coarser levels along the streams: 0 if they grow. */
    private final long length;

    /**
     * Plans an image. Writes nothing.
     *
     * @param group the path of the image's group in the store; empty for the root
     * @param source the array of level 0
     * @throws IllegalArgumentException if the settings do not suit frames of these dimensions, or as
     *     {@link AcquisitionOptions#dimensions}
     */
    LiveImage(
            Store store,
            String group,
            ZarrArray source,
            PyramidSettings settings,
            ZarrOptions options,
            AcquisitionOptions acquisition) {
        FrameDimensions dimensions = acquisition.dimensions(source.metadata(), options);
        List<String> names = dimensions.names();
        this.store = store;
        this.group = group;
        this.options = options;
        this.acquisition = acquisition;
        this.along = dimensions.along();
        this.isFrame = dimensions.isFrame();
        if (!settings.axes().stream().map(Axis::name).toList().equals(names)) {
            throw new IllegalArgumentException(
                    "expected the axes " + names + ", as the array names its dimensions, found "
                            + settings.axes().stream().map(Axis::name).toList());
        }
        PyramidSettings plan = settings.sliced(source, along, isFrame);
        plan.check();
        this.levels =
                new PyramidLevels(plan, source.path().substring(source.path().lastIndexOf('/') + 1));
        long[] sliceShape = source.shape();
        for (int d = 0; d < sliceShape.length; d++) {
            if (d != along && sliceShape[d] == 0) {
                throw new IllegalArgumentException(
                        "expected an array with frames, found one of shape " + Arrays.toString(source.shape()));
            }
            sliceShape[d] = isFrame[d] ? sliceShape[d] : 1;
        }
        if (levels.count() > 1) {
            SliceReductions.refuseOthers(source.dataType());
        }
        this.reductions = SliceReductions.of(source.dataType(), plan, sliceShape);
        this.length = grows() ? 0 : source.shape()[along];
    }

    private boolean grows() {
        return acquisition.slices().growth() == SliceOptions.Growth.GROW;
    }

    int levelCount() {
        return levels.count();
    }

    PyramidLevels levels() {
        return levels;
    }

    SliceReductions reductions() {
        return reductions;
    }

    OmeMetadata metadata() {
        return levels.metadata(levels.count());
    }

    private String path(int level) {
        return group.isEmpty() ? levels.path(level) : group + "/" + levels.path(level);
    }

    /** Returns the metadata that a level should have if it is this long along the streams. */
    private ArrayMetadata wanted(int level, long lengthAlong) {
        ArrayMetadata described = Zarr.describe(levels.spec(level), options);
        long[] shape = described.shape();
        shape[along] = lengthAlong;
        return described.withShape(shape);
    }

    /** Throws if another node is in the place of a coarser level. */
    void checkLevels() {
        for (int level = 1; level < levels.count(); level++) {
            if (Zarr.find(store, path(level), options).isPresent()) {
                array(level);
            }
        }
    }

    /** Creates the coarser levels that do not exist, without frames. */
    void createLevels() {
        for (int level = 1; level < levels.count(); level++) {
            if (Zarr.find(store, path(level), options).isEmpty()) {
                Zarr.stageArray(store, path(level), wanted(level, length), IfExists.REFUSE, options)
                        .publish();
            }
        }
    }

    /** Opens the array of a level. */
    private ZarrArray array(int level) {
        ZarrArray array = Zarr.openArray(store, path(level), options);
        if (level > 0) {
            ArrayMetadata stored = array.metadata();
            boolean isSame = stored.rank() == isFrame.length
                    && Arrays.equals(
                            MetadataWriter.write(wanted(level, stored.shape()[along])), MetadataWriter.write(stored));
            if (!isSame) {
                throw new StoreException("expected a level of the image at \"" + path(level) + "\" in "
                        + store.describe() + ", found another array there; nothing was written");
            }
        }
        return array;
    }

    /**
     * Returns for each level the budget with which its streams accept a layer of inner chunks while they encode the one
     * before.
     */
    List<Long> smoothBytes() {
        List<Long> bytes = new ArrayList<>();
        for (int level = 0; level < levels.count(); level++) {
            AcquisitionEstimate estimate = acquisition.withStart(0).estimate(array(level));
            bytes.add(estimate.streams() * estimate.stream().smoothBytes().orElse(SMALL_STREAM_BYTES));
        }
        return bytes;
    }

    /**
     * Opens the acquisition of the image, which starts where level 0 starts. An earlier acquisition may have stored
     * frames in some levels only. First, each coarser level gets the frames of the finer one that it lacks. It loses
     * those that level 0 lacks when the first frame of their stream comes ({@link SurplusFrames}).
     *
     * @param budgetBytes the budget of all levels
     * @param weights the parts of the levels in the budget
     */
    PyramidAcquisition open(long budgetBytes, List<Long> weights, PyramidAcquisition.Admission admission) {
        ZarrArray finest = array(0);
        List<Acquisition> opened = new ArrayList<>();
        opened.add(finest.acquisition(budget(acquisition, budgetBytes, weights, 0)));
        SurplusFrames surplus = new SurplusFrames(finest, along, streamLengths(finest));
        forEachFrame(surplus::addStream);
        Map<Map<String, Long>, StoredEnd> ends = levels.count() > 1 ? ends(finest) : Map.of();
        ZarrArray finer = finest;
        for (int level = 1; level < levels.count(); level++) {
            ZarrArray coarse = completed(level, finer, finest.shape()[along], ends, surplus);
            AcquisitionOptions all = budget(acquisition, budgetBytes, weights, level);
            opened.add(coarse.acquisition(all.withStarts(opened.get(0)::position)));
            finer = coarse;
        }
        return new PyramidAcquisition(opened, reductions, surplus, admission);
    }

    /** Returns how many indices of each dimension across the streams are in one stream, by the dimensions' names. */
    private Map<String, Long> streamLengths(ZarrArray level) {
        long[] shard = ((RegularGrid) level.metadata().chunkGrid()).chunkShape(); // checked by the constructor
        Map<String, Long> lengths = new HashMap<>();
        for (int d = 0; d < shard.length; d++) {
            if (!isFrame[d] && d != along) {
                lengths.put(levels.plan().axes().get(d).name(), shard[d]);
            }
        }
        return lengths;
    }

    private static AcquisitionOptions budget(
            AcquisitionOptions options, long budgetBytes, List<Long> weights, int level) {
        double sum = weights.stream().mapToDouble(Long::doubleValue).sum();
        return options.withSlices(options.slices().withBudgetBytes((long) (budgetBytes * (weights.get(level) / sum))));
    }

    /**
     * Adds the stored frames of the finer level that a coarser one lacks, and makes it at least as long as level 0.
     *
     * @param length the length of level 0 along the streams
     * @param ends the ends of the stored frames of level 0, which are those of the finer level, too
     * @param surplus receives the frames that the coarser level has too many
     */
    private ZarrArray completed(
            int level, ZarrArray finer, long length, Map<Map<String, Long>, StoredEnd> ends, SurplusFrames surplus) {
        ZarrArray coarse = array(level);
        if (coarse.shape()[along] > length) {
            surplus.addLonger(coarse);
        }
        Map<Map<String, Long>, StoredEnd> coarseEnds = ends(coarse);
        forEachFrame(indices -> {
            StoredEnd stored = coarseEnds.getOrDefault(indices, StoredEnd.NONE);
            long end = ends.getOrDefault(indices, StoredEnd.NONE).index();
            if (stored.index() > end) {
                surplus.add(indices, coarse, box(level, indices, end, stored.index()));
            }
            if (stored.wholeEnd() < end) { // a kill leaves the last frames in some of their shards only
                reduce(level, finer, coarse, indices, stored.wholeEnd(), end);
            }
        });
        ZarrArray written = coarse.refresh();
        return written.shape()[along] < length ? withLength(written, length) : written;
    }

    private ZarrArray withLength(ZarrArray array, long lengthAlong) {
        long[] shape = array.shape();
        shape[along] = lengthAlong;
        return array.resize(shape, ResizePolicy.REMOVE);
    }

    /**
     * The end of the stored frames of a stream.
     *
     * @param index the index behind the last one
     * @param wholeEnd the index before which all are whole
     */
    private record StoredEnd(long index, long wholeEnd) {
        private static final StoredEnd NONE = new StoredEnd(0, 0);
    }

    /** Returns the ends of the stored frames along the streams, by the indices of {@link FrameAction}. */
    private Map<Map<String, Long>, StoredEnd> ends(ZarrArray array) {
        Map<Map<String, Long>, StoredEnd> ends = new HashMap<>();
        if (array.shape()[along] > 0) {
            Map<String, Long> lengths = streamLengths(array);
            try (Acquisition stored = array.acquisition(acquisition.withResume())) {
                Map<Map<String, Long>, Long> wholeEnds = new HashMap<>();
                stored.partialFrames().forEach(partial -> wholeEnds.put(partial.indices(), partial.from()));
                forEachFrame(indices -> {
                    Map<String, Long> first = new HashMap<>(indices); // of the stream's frames
                    first.replaceAll((name, index) -> index - index % lengths.getOrDefault(name, 1L));
                    long end = stored.position(indices);
                    ends.put(indices, new StoredEnd(end, wholeEnds.getOrDefault(first, end)));
                });
            }
        }
        return ends;
    }

    /** Receives the indices of a frame by the names of dimensions, without that along the streams. */
    private interface FrameAction {
        void accept(Map<String, Long> indices);
    }

    /** Visits the indices of all frames at one index of the streams' dimension. */
    private void forEachFrame(FrameAction action) {
        long[] counts = levels.shape(0);
        for (int d = 0; d < counts.length; d++) {
            counts[d] = isFrame[d] || d == along ? 1 : counts[d];
        }
        Box all = Box.of(counts);
        for (long i = 0; i < all.count(); i++) {
            long[] at = all.at(i);
            Map<String, Long> indices = new HashMap<>();
            for (int d = 0; d < at.length; d++) {
                if (!isFrame[d] && d != along) {
                    indices.put(levels.plan().axes().get(d).name(), at[d]);
                }
            }
            action.accept(Map.copyOf(indices));
        }
    }

    /** Returns the box of frames in a level. */
    private Box box(int level, Map<String, Long> indices, long from, long to) {
        long[] origin = new long[isFrame.length];
        long[] shape = reductions.shape(level);
        for (int d = 0; d < origin.length; d++) {
            origin[d] = d == along
                    ? from
                    : indices.getOrDefault(levels.plan().axes().get(d).name(), 0L);
        }
        shape[along] = to - from;
        return Box.of(origin, shape);
    }

    /** Reduces stored frames of the finer level. Those of which it has no shard are skipped. */
    private void reduce(int level, ZarrArray finer, ZarrArray coarse, Map<String, Long> indices, long from, long to) {
        SliceOptions region = SliceOptions.defaults()
                .withBudgetBytes(SMALL_STREAM_BYTES)
                .withGrowth(acquisition.slices().growth()) // an array that grows is as long as what is stored
                .withRegion(box(level, indices, from, grows() ? from + 1 : to));
        try (SliceWriter writer = coarse.slices(along, region)) {
            reductions.writeMissing(level - 1, finer, box(level - 1, indices, from, to), along, writer);
        }
    }
}
