package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.FrameOrderException;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmePlate;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plates whose fields grow while they are imaged. */
@Timeout(300)
class PlateRecordingTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final AcquisitionOptions GROWING = AcquisitionOptions.defaults()
            .withSlices(SliceOptions.defaults().withGrowth(Growth.GROW).withBudgetBytes(1 << 20));
    private static final Plate PLATE = Plate.grid(2, 3, "A/1", "B/3");
    private static final int EDGE = 8;
    private static final ArraySpec IMAGE = image(0);

    @TempDir
    Path dir;

    private static ArraySpec image(long length) {
        return ArraySpec.of("uint8", length, 2, EDGE, EDGE)
                .withShardShape(4, 1, EDGE, EDGE)
                .withChunkShape(2, 1, 4, 4)
                .withDimensionNames("t", "c", "y", "x");
    }

    private static PlateRecording begin(Store store, Plate plate, ArraySpec image, double pixelSize) {
        return begin(store, plate, image, pixelSize, GROWING, OPTIONS);
    }

    private static PlateRecording begin(
            Store store,
            Plate plate,
            ArraySpec image,
            double pixelSize,
            AcquisitionOptions acquisition,
            ZarrOptions options) {
        return PlateRecording.begin(store, plate, 2, image, array -> settings(array, pixelSize), options, acquisition);
    }

    private static Pyramid settings(ZarrArray array, double pixelSize) {
        return Pyramid.of(array).withPixelSize(1, 1, pixelSize, pixelSize).withReducer(Reducer.MAX);
    }

    /** Begins a plate whose images have level 0 only. */
    private static PlateRecording beginFinest(Store store) {
        return PlateRecording.begin(
                store, PLATE, 2, IMAGE, array -> settings(array, 0.5).withLevels(1), OPTIONS, GROWING);
    }

    private static Map<String, Long> at(long t, long c) {
        return Map.of("t", t, "c", c);
    }

    private static ByteBuffer frame(int value) {
        ByteBuffer frame = ByteBuffer.allocate(EDGE * EDGE);
        while (frame.hasRemaining()) {
            frame.put((byte) value);
        }
        return frame.flip();
    }

    private static void assertValid(Store store) {
        assertEquals(
                List.of(),
                OmeValidation.of(Zarr.openGroup(store, "", OPTIONS)).run().stream()
                        .filter(finding -> finding.severity() == OmeFinding.Severity.ERROR)
                        .toList());
    }

    private static ZarrArray level(Store store, String well, int field, int level) {
        return OmePlate.open(Zarr.openGroup(store, "", OPTIONS))
                .well(well)
                .field(field)
                .levels()
                .get(level)
                .array();
    }

    private static int first(ZarrArray array, long t, long c) {
        return (int) array.read().longAt(t, c, 0, 0);
    }

    @Test
    void plate_isValidBeforeTheFirstFrame_andFieldsGrowBesideOneAnother() {
        Store store = FileStore.at(dir);
        try (PlateRecording recording = begin(store, PLATE, IMAGE, 0.5)) {
            assertEquals(List.of("A/1/0", "A/1/1", "B/3/0", "B/3/1"), recording.fieldPaths());
            assertValid(store);
            OmePlate plate = OmePlate.open(Zarr.openGroup(store, "", OPTIONS));
            assertEquals(List.of("A/1", "B/3"), plate.wellPaths());
            assertEquals(Optional.of(2L), plate.plate().fieldCount());
            assertEquals(3, plate.plate().columns().size());
            assertEquals(0, level(store, "B/3", 1, 0).shape()[0]);
            assertArrayEquals(
                    new double[] {1, 1, 0.5, 0.5},
                    plate.well("A/1").field(0).levels().get(0).scale());
            recording.write("A/1", 0, at(0, 1), frame(11));
            recording.write("B/3", 1, at(0, 0), frame(20));
            recording.write("A/1", 0, at(0, 0), frame(10));
            assertThrows(FrameOrderException.class, () -> recording.write("A/1", 0, at(0, 0), frame(9)));
            assertThrows(IllegalArgumentException.class, () -> recording.write("A/2", 0, at(0, 0), frame(9)));
            assertThrows(IllegalArgumentException.class, () -> recording.write("A/1", 2, at(0, 0), frame(9)));
            recording.flush();
            assertEquals(1, recording.field("A/1", 0).committed());
            assertEquals(11, first(level(store, "A/1", 0, 0), 0, 1));
            assertEquals(20, first(level(store, "B/3", 1, 0), 0, 0));
            assertValid(store);
            recording.close("A/1", 0);
            NdArray image = NdArray.of(
                    level(store, "A/1", 0, 0).dataType(),
                    new long[] {EDGE, EDGE},
                    frame(12).array());
            recording.write("A/1", 0, at(1, 0), image);
        }
        assertArrayEquals(
                new long[] {2, 2, EDGE, EDGE}, level(store, "A/1", 0, 0).shape());
        assertEquals(12, first(level(store, "A/1", 0, 0), 1, 0));
        assertValid(store);
    }

    /** A recording that ended at any point is begun again by the same call. */
    @Test
    void sameCall_resumesTheRecording_andOthersAreRefused() {
        Store store = MemoryStore.create();
        PlateRecording ended = begin(store, PLATE, IMAGE, 0.5);
        ended.write("A/1", 1, at(0, 0), frame(7));
        ended.flush();
        try (PlateRecording recording = begin(store, PLATE, IMAGE, 0.5)) {
            assertEquals(1, recording.field("A/1", 1).position(Map.of("c", 0L)));
            assertEquals(0, recording.field("A/1", 1).position(Map.of("c", 1L)));
            recording.write("A/1", 1, at(1, 0), frame(8));
        }
        assertEquals(7, first(level(store, "A/1", 1, 0), 0, 0));
        assertEquals(8, first(level(store, "A/1", 1, 0), 1, 0));
        assertThrows(StoreException.class, () -> begin(store, PLATE, IMAGE, 0.25));
        assertThrows(StoreException.class, () -> begin(store, Plate.grid(3, 3, "A/1", "B/3"), IMAGE, 0.5));
        assertThrows(StoreException.class, () -> begin(store, PLATE, IMAGE.withFillValue(3), 0.5));
        assertValid(store);
    }

    /** A field that was closed goes on behind its frames: they are not replaced by fill values. */
    @Test
    void closedField_thatIsOpenedAgain_keepsItsFrames() {
        for (Growth growth : Growth.values()) {
            Store store = MemoryStore.create();
            AcquisitionOptions options = AcquisitionOptions.defaults()
                    .withSlices(SliceOptions.defaults().withGrowth(growth))
                    .withStart(0);
            ArraySpec image = image(growth == Growth.GROW ? 0 : 4);
            try (PlateRecording recording = begin(store, PLATE, image, 0.5, options, OPTIONS)) {
                for (int t = 0; t < 3; t++) {
                    recording.write("A/1", 0, at(t, 0), frame(10 + t));
                    if (t != 1) {
                        recording.write("A/1", 0, at(t, 1), frame(20 + t));
                    }
                    recording.close("A/1", 0);
                    assertThrows(FrameOrderException.class, () -> recording.write("A/1", 0, at(0, 0), frame(9)));
                }
            }
            ZarrArray level = level(store, "A/1", 0, 0);
            for (int t = 0; t < 3; t++) {
                assertEquals(10 + t, first(level, t, 0), growth + " " + t);
                assertEquals(t == 1 ? 0 : 20 + t, first(level, t, 1), growth + " " + t);
            }
        }
    }

    /** A frame that comes late would be accepted and never stored. */
    @Test
    void framesAfterClose_areRefused_alsoOfFieldsThatCloseHasPassed() {
        Store store = MemoryStore.create();
        PlateRecording recording = begin(store, PLATE, IMAGE, 0.5);
        recording.write("A/1", 0, at(0, 0), frame(1));
        recording.close();
        assertThrows(IllegalStateException.class, () -> recording.write("A/1", 0, at(1, 0), frame(2)));
        assertThrows(IllegalStateException.class, () -> recording.field("A/1", 1));
        recording.close();
        assertEquals(1, level(store, "A/1", 0, 0).shape()[0]);

        Store other = MemoryStore.create();
        AtomicReference<PlateRecording> open = new AtomicReference<>();
        List<RuntimeException> refused = new ArrayList<>();
        StoreListener late = new StoreListener() {
            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                if (open.get() != null && key.startsWith("B/3/1")) { // the field closed last
                    try {
                        open.get().write("A/1", 0, at(0, 0), frame(1));
                    } catch (RuntimeException e) {
                        refused.add(e);
                    }
                }
            }
        };
        PlateRecording closing = begin(other, PLATE, IMAGE, 0.5, GROWING, OPTIONS.withListener(late));
        closing.write("B/3", 1, at(0, 0), frame(1));
        open.set(closing);
        closing.close();
        assertFalse(refused.isEmpty());
        refused.forEach(e -> assertInstanceOf(IllegalStateException.class, e));
    }

    /** The levels are added in the program that records, after the field is closed. */
    @Test
    void fieldThatGotCoarserLevels_isNotOpenedAgain() {
        Store store = FileStore.at(dir);
        try (PlateRecording recording = beginFinest(store)) {
            recording.write("A/1", 0, at(0, 0), frame(40));
            recording.close("A/1", 0);
            Store field = FileStore.at(dir.resolve("A/1/0"));
            settings(Zarr.openArray(field, "0", OPTIONS), 0.5).addLevels(field, OPTIONS);
            assertThrows(IllegalStateException.class, () -> recording.write("A/1", 0, at(1, 0), frame(41)));
        }
        assertEquals(1, level(store, "A/1", 0, 0).shape()[0]);
    }

    @Test
    void plateThatIsRefused_isNotChanged() throws IOException {
        Path plate = dir.resolve("plate");
        Store store = FileStore.at(plate);
        begin(store, PLATE, IMAGE, 0.5).close();
        List<Path> before = files(plate);
        assertThrows(StoreException.class, () -> begin(store, Plate.grid(8, 12), IMAGE, 0.5));
        assertThrows(StoreException.class, () -> begin(store, PLATE, IMAGE.withFillValue(3), 0.5));
        assertEquals(before, files(plate));

        Path begun = dir.resolve("begun"); // another image is in the place of the last field
        Store other = FileStore.at(begun);
        Zarr.createGroup(other, "", Json.object(), IfExists.REFUSE, OPTIONS);
        Zarr.createArray(other, "B/3/1/0", IMAGE.withFillValue(3), IfExists.REFUSE, OPTIONS);
        before = files(begun);
        assertThrows(StoreException.class, () -> begin(other, PLATE, IMAGE, 0.5));
        assertEquals(before, files(begun));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted().toList();
        }
    }

    /** Microscopes put files beside the images; a power failure may lose the metadata of a group. */
    @Test
    void filesThatAreNoNodes_andLostGroups_areNoObstacle() throws IOException {
        Files.writeString(dir.resolve("settings.xml"), "x");
        Store store = FileStore.at(dir);
        begin(store, PLATE, IMAGE, 0.5).close();
        assertValid(store);
        Files.delete(dir.resolve("A/zarr.json"));
        begin(store, PLATE, IMAGE, 0.5).close();
        assertTrue(Files.exists(dir.resolve("A/zarr.json")));
        assertTrue(Files.exists(dir.resolve("settings.xml")));
        assertValid(store);
    }

    @Test
    void coarserLevels_areAddedToAFieldThatIsComplete() {
        Store store = FileStore.at(dir);
        try (PlateRecording recording = beginFinest(store)) {
            recording.write("A/1", 0, at(0, 0), frame(40));
        }
        Store field = FileStore.at(dir.resolve("A/1/0"));
        ZarrArray finest = Zarr.openArray(field, "0", OPTIONS);
        Pyramid settings = settings(finest, 0.25);
        assertThrows(StoreException.class, () -> settings.addLevels(field, OPTIONS), "another pixel size");
        settings(finest, 0.5).addLevels(field, OPTIONS);
        assertEquals(40, first(level(store, "A/1", 0, 1), 0, 0));
        assertValid(store);
        try (PlateRecording recording = beginFinest(store)) {
            assertThrows(IllegalStateException.class, () -> recording.write("A/1", 0, at(1, 0), frame(1)));
            recording.write("A/1", 1, at(0, 0), frame(50));
        }
        assertEquals(50, first(level(store, "A/1", 1, 0), 0, 0));
    }

    /** Returns a frame whose pixels differ. */
    private static ByteBuffer noise(long t, long c) {
        byte[] pixels = new byte[EDGE * EDGE];
        new Random(t * 2 + c).nextBytes(pixels);
        return ByteBuffer.wrap(pixels);
    }

    /** All levels of a field have the frames of level 0, reduced. */
    private static void assertLevelsAgree(Store store, String well, int field, long frames) {
        NdArray finest = level(store, well, field, 0).read();
        NdArray coarse = level(store, well, field, 1).read();
        assertArrayEquals(new long[] {frames, 2, EDGE, EDGE}, finest.shape());
        assertArrayEquals(new long[] {frames, 2, EDGE / 2, EDGE / 2}, coarse.shape());
        for (long t = 0; t < frames; t++) {
            for (long c = 0; c < 2; c++) {
                for (int i = 0; i < EDGE * EDGE / 4; i++) {
                    long y = i / (EDGE / 2);
                    long x = i % (EDGE / 2);
                    long max = Math.max(
                            Math.max(finest.longAt(t, c, 2 * y, 2 * x), finest.longAt(t, c, 2 * y, 2 * x + 1)),
                            Math.max(finest.longAt(t, c, 2 * y + 1, 2 * x), finest.longAt(t, c, 2 * y + 1, 2 * x + 1)));
                    assertEquals(max, coarse.longAt(t, c, y, x), well + " " + field + ": " + t + " " + c + " " + i);
                }
            }
        }
    }

    @Test
    void levelsOfFields_growWithTheFrames() {
        Store store = FileStore.at(dir);
        try (PlateRecording recording = begin(store, PLATE, IMAGE, 0.5)) {
            assertEquals(0, level(store, "B/3", 1, 1).shape()[0]);
            for (long t = 0; t < 6; t++) {
                for (String path : recording.fieldPaths()) {
                    String well = path.substring(0, 3);
                    int field = Integer.parseInt(path.substring(4));
                    long c = (t + field) % 2;
                    recording.write(well, field, at(t, c), noise(t, c));
                    recording.write(well, field, at(t, 1 - c), noise(t, 1 - c));
                }
                if (t % 2 == 0) {
                    recording.flush();
                    assertLevelsAgree(store, "A/1", 1, t + 1);
                    assertValid(store);
                }
            }
            recording.field("A/1", 0).complete(8);
        }
        assertLevelsAgree(store, "A/1", 0, 8);
        assertLevelsAgree(store, "B/3", 1, 6);
        assertEquals(noise(5, 1).get(0) & 0xff, first(level(store, "B/3", 1, 0), 5, 1));
    }

    /** With a budget for few fields, the others keep no memory; frames of incomplete slices are kept. */
    @Test
    void moreFieldsThanTheBudgetSufficesFor_takeTurns() {
        for (long budget : new long[] {1, 70 << 20, 130 << 20}) { // one place, a few, a few more
            Store store = MemoryStore.create();
            AcquisitionOptions options = AcquisitionOptions.defaults()
                    .withSlices(SliceOptions.defaults().withGrowth(Growth.GROW).withBudgetBytes(budget));
            ArraySpec image = ArraySpec.of("uint8", 0, 2, EDGE, EDGE)
                    .withShardShape(4, 2, EDGE, EDGE) // a slice has two frames
                    .withChunkShape(2, 2, 4, 4)
                    .withDimensionNames("t", "c", "y", "x");
            Plate plate = Plate.grid(2, 4);
            try (PlateRecording recording = begin(store, plate, image, 0.5, options, OPTIONS)) {
                for (long t = 0; t < 4; t++) {
                    for (long c = 0; c < 2; c++) {
                        for (Plate.WellPosition well : plate.wells()) {
                            recording.write(well.path(), 0, at(t, c), noise(t, c));
                            recording.write(well.path(), 1, at(t, c), noise(t, c));
                        }
                    }
                    Plate.WellPosition first = plate.wells().get(0);
                    if (budget == 1) { // no flush has stored the frame, but other fields have needed its memory
                        assertEquals(t + 1, recording.field(first.path(), 0).committed());
                    }
                }
            }
            for (Plate.WellPosition well : plate.wells()) {
                assertLevelsAgree(store, well.path(), 1, 4);
                assertEquals(noise(3, 1).get(0) & 0xff, first(level(store, well.path(), 0, 0), 3, 1));
            }
        }
    }

    /** A field that needs memory waits for another one, on the only thread that could store it. */
    @Test
    void executorOfOneThread_suffices() throws Exception {
        for (long budget : new long[] {1, 70 << 20, 130 << 20}) {
            Store store = MemoryStore.create();
            ExecutorService only = Executors.newSingleThreadExecutor();
            AcquisitionOptions options = AcquisitionOptions.defaults()
                    .withSlices(SliceOptions.defaults().withGrowth(Growth.GROW).withBudgetBytes(budget));
            Plate plate = Plate.grid(2, 4);
            try {
                only.submit(() -> {
                            try (PlateRecording recording =
                                    begin(store, plate, IMAGE, 0.5, options, OPTIONS.withExecutor(only))) {
                                for (long t = 0; t < 3; t++) {
                                    for (Plate.WellPosition well : plate.wells()) {
                                        recording.write(well.path(), 0, at(t, 0), noise(t, 0));
                                        recording.write(well.path(), 0, at(t, 1), noise(t, 1));
                                    }
                                }
                            }
                        })
                        .get(120, TimeUnit.SECONDS);
            } finally {
                only.shutdownNow();
            }
            for (Plate.WellPosition well : plate.wells()) {
                assertLevelsAgree(store, well.path(), 0, 3);
            }
        }
    }

    @Test
    void interrupt_endsTheWaitForAFieldThatAnotherThreadOpens() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        StoreListener gate = new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                if (key.startsWith("A/1/0/0/c/")) {
                    opening.countDown();
                    awaitQuietly(mayGoOn);
                }
            }
        };
        Store store = RemoteAdapter.of(MemoryStore.conditional("remote"));
        try (PlateRecording earlier = begin(store, PLATE, IMAGE, 0.5)) {
            earlier.write("A/1", 0, at(0, 0), frame(1));
        }
        PlateRecording recording = begin(store, PLATE, IMAGE, 0.5, GROWING, OPTIONS.withListener(gate));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> first = threads.submit(() -> recording.write("A/1", 0, at(1, 0), frame(2)));
            assertTrue(opening.await(120, TimeUnit.SECONDS));
            AtomicReference<Boolean> isInterrupted = new AtomicReference<>(false);
            Future<?> second = threads.submit(() -> {
                Thread.currentThread().interrupt();
                try {
                    recording.write("A/1", 0, at(0, 1), frame(3));
                } finally {
                    isInterrupted.set(Thread.interrupted());
                }
            });
            ExecutionException e = assertThrows(ExecutionException.class, () -> second.get(120, TimeUnit.SECONDS));
            assertInstanceOf(CancellationException.class, e.getCause());
            assertTrue(isInterrupted.get());
            mayGoOn.countDown();
            first.get(120, TimeUnit.SECONDS);
        } finally {
            mayGoOn.countDown();
            threads.shutdownNow();
        }
        recording.close();
        assertEquals(2, first(level(store, "A/1", 0, 0), 1, 0));
    }

    @Test
    void optionsThatAreRefused_writeNothing() throws IOException {
        Store store = FileStore.at(dir);
        AcquisitionOptions inFrame = GROWING.withStreamsAlong("y");
        assertThrows(IllegalArgumentException.class, () -> begin(store, PLATE, IMAGE, 0.5, inFrame, OPTIONS));
        ZarrOptions owned = OPTIONS.withOwnership(WriteOwnership.OWNED);
        assertThrows(UnsupportedException.class, () -> begin(store, PLATE, IMAGE, 0.5, GROWING, owned));
        AcquisitionOptions outside = AcquisitionOptions.defaults().withStart(5);
        assertThrows(IndexOutOfBoundsException.class, () -> begin(store, PLATE, image(4), 0.5, outside, OPTIONS));
        assertThrows(
                IllegalArgumentException.class,
                () -> PlateRecording.begin(
                        store, PLATE, 2, IMAGE, array -> settings(array, 1).withFactors(2, 1, 1, 1), OPTIONS, GROWING));
        Plate none = new Plate(
                Optional.empty(), PLATE.rows(), PLATE.columns(), List.of(), List.of(), Optional.empty(), Json.object());
        assertThrows(IllegalArgumentException.class, () -> begin(store, none, IMAGE, 0.5));
        assertEquals(List.of(dir), files(dir));
    }

    /** A camera's thread waits for no store work of another field, and anybody may ask for the state of any field. */
    @Test
    void fieldThatIsStored_delaysNoOtherField_andTellsItsState() throws Exception {
        CountDownLatch storing = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        StoreListener gate = new StoreListener() {
            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                if (key.startsWith("A/1/0/0/c/")) {
                    storing.countDown();
                    awaitQuietly(mayGoOn);
                }
            }
        };
        Store store = MemoryStore.create();
        AcquisitionOptions forAllFields = AcquisitionOptions.defaults()
                .withSlices(SliceOptions.defaults().withGrowth(Growth.GROW).withBudgetBytes(512 << 20));
        PlateRecording recording = begin(store, PLATE, IMAGE, 0.5, forAllFields, OPTIONS.withListener(gate));
        recording.write("A/1", 0, at(0, 0), frame(1));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> flush = threads.submit(() -> recording.close("A/1", 0));
            assertTrue(storing.await(60, TimeUnit.SECONDS));
            threads.submit(() -> {
                        recording.write("B/3", 1, at(0, 0), frame(2));
                        recording.write("B/3", 1, at(0, 1), frame(3));
                        assertEquals(1, recording.field("B/3", 1).position());
                        assertEquals(0, recording.field("A/1", 0).committed());
                        assertEquals(1, recording.field("A/1", 0).position(Map.of("c", 0L)));
                    })
                    .get(60, TimeUnit.SECONDS);
            assertFalse(flush.isDone());
            mayGoOn.countDown();
            flush.get(60, TimeUnit.SECONDS);
            assertEquals(1, recording.field("A/1", 0).committed(Map.of("c", 0L)));
            recording.close();
        } finally {
            mayGoOn.countDown();
            threads.shutdownNow();
        }
        assertEquals(2, first(level(store, "B/3", 1, 0), 0, 0));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(120, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void grid_namesRowsAndColumns() {
        Plate plate = Plate.grid(28, 2);
        assertEquals(56, plate.wells().size());
        assertEquals("AB/2", plate.wells().get(55).path());
        assertEquals("Z", plate.rows().get(25).name());
        assertThrows(IllegalArgumentException.class, () -> Plate.grid(2, 2, "C/1"));
        assertThrows(IllegalArgumentException.class, () -> Plate.grid(0, 2));
        Plate twice = new Plate(
                Optional.empty(),
                plate.rows(),
                plate.columns(),
                plate.wells(),
                List.of(acquisition(1), acquisition(2)),
                Optional.empty(),
                Json.object());
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> begin(MemoryStore.create(), twice, IMAGE, 1));
        assertTrue(e.getMessage().contains("found 2"), e.getMessage());
    }

    private static Plate.Acquisition acquisition(long id) {
        return new Plate.Acquisition(
                id,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Json.object());
    }
}
