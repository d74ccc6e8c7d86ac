package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionEstimate;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceEstimate;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.OmePlate;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.pyramid.PlateRecording;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.PyramidStream;
import dev.shardkit.slices.SliceBacklog;
import dev.shardkit.slices.SliceListener;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a camera; the marked lines are shown in the documents. */
class RecordingTest {
    private static final int EDGE = 128;

    @TempDir
    private Path folder;

    /** A frame in a buffer of the driver. */
    interface Frame {
        /** Counts all frames of the sensor, also those that the driver had to drop. */
        long number();

        ByteBuffer pixels();

        void release();
    }

    /** A camera with a ring of few buffers; of its frames, each seventh is lost. */
    private static final class Camera {
        private final Deque<ByteBuffer> ring = new ArrayDeque<>();
        private long number = -1;

        Camera() {
            for (int i = 0; i < 3; i++) {
                ring.add(ByteBuffer.allocateDirect(EDGE * EDGE * 2).order(ByteOrder.nativeOrder()));
            }
        }

        Frame next() {
            number += (number + 1) % 7 == 6 ? 2 : 1;
            long own = number;
            ByteBuffer pixels = ring.removeFirst(); // fails if a frame is not released in time
            pixels.putShort(0, (short) own);
            return new Frame() {
                @Override
                public long number() {
                    return own;
                }

                @Override
                public ByteBuffer pixels() {
                    return pixels;
                }

                @Override
                public void release() {
                    ring.add(pixels);
                }
            };
        }
    }

    // example: camera
    static void record(String location, Camera camera, long count) {
        ArraySpec spec = ArraySpec.of("uint16", 0, EDGE, EDGE)
                .withShardShape(64, EDGE, EDGE) // a file for 64 frames
                .withChunkShape(16, 64, 64) // what readers fetch at once
                .withCodecs(Codecs.bytesLittleEndian(), Codecs.blosc("lz4", 1, Short.BYTES))
                .withDimensionNames("t", "y", "x");
        SliceOptions options = SliceOptions.defaults()
                .withGrowth(SliceOptions.Growth.GROW)
                .withFlushAfter(Duration.ofSeconds(2)) // a flush begins at most so long after a frame
                .withListener(new SliceListener() {
                    @Override
                    public void onFull(SliceBacklog backlog) {
                        System.err.println("the disk is too slow: " + backlog.slices() + " frames wait");
                    }
                });
        try (ZarrArray array = Zarr.createArray(location, spec);
                SliceWriter frames = array.slices(0, options)) {
            SliceEstimate memory = options.estimate(array, 0);
            System.out.println(memory.strategy() + ", bytes: " + memory.heapBytes() + ", " + memory.directBytes());
            while (frames.position() < count) {
                Frame frame = camera.next();
                frames.skip(frame.number() - frames.position()); // frames that the camera dropped
                frames.write(frame.pixels()); // copies the frame, so its buffer is free again
                frame.release();
            }
        }
    }
    // end

    @Test
    void camera_isRecorded() {
        String location = folder.resolve("movie.zarr").toString();
        record(location, new Camera(), 100);
        try (ZarrArray array = Zarr.openArray(location)) {
            assertEquals(100, array.shape()[0]);
            for (long t = 0; t < 100; t++) {
                long pixel = array.read(Box.of(new long[] {t, 0, 0}, new long[] {1, 1, 1}))
                        .longAt(0, 0, 0);
                assertEquals(t % 7 == 6 ? 0 : t, pixel, "frame " + t);
            }
        }
    }

    // example: acquisition
    static void acquire(String location, Microscope microscope, long timePoints, long planes) {
        ArraySpec spec = ArraySpec.of("uint16", 0, 2, planes, EDGE, EDGE)
                .withShardShape(64, 1, 1, EDGE, EDGE) // a stream for each channel and plane
                .withChunkShape(1, 1, 1, EDGE, EDGE)
                .withDimensionNames("t", "c", "z", "y", "x");
        SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
        AcquisitionOptions options =
                AcquisitionOptions.defaults().withWindow(2).withSlices(growing); // a camera may be a time point ahead
        try (ZarrArray array = Zarr.createArray(location, spec)) {
            AcquisitionEstimate memory = options.estimate(array);
            System.out.println(
                    memory.streams() + " streams, bytes: " + memory.heapBytes() + ", " + memory.directBytes());
            try (Acquisition acquisition = array.acquisition(options)) {
                for (long t = 0; t < timePoints; t++) {
                    for (long z = 0; z < planes; z++) {
                        microscope.moveTo(z);
                        for (long i = 0; i < 2; i++) {
                            Image image = microscope.next(); // of the camera that is ready first
                            acquisition.write(Map.of("t", t, "c", image.channel(), "z", z), image.pixels());
                        }
                    }
                    acquisition.flush(); // committed() == t + 1: readers find all frames of this time point
                }
            }
        }
    }
    // end

    /** An image of one of two cameras. */
    record Image(long channel, ByteBuffer pixels) {}

    /** A microscope with two cameras, one for each channel. */
    private static final class Microscope {
        private long plane;
        private long images;

        void moveTo(long z) {
            plane = z;
        }

        Image next() {
            long channel = images / 2 % 2 == 0 ? images % 2 : 1 - images % 2;
            ByteBuffer pixels = ByteBuffer.allocateDirect(EDGE * EDGE * 2).order(ByteOrder.nativeOrder());
            pixels.putShort(0, (short) (images / 8 * 100 + plane * 10 + channel)); // of 4 planes
            images++;
            return new Image(channel, pixels);
        }
    }

    @Test
    void acquisition_hasAllChannelsAndPlanes() {
        String location = folder.resolve("channels.zarr").toString();
        acquire(location, new Microscope(), 3, 4);
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(new long[] {3, 2, 4, EDGE, EDGE}, array.shape());
            for (long t = 0; t < 3; t++) {
                for (long c = 0; c < 2; c++) {
                    for (long z = 0; z < 4; z++) {
                        long pixel = array.read(Box.of(new long[] {t, c, z, 0, 0}, new long[] {1, 1, 1, 1, 1}))
                                .longAt(0, 0, 0, 0, 0);
                        assertEquals(t * 100 + z * 10 + c, pixel);
                    }
                }
            }
        }
    }

    @Test
    void pyramid_growsWithTheFrames() {
        String location = folder.resolve("live.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            // example: pyramid
            ZarrArray finest = group.createArray(
                    "0",
                    ArraySpec.of("uint16", 0, 128, 128)
                            .withShardShape(64, 128, 128)
                            .withChunkShape(16, 32, 32)
                            .withDimensionNames("t", "y", "x"),
                    IfExists.REFUSE);
            SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
            Store store = FileStore.at(Path.of(location));
            try (PyramidStream frames =
                    Pyramid.of(finest).withPixelSize(1, 0.5, 0.5).stream(store, ZarrOptions.defaults(), growing)) {
                for (int i = 0; i < 20; i++) { // viewers can open the image already
                    frames.write(NdArray.of(finest.dataType(), new long[] {128, 128}, new short[128 * 128]));
                }
            }
            // end
        }
        try (ZarrGroup group = Zarr.openGroup(location)) {
            for (OmeLevel level : OmeImage.open(group).levels()) {
                assertEquals(20, level.array().shape()[0]);
            }
        }
    }

    @Test
    void plate_hasAnImageForEachField() {
        String location = folder.resolve("plate.zarr").toString();
        ByteBuffer pixels = ByteBuffer.allocate(128 * 128 * Short.BYTES);
        // example: plate
        Plate plate = Plate.grid(8, 12, "A/1", "B/7"); // 96 wells, of which two are imaged
        ArraySpec image = ArraySpec.of("uint16", 0, 2, 128, 128)
                .withShardShape(64, 1, 128, 128)
                .withChunkShape(1, 1, 64, 64)
                .withDimensionNames("t", "c", "y", "x");
        SliceOptions growing = SliceOptions.defaults()
                .withGrowth(SliceOptions.Growth.GROW)
                .withBudgetBytes(256 << 20); // of all fields
        try (PlateRecording recording = PlateRecording.begin(
                FileStore.at(Path.of(location)),
                plate,
                4, // fields of each well
                image,
                array -> Pyramid.of(array).withPixelSize(1, 1, 0.5, 0.5),
                ZarrOptions.defaults(),
                AcquisitionOptions.defaults().withSlices(growing))) {
            for (long t = 0; t < 3; t++) { // viewers can open the plate already
                for (String well : List.of("A/1", "B/7")) {
                    for (int field = 0; field < 4; field++) {
                        for (long c = 0; c < 2; c++) {
                            recording.write(well, field, Map.of("t", t, "c", c), pixels);
                        }
                    }
                }
                recording.flush();
            }
        }
        // end
        try (OmePlate stored = OmePlate.open(location)) {
            assertEquals(List.of("A/1", "B/7"), stored.wellPaths());
            OmeImage field = stored.well("B/7").field(3);
            assertArrayEquals(
                    new long[] {3, 2, 128, 128}, field.levels().get(0).array().shape());
            assertArrayEquals(
                    new long[] {3, 2, 64, 64}, field.levels().get(1).array().shape());
        }
    }
}
