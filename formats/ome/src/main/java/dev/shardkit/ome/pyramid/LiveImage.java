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
 * The arrays of an image that is being recorded: one for each level of its pyramid. An {@link Acquisition} for each
 * level writes the level's array. This class creates the arrays and opens the acquisitions. Before it opens them, it
 * adds frames to coarser levels for which an interrupted acquisition stored the frames in level 0 only. Used by
 * {@link Pyramid} and {@link PlateRecording}. Immutable.
 *
 * <p>It uses the terms of {@link Acquisition}. The examples are for the dimensions {@code t, c, z, y, x}, frames of
 * {@code y, x}, and shards that hold one channel and one plane:
 *
 * <ul>
 *   <li>A <i>frame</i> is one picture: all elements at one index of each other dimension, such as {@code t=5, c=0,
 *       z=3}. Methods take these <i>indices</i> as a map from names of dimensions to indices. The maps of this class
 *       lack the streams' dimension, such as {@code c=0, z=3}.
 *   <li>The <i>streams' dimension</i> is the one along which frames follow one another, such as {@code t}.
 *   <li>A <i>stream</i> writes one row of shards along the streams' dimension, such as those of {@code c=0, z=3}.
 *   <li>A <i>slice</i> is all frames of a stream at one index of the streams' dimension: one frame in the example, and
 *       several if a shard holds several planes. {@link SliceReductions} is an exception: it reduces single frames, and
 *       calls each frame a slice.
 *   <li>A <i>layer</i> is as many slices as an inner chunk is deep. A stream encodes whole layers. If its budget
 *       suffices, it is <i>pipelined</i>: it encodes a layer in the background and accepts the next one meanwhile.
 * </ul>
 */
final class LiveImage {
    /**
     * The memory budget in bytes of a stream that cannot be pipelined, for example because its level has no shards. The
     * writer that adds missing frames has the same budget.
     */
    private static final long SMALL_STREAM_BYTES = 8 << 20;

    private final Store store;
    private final String group;
    private final ZarrOptions options;
    private final AcquisitionOptions acquisition;
    private final PyramidLevels levels;
    private final SliceReductions reductions;
    /** The dimension along which the streams write. */
    private final int along;
    /** For each dimension, whether it is a dimension of a frame, such as y and x. */
    private final boolean[] isFrame;
    /** The length of new coarser levels along the streams' dimension: 0 if they grow. */
    private final long createdLength;

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
        long[] frameShape = source.shape();
        for (int d = 0; d < frameShape.length; d++) {
            if (d != along && frameShape[d] == 0) {
                throw new IllegalArgumentException(
                        "expected an array with frames, found one of shape " + Arrays.toString(source.shape()));
            }
            frameShape[d] = isFrame[d] ? frameShape[d] : 1;
        }
        if (levels.count() > 1) {
            SliceReductions.refuseOthers(source.dataType());
        }
        this.reductions = SliceReductions.of(source.dataType(), plan, frameShape);
        this.createdLength = grows() ? 0 : source.shape()[along];
    }

    /** Returns whether the acquisition extends the arrays. Otherwise their length is fixed. */
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

    /** Returns the metadata that a level should have if it has the length {@code lengthAlong} along the streams. */
    private ArrayMetadata expectedMetadata(int level, long lengthAlong) {
        ArrayMetadata described = Zarr.describe(levels.spec(level), options);
        long[] shape = described.shape();
        shape[along] = lengthAlong;
        return described.withShape(shape);
    }

    /** Throws {@link StoreException} if another node has the path of a coarser level. */
    void checkLevels() {
        for (int level = 1; level < levels.count(); level++) {
            if (Zarr.find(store, path(level), options).isPresent()) {
                array(level); // throws if the node is another array
            }
        }
    }

    /** Creates the coarser levels that do not exist yet. They contain no frames. */
    void createLevels() {
        for (int level = 1; level < levels.count(); level++) {
            if (Zarr.find(store, path(level), options).isEmpty()) {
                Zarr.stageArray(store, path(level), expectedMetadata(level, createdLength), IfExists.REFUSE, options)
                        .publish();
            }
        }
    }

    /** Opens the array of a level. Throws {@link StoreException} if the array is not that level. */
    private ZarrArray array(int level) {
        ZarrArray array = Zarr.openArray(store, path(level), options);
        if (level > 0) {
            ArrayMetadata stored = array.metadata();
            boolean isSame = stored.rank() == isFrame.length
                    && Arrays.equals(
                            MetadataWriter.write(expectedMetadata(level, stored.shape()[along])),
                            MetadataWriter.write(stored));
            if (!isSame) {
                throw new StoreException("expected a level of the image at \"" + path(level) + "\" in "
                        + store.describe() + ", found another array there; nothing was written");
            }
        }
        return array;
    }

    /**
     * Returns the memory budget for each level, in bytes, for all streams of the level together. With this budget, each
     * stream accepts a whole layer while it encodes the layer before ({@code SliceEstimate.smoothBytes}).
     */
    List<Long> smoothBytes() {
        List<Long> bytes = new ArrayList<>();
        for (int level = 0; level < levels.count(); level++) {
            // The budget does not depend on the start, and index 0 is a start that suits every level.
            AcquisitionEstimate estimate = acquisition.withStart(0).estimate(array(level));
            bytes.add(estimate.streams() * estimate.stream().smoothBytes().orElse(SMALL_STREAM_BYTES));
        }
        return bytes;
    }

    /**
     * Opens the acquisition of the image. Each stream of a coarser level starts at the same index as that of level 0.
     *
     * <p>An interrupted acquisition may have stored a frame in some levels and not in others. If level 0 has the whole
     * frame and a coarser level lacks it, this method adds it there. If level 0 lacks the frame, or may have stored
     * only a part of it, this method only collects the frame: {@link SurplusFrames} erases or adds them when the first
     * frame of their stream arrives.
     *
     * @param budgetBytes the memory budget of all levels together
     * @param weights for each level, the share of the budget that it gets, relative to the sum of all weights
     */
    PyramidAcquisition open(long budgetBytes, List<Long> weights, PyramidAcquisition.Admission admission) {
        ZarrArray finest = array(0);
        List<Acquisition> opened = new ArrayList<>();
        opened.add(finest.acquisition(withBudget(acquisition, budgetBytes, weights, 0)));
        SurplusFrames surplus = new SurplusFrames(finest, along, streamLengths(finest));
        forEachFrame(surplus::addStream);
        Map<Map<String, Long>, StoredEnd> ends = levels.count() > 1 ? ends(finest) : Map.of();
        ZarrArray finer = finest;
        for (int level = 1; level < levels.count(); level++) {
            ZarrArray coarse = completed(level, finer, finest.shape()[along], ends, surplus);
            AcquisitionOptions levelOptions = withBudget(acquisition, budgetBytes, weights, level);
            opened.add(coarse.acquisition(levelOptions.withStarts(opened.get(0)::position)));
            finer = coarse;
        }
        return new PyramidAcquisition(opened, reductions, surplus, admission);
    }

    /**
     * Returns how many indices of each dimension belong to one stream: the length of a shard. The keys are the names of
     * the dimensions, without the streams' dimension and those of a frame.
     */
    private Map<String, Long> streamLengths(ZarrArray level) {
        long[] shard = ((RegularGrid) level.metadata().chunkGrid()).chunkShape(); // the constructor has checked this
        Map<String, Long> lengths = new HashMap<>();
        for (int d = 0; d < shard.length; d++) {
            if (!isFrame[d] && d != along) {
                lengths.put(levels.plan().axes().get(d).name(), shard[d]);
            }
        }
        return lengths;
    }

    /** Returns the options with the part of the budget that one level gets. */
    private static AcquisitionOptions withBudget(
            AcquisitionOptions options, long budgetBytes, List<Long> weights, int level) {
        double sum = weights.stream().mapToDouble(Long::doubleValue).sum();
        long levelBytes = (long) (budgetBytes * (weights.get(level) / sum));
        return options.withSlices(options.slices().withBudgetBytes(levelBytes));
    }

    /**
     * Adds frames to a coarser level until it has all complete frames of level 0, and makes it at least as long as
     * level 0. Returns the array of the level after that.
     *
     * @param finer the next finer level, which already has all complete frames of level 0
     * @param finestLength the length of level 0 along the streams
     * @param finestEnds where the stored frames of level 0 end, by the indices of {@link FrameAction}
     * @param surplus receives the frames of the coarser level that level 0 lacks or may have in part
     */
    private ZarrArray completed(
            int level,
            ZarrArray finer,
            long finestLength,
            Map<Map<String, Long>, StoredEnd> finestEnds,
            SurplusFrames surplus) {
        ZarrArray coarse = array(level);
        if (coarse.shape()[along] > finestLength) {
            surplus.addLonger(coarse);
        }
        Map<Map<String, Long>, StoredEnd> coarseEnds = ends(coarse);
        forEachFrame(indices -> {
            StoredEnd stored = coarseEnds.getOrDefault(indices, StoredEnd.NONE);
            StoredEnd finest = finestEnds.getOrDefault(indices, StoredEnd.NONE);
            long end = finest.index();
            if (stored.index() > end) {
                surplus.add(indices, coarse, box(level, indices, end, stored.index()));
            }
            // A killed process may have stored parts of its last frames in level 0, so frames are added here only up to
            // wholeEnd. Another program may be storing the others at this moment, and would store their reductions
            // too. So they are added only when a frame of their stream comes, which shows that the stream is ours.
            boolean isEnded = !grows() && end == finestLength; // no further frame will come, so all are added now
            long wholeEnd = isEnded ? end : finest.wholeEnd();
            if (stored.wholeEnd() < wholeEnd) {
                reduce(level, finer, coarse, indices, stored.wholeEnd(), wholeEnd);
            }
            long rest = Math.max(stored.wholeEnd(), wholeEnd);
            if (rest < end) {
                surplus.addMissing(indices, () -> reduce(level, finer, coarse, indices, rest, end));
            }
        });
        ZarrArray written = coarse.refresh();
        return written.shape()[along] < finestLength ? withLength(written, finestLength) : written;
    }

    /** Sets the length of an array along the streams' dimension. */
    private ZarrArray withLength(ZarrArray array, long lengthAlong) {
        long[] shape = array.shape();
        shape[along] = lengthAlong;
        return array.resize(shape, ResizePolicy.REMOVE);
    }

    /**
     * Where the stored frames of a stream end, as indices in the streams' dimension.
     *
     * @param index the index behind the last stored frame
     * @param wholeEnd the index before which all frames are completely stored; frames from there on may be incomplete
     */
    private record StoredEnd(long index, long wholeEnd) {
        private static final StoredEnd NONE = new StoredEnd(0, 0);
    }

    /** Returns where the stored frames of an array end, by the indices of {@link FrameAction}. */
    private Map<Map<String, Long>, StoredEnd> ends(ZarrArray array) {
        Map<Map<String, Long>, StoredEnd> ends = new HashMap<>();
        if (array.shape()[along] > 0) {
            Map<String, Long> lengths = streamLengths(array);
            try (Acquisition stored = array.acquisition(acquisition.withResume())) {
                Map<Map<String, Long>, Long> wholeEnds = new HashMap<>();
                stored.partialFrames().forEach(partial -> wholeEnds.put(partial.indices(), partial.from()));
                forEachFrame(indices -> {
                    // partialFrames names each stream by the indices of its first frame
                    Map<String, Long> firstFrame = new HashMap<>(indices);
                    firstFrame.replaceAll((name, index) -> index - index % lengths.getOrDefault(name, 1L));
                    long end = stored.position(indices);
                    ends.put(indices, new StoredEnd(end, wholeEnds.getOrDefault(firstFrame, end)));
                });
            }
        }
        return ends;
    }

    /** Receives the indices of a frame by the names of dimensions, without the index in the streams' dimension. */
    private interface FrameAction {
        void accept(Map<String, Long> indices);
    }

    /** Calls {@code action} for each frame at one index of the streams' dimension. */
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

    /**
     * Returns the box, in the array of a level, of the frames with these {@code indices} from index {@code from} of the
     * streams' dimension to index {@code to}, exclusive.
     */
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

    /**
     * Writes the frames from {@code from} to {@code to} of a coarser level, reduced from the frames of the finer level.
     * Skips a frame if the finer level stores no shard for it: the frame is the fill value there.
     */
    private void reduce(int level, ZarrArray finer, ZarrArray coarse, Map<String, Long> indices, long from, long to) {
        SliceOptions sliceOptions = SliceOptions.defaults()
                .withBudgetBytes(SMALL_STREAM_BYTES)
                // A growing level ends at its last stored frame, so the writer extends the level, and uses only the
                // start of the region. In a level of fixed length, the writer also uses the end.
                .withGrowth(acquisition.slices().growth())
                .withRegion(box(level, indices, from, to));
        try (SliceWriter writer = coarse.slices(along, sliceOptions)) {
            reductions.writeMissing(level - 1, finer, box(level - 1, indices, from, to), along, writer);
        }
    }
}
