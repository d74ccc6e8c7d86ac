package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.PyramidAcquisition;
import dev.shardkit.ome.pyramid.PyramidStream;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that are streamed into a bucket: readers beside the stream, programs that stop and go on, pyramids. */
@Timeout(240)
abstract class CloudStreams {
    private static final int EDGE = 32;
    private static final SliceOptions GROWING =
            SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW).withBudgetBytes(64 << 20);
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final Bucket bucket;

    CloudStreams(Supplier<Bucket> bucket) {
        this.bucket = bucket.get();
    }

    private static short[] frame(long t) {
        short[] frame = new short[EDGE * EDGE];
        Random random = new Random(t);
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (short) (1 + random.nextInt(60_000));
        }
        return frame;
    }

    private static ByteBuffer pixels(long t) {
        ByteBuffer pixels = ByteBuffer.allocateDirect(EDGE * EDGE * 2).order(ByteOrder.LITTLE_ENDIAN);
        pixels.asShortBuffer().put(frame(t));
        return pixels;
    }

    private static ArraySpec movie() {
        return ArraySpec.of("uint16", 0, EDGE, EDGE)
                .withShardShape(8, EDGE, EDGE)
                .withChunkShape(4, 16, 16)
                .withDimensionNames("t", "y", "x");
    }

    private static void assertFrames(ZarrArray array, long count) {
        NdArray all = array.read();
        assertEquals(count, array.shape()[0]);
        for (long t = 0; t < count; t++) {
            assertArrayEquals(
                    frame(t),
                    all.slice(Box.of(new long[] {t, 0, 0}, new long[] {1, EDGE, EDGE}))
                            .shorts(),
                    "frame " + t);
        }
    }

    /** Each coarser level has the maxima of the finer one. */
    private static void assertLevelsAgree(Store store, int levels) {
        ZarrArray finer = Zarr.openArray(store, "0", OPTIONS);
        for (int level = 1; level < levels; level++) {
            ZarrArray coarse = Zarr.openArray(store, Integer.toString(level), OPTIONS);
            NdArray fine = finer.read();
            NdArray found = coarse.read();
            long[] shape = coarse.shape();
            assertEquals(finer.shape()[0], shape[0], "level " + level);
            int rank = shape.length;
            long frames = found.count() / shape[rank - 1] / shape[rank - 2];
            int width = (int) shape[rank - 1];
            int height = (int) shape[rank - 2];
            for (int i = 0; i < frames * height * width; i++) {
                int f = i / (height * width);
                int first = (f * 2 * height + i / width % height * 2) * 2 * width + i % width * 2;
                int max = 0;
                for (int next : new int[] {first, first + 1, first + 2 * width, first + 2 * width + 1}) {
                    max = Math.max(max, fine.shorts()[next] & 0xffff);
                }
                assertEquals(max, found.shorts()[i] & 0xffff, "level " + level + ", element " + i);
            }
            finer = coarse;
        }
    }

    @Test
    void flushedFrames_areSeenBesideTheStream_andTheNextStreamGoesOn() {
        try (Store store = bucket.store();
                Store other = bucket.store()) {
            ZarrArray array = Zarr.createArray(store, "movie", movie(), IfExists.OVERWRITE, OPTIONS);
            ZarrArray reader = Zarr.openArray(other, "movie", OPTIONS);
            SliceWriter dropped = array.slices(0, GROWING);
            assertEquals(SliceStrategy.PIPELINED, dropped.strategy());
            for (int t = 0; t < 21; t++) {
                dropped.write(pixels(t));
                if (t == 2 || t == 12 || t == 20) {
                    dropped.flush();
                    reader = reader.refresh();
                    assertFrames(reader, t + 1);
                }
            }
            try (SliceWriter next = Zarr.openArray(other, "movie", OPTIONS).slices(0, GROWING)) {
                assertEquals(21, next.position());
                for (int t = 21; t < 30; t++) {
                    next.write(pixels(t));
                }
            }
            assertFrames(reader.refresh(), 30);
        }
    }

    @Test
    void pyramid_growsInABucket_andIsCompletedAfterAStop() {
        try (Store store = bucket.store()) {
            Zarr.createGroup(store, "", Json.object(), IfExists.OVERWRITE, OPTIONS);
            ZarrArray finest = Zarr.createArray(store, "0", movie(), IfExists.REFUSE, OPTIONS);
            PyramidStream dropped = Pyramid.of(finest).withReducer(Reducer.MAX).stream(store, OPTIONS, GROWING);
            assertEquals(2, dropped.levels().size());
            for (int t = 0; t < 13; t++) {
                dropped.write(pixels(t));
            }
            dropped.levels().get(0).flush(); // the program ends before level 1 is stored
            ZarrArray reopened = Zarr.openArray(store, "0", OPTIONS);
            try (PyramidStream next = Pyramid.of(reopened).withReducer(Reducer.MAX).stream(store, OPTIONS, GROWING)) {
                assertEquals(13, next.position());
                next.write(pixels(13));
                next.flush();
                assertLevelsAgree(store, 2);
            }
            assertFrames(reopened.refresh(), 14);
        }
    }

    @Test
    void acquisition_goesOnWhereEachChannelStopped() {
        AcquisitionOptions options = AcquisitionOptions.defaults().withSlices(GROWING);
        try (Store store = bucket.store()) {
            Zarr.createGroup(store, "", Json.object(), IfExists.OVERWRITE, OPTIONS);
            ArraySpec channels = ArraySpec.of("uint16", 0, 2, EDGE, EDGE)
                    .withShardShape(8, 1, EDGE, EDGE)
                    .withChunkShape(4, 1, 16, 16)
                    .withDimensionNames("t", "c", "y", "x");
            ZarrArray finest = Zarr.createArray(store, "0", channels, IfExists.REFUSE, OPTIONS);
            Pyramid settings = Pyramid.of(finest).withReducer(Reducer.MAX);
            PyramidAcquisition dropped = settings.acquisition(store, OPTIONS, options);
            for (long t = 0; t < 5; t++) {
                dropped.write(Map.of("t", t, "c", 1L), pixels(2 * t + 1));
            }
            dropped.write(Map.of("t", 0L, "c", 0L), pixels(0));
            dropped.flush();
            try (PyramidAcquisition next = settings.acquisition(store, OPTIONS, options.withResume())) {
                assertEquals(5, next.position(Map.of("c", 1L)));
                assertEquals(1, next.position(Map.of("c", 0L)));
                for (long t = 1; t < 5; t++) {
                    next.write(Map.of("t", t, "c", 0L), pixels(2 * t));
                }
            }
            try (Acquisition stored = finest.refresh().acquisition(options.withResume())) {
                assertEquals(5, stored.position());
            }
            assertLevelsAgree(store, 2);
            short[] all = finest.refresh().read().shorts();
            assertTrue(all.length == 10 * EDGE * EDGE);
            for (int i = 0; i < 10; i++) {
                assertEquals(frame(i)[7], all[i * EDGE * EDGE + 7], "frame " + i);
            }
        }
    }
}
