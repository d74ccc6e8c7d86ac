package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.serve.DataServer;
import dev.shardkit.serve.ServerOptions;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Child;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers of an array that another process extends. Slice i holds i + 1; the fill value is 0. */
@Timeout(300)
class GrowingReadersTest {
    private static final int WIDTH = 4;
    private static final int LAST = 60;

    @TempDir
    Path folder;

    /** The process that writes: to the length of each line, in one batch, or step by step to the last. */
    static final class Camera {
        private Camera() {}

        public static void main(String[] arguments) throws Exception {
            BufferedReader in = Child.input();
            try (ZarrArray array = Zarr.openArray(arguments[0]);
                    SliceWriter slices =
                            array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW))) {
                System.out.println("ready");
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    boolean isFree = line.startsWith("free");
                    int end = Integer.parseInt(line.replaceAll("\\D", ""));
                    while (slices.position() < end) {
                        int[] slice = new int[WIDTH];
                        Arrays.fill(slice, (int) slices.position() + 1);
                        slices.write(slice, 0);
                        if (isFree && slices.position() % 3 == 0) {
                            slices.flush();
                        }
                    }
                    slices.flush();
                    System.out.println("at " + end);
                }
            }
        }
    }

    private String create() {
        String location = folder.resolve("a").toString();
        Zarr.createArray(
                        location,
                        ArraySpec.of("int32", 0, WIDTH)
                                .withShardShape(16, WIDTH)
                                .withChunkShape(2, WIDTH))
                .close();
        return location;
    }

    /** Each element that the shape promises must be there. */
    private static void checkAll(ZarrArray array) {
        int[] expected = new int[(int) array.shape()[0] * WIDTH];
        Arrays.setAll(expected, i -> i / WIDTH + 1);
        assertArrayEquals(expected, array.read().ints());
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "http"})
    void aRefreshedHandle_seesTheShapeAndTheElementsOfAnotherProcess(String door) throws Exception {
        String location = create();
        try (FileStore files = FileStore.at(folder);
                DataServer server = DataServer.start(files, ServerOptions.defaults());
                Child camera = Child.start(Camera.class, "128m", location);
                ZarrArray opened = Zarr.openArray(door.equals("file") ? location : server.url() + "a")) {
            camera.expect("ready");
            ZarrArray array = opened;
            for (int end : new int[] {3, 4, 9, 10, 17, 33}) {
                camera.say(String.valueOf(end));
                camera.expect("at " + end);
                ZarrArray before = array;
                array = end % 2 == 0 ? array.refresh() : array.refreshAsync().get(60, TimeUnit.SECONDS);
                assertNotSame(before, array);
                assertArrayEquals(new long[] {end, WIDTH}, array.shape());
                long from = before.shape()[0] / 2 * 2; // inner chunks that the cached index lacks, and no others
                int[] fresh = array.view().range(0, from, end).read().ints();
                assertEquals(from + 1, fresh[0], "the first new slice");
                assertEquals(end, fresh[fresh.length - 1], "the last new slice");
                checkAll(array); // caches the index of the shard that the next batch changes
                checkAll(before);
            }
            assertSame(array, array.refresh(), "nothing has changed");
            assertArrayEquals(new long[] {0, WIDTH}, opened.shape(), "handles are immutable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "http"})
    void aReaderThatPolls_neverSeesATornShapeOrAMissingSlice(String door) throws Exception {
        String location = create();
        try (FileStore files = FileStore.at(folder);
                DataServer server = DataServer.start(files, ServerOptions.defaults());
                Child camera = Child.start(Camera.class, "128m", location);
                ZarrArray opened = Zarr.openArray(door.equals("file") ? location : server.url() + "a")) {
            camera.expect("ready");
            camera.say("free to " + LAST);
            ZarrArray array = opened;
            long length = 0;
            while (length < LAST) {
                array = array.refresh();
                assertEquals(WIDTH, array.shape()[1]);
                assertTrue(array.shape()[0] >= length, "an array that only grows became shorter");
                length = array.shape()[0];
                checkAll(array);
            }
            camera.expect("at " + LAST);
        }
    }

    @Test
    void aChildOfAConsolidatedGroup_isReadFromItsOwnDocument() {
        MemoryStore store = MemoryStore.create();
        try (ZarrGroup group = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            ZarrArray first = group.createArray("a", ArraySpec.of("int32", 0, 2), IfExists.REFUSE);
            group.consolidate();
            ZarrArray reader = Zarr.openGroup(store, "", ZarrOptions.defaults()).array("a");
            first.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW))
                    .write(new int[2], 0);
            first.replaceAttributes(Json.object().with("unit", Json.of("m")));
            ZarrArray refreshed = reader.refresh();
            assertEquals(Optional.of(Json.of("m")), refreshed.attributes().get("unit"));
            assertEquals(Json.object(), reader.attributes());
        }
    }

    @Test
    void arraysThatAreGoneOrReplacedOrNotStored_areErrors() {
        MemoryStore store = MemoryStore.create();
        ArraySpec spec = ArraySpec.of("int32", 4);
        ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        ZarrArray reader = Zarr.openArray(store, "a", ZarrOptions.defaults());
        array.delete();
        assertThrows(MetadataException.class, reader::refresh);
        Zarr.createGroup(store, "a", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        assertThrows(MetadataException.class, reader::refresh);
        ZarrArray given =
                Zarr.openArray(store, "b", Zarr.describe(spec, ZarrOptions.defaults()), ZarrOptions.defaults());
        assertThrows(UnsupportedException.class, given::refresh);
        assertArrayEquals(new int[4], given.read().ints());
    }
}
