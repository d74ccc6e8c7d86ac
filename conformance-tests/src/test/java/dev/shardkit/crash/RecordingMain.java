package dev.shardkit.crash;

import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.pyramid.PlateRecording;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.PyramidStream;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.testing.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;

/**
 * Records an image and a plate below a folder, as standard input says, for other programs that read them meanwhile: for
 * each line with a number, all frames before it are written and flushed, then two more are written.
 */
final class RecordingMain {
    private static final int HEIGHT = 96;
    private static final int WIDTH = 80;
    private static final int CHANNELS = 2;
    /** The frames that are written behind a flush. */
    private static final int MORE = 2;

    private RecordingMain() {}

    private static ByteBuffer frame(long t, long c) {
        ByteBuffer frame = ByteBuffer.allocateDirect(2 * HEIGHT * WIDTH).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < HEIGHT * WIDTH; i++) {
            frame.putShort(2 * i, (short) (1 + (t * 4999 + c * 1009 + i / WIDTH * 31 + i % WIDTH * 17) % 60_000));
        }
        return frame;
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        ZarrOptions options = ZarrOptions.defaults();
        SliceOptions growing =
                SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW).withBudgetBytes(256 << 20);
        Store image = FileStore.at(folder.resolve("image.ome.zarr"));
        Zarr.createGroup(image, "", Json.object(), IfExists.REFUSE, options);
        ZarrArray finest = Zarr.createArray(
                image,
                "0",
                ArraySpec.of("uint16", 0, HEIGHT, WIDTH)
                        .withShardShape(8, HEIGHT, WIDTH)
                        .withChunkShape(4, 24, 20)
                        .withDimensionNames("t", "y", "x"),
                IfExists.REFUSE,
                options);
        try (PyramidStream stream = Pyramid.of(finest).withReducer(Reducer.MEAN).stream(image, options, growing);
                PlateRecording plate = PlateRecording.begin(
                        FileStore.at(folder.resolve("plate.ome.zarr")),
                        Plate.grid(2, 3, "A/1", "B/3"),
                        1,
                        ArraySpec.of("uint16", 0, CHANNELS, HEIGHT, WIDTH)
                                .withShardShape(8, 1, HEIGHT, WIDTH)
                                .withChunkShape(4, 1, 24, 20)
                                .withDimensionNames("t", "c", "y", "x"),
                        array -> Pyramid.of(array).withReducer(Reducer.MEAN),
                        options,
                        AcquisitionOptions.defaults().withSlices(growing))) {
            System.out.println("at 0");
            BufferedReader in = Child.input();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                write(stream, plate, Long.parseLong(line.trim()));
                stream.flush();
                plate.flush();
                write(stream, plate, stream.position() + MORE);
                System.out.println("at " + line.trim());
            }
        }
    }

    private static void write(PyramidStream stream, PlateRecording plate, long end) {
        for (long t = stream.position(); t < end; t++) {
            stream.write(frame(t, 0));
            for (long c = CHANNELS - 1; c >= 0; c--) {
                plate.write("A/1", 0, Map.of("t", t, "c", c), frame(t, c));
                plate.write("B/3", 0, Map.of("t", t, "c", c), frame(t, c));
            }
        }
    }
}
