package dev.shardkit.it.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.concat.VirtualConcatenation;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Documents of references to HDF5 files, and to several arrays at once. */
@Timeout(240)
class Hdf5ReferencesTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    Hdf5ReferencesTest() {
        super("hdf5.zip");
    }

    private Hdf5References references(String file, String path) throws IOException {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            return Hdf5References.of(store, file, path, file);
        }
    }

    private String write(Json.Obj references, String name) throws IOException {
        Json.Obj document = Json.object().with("version", Json.of(1)).with("refs", references);
        Files.writeString(root.resolve(name), JsonDocuments.text(document));
        return "reference:" + root.resolve(name);
    }

    private void check(String location, String dataset, String expected) {
        try (ZarrArray array = Zarr.openArray(location + "!" + dataset, OPTIONS)) {
            Samples.check(array, expected(expected), expected);
        }
    }

    @Test
    void documents_areReadBack() throws IOException {
        String types = write(references("types-latest.h5", "").references(), "types.json");
        for (String name : List.of("chunked/f4", "contiguous/big-i8", "index/btree2-all", "text", "bool", "blocks")) {
            check(types, name, "types-latest/" + name);
        }
        Hdf5References found = references("filters.h5", "");
        String filters = write(found.references(), "filters.json");
        for (String name : List.of("allu2", "blosc-zstdf8", "bz2u2", "fletcher32f8", "masked")) {
            check(filters, name, "filters/" + name);
        }
        assertTrue(
                found.leftOut().stream()
                        .anyMatch(t -> t.startsWith("lz4u2: hdf5: numcodecs has no codec for the filter 32004")),
                "" + found);
        assertTrue(found.leftOut().stream().anyMatch(t -> t.startsWith("refused/virtual: ")), "" + found);
    }

    /** A store of which one read fails. */
    private static final class FailingStore extends ForwardingStore implements LocalReads {
        private final LocalReads files;
        private int left;

        FailingStore(Store store, int left) {
            super(store);
            this.files = (LocalReads) store.reads();
            this.left = left;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            return files.open(key).map(Failing::new);
        }

        private final class Failing implements ObjectSnapshot {
            private final ObjectSnapshot file;

            Failing(ObjectSnapshot file) {
                this.file = file;
            }

            @Override
            public String version() {
                return file.version();
            }

            @Override
            public long size() {
                return file.size();
            }

            @Override
            public void read(long offset, ByteBuffer into) throws IOException {
                if (left-- == 0) {
                    throw new StoreException("interrupted while reading");
                }
                file.read(offset, into);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        }
    }

    /** A dataset that cannot be read now is not one that is not there. */
    @Test
    void aReadThatFails_isAnError_andLeavesNothingOut() throws IOException {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            Hdf5References whole = Hdf5References.of(store, "filters.h5", "", "filters.h5");
            int reads = 0;
            for (boolean failed = true; failed; reads++) {
                try {
                    Store failing = new FailingStore(store, reads);
                    assertEquals(whole, Hdf5References.of(failing, "filters.h5", "", "filters.h5"), "reads: " + reads);
                    failed = false;
                } catch (StoreException e) {
                    assertTrue(e.getMessage().contains("interrupted while reading"), e.getMessage());
                }
            }
            assertTrue(reads > 3, "reads: " + reads);
        }
    }

    /** An array without its damaged chunks would read as fill values. */
    @Test
    void aDatasetWithADamagedChunk_isLeftOutWhole() throws IOException {
        Path file = root.resolve("filters.h5");
        byte[] bytes = Files.readAllBytes(file);
        // the index: a chunk of 120 bytes that lacks the second filter, deflate, is said to lack the first only
        ByteBuffer index = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = IntStream.range(0, bytes.length - 8)
                .filter(i -> index.getLong(i) == (2L << 32 | 120))
                .findFirst()
                .orElseThrow();
        index.putInt(at + 4, 1);
        Files.write(root.resolve("damaged.h5"), bytes);
        Hdf5References found = references("damaged.h5", "");
        assertTrue(found.leftOut().stream().anyMatch(t -> t.startsWith("masked: ")), () -> "" + found.leftOut());
        assertTrue(found.references().members().keySet().stream().noneMatch(key -> key.startsWith("masked/")));
    }

    @Test
    void aPath_becomesTheRoot_withNamesOfDimensions() throws IOException {
        String location = write(references("weather.nc", "air").references(), "air.json");
        try (ZarrArray air = Zarr.openArray(location)) {
            Samples.check(air, expected("weather/air"), "air");
            assertEquals(
                    "{\"scale_factor\":0.5,\"_FillValue\":-99}",
                    air.attributes().toString());
            assertEquals(
                    List.of("time", "lat", "lon"),
                    air.dimensionNames().orElseThrow().stream()
                            .map(name -> name.orElse(""))
                            .toList());
        }
    }

    private VirtualConcatenation concat(int axis, ZarrArray... arrays) {
        return VirtualConcatenation.of(List.of(arrays), axis, OPTIONS);
    }

    private Path writeVirtual(VirtualConcatenation all, String name) throws IOException {
        return Files.writeString(root.resolve(name), JsonDocuments.text(all.document(URI::toString)));
    }

    /** Chunks of 5, of 23 and of 5 rows: a rectilinear grid, whose second array is Zarr v2. */
    @Test
    void arraysOfSeveralFormats_areOneArray_andNothingIsCopied() throws IOException {
        String second = write(references("types-latest.h5", "contiguous").references(), "contiguous.json");
        byte[] whole = expected("types-latest/contiguous/i2");
        try (RangeServer server = RangeServer.over(root);
                ZarrArray one = Zarr.openArray("hdf5:" + root.resolve("types-latest.h5") + "!contiguous/i2");
                ZarrArray two = Zarr.openArray(second + "!i2");
                ZarrArray three =
                        Zarr.openArray("hdf5:" + server.uri().resolve("/types-earliest.h5") + "!contiguous/i2")) {
            Path document = writeVirtual(concat(0, one, two, three), "all.json");
            try (ZarrArray all = Zarr.openArray("reference:" + document + "#allow=" + server.uri(), OPTIONS)) {
                assertArrayEquals(new long[] {69, 17}, all.shape());
                byte[] expected = Arrays.copyOf(whole, 3 * whole.length);
                System.arraycopy(whole, 0, expected, whole.length, whole.length);
                System.arraycopy(whole, 0, expected, 2 * whole.length, whole.length);
                Samples.check(all, expected, "all");
            }
        }
    }

    @Test
    void differentCuts_areARectilinearGrid_alsoOfFilesAndShards() throws IOException {
        ArraySpec spec = ArraySpec.of("int32", 6, 8).withChunkShape(2, 4).withShardShape(2, 8);
        ArraySpec other = ArraySpec.of("int32", 9, 8).withChunkShape(2, 4).withShardShape(4, 8);
        try (ZarrArray one = Zarr.createArray(root.resolve("one").toString(), spec);
                ZarrArray two = Zarr.createArray(root.resolve("two").toString(), other)) {
            int[] before = new int[32];
            Arrays.fill(before, -1);
            one.write(Box.of(new long[2], new long[] {4, 8}), before, 0);
            int[] elements = new int[72];
            Arrays.setAll(elements, i -> i + 1);
            two.write(Box.of(new long[] {9, 8}), elements, 0);
            Path document = writeVirtual(concat(0, one, two), "cuts.json");
            try (ZarrArray all = Zarr.openArray("reference:" + document)) {
                assertEquals("rectilinear", all.metadata().chunkGrid().name());
                int[] read =
                        all.read(Box.of(new long[] {6, 0}, new long[] {9, 8})).ints();
                assertArrayEquals(elements, read);
                assertArrayEquals(
                        before, all.read(Box.of(new long[2], new long[] {4, 8})).ints());
            }
            assertThrows(MetadataException.class, () -> concat(1, one, two));
        }
    }

    @Test
    void aChunkThatIsLongerThanItsPlace_isRefused() {
        ArraySpec spec = ArraySpec.of("int32", 9, 8).withChunkShape(4, 8);
        try (ZarrArray array = Zarr.createArray(root.resolve("nine").toString(), spec)) {
            int[] elements = new int[72];
            Arrays.fill(elements, 1);
            array.write(Box.of(new long[] {9, 8}), elements, 0);
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> concat(0, array, array).document(URI::toString));
            assertTrue(e.getMessage().contains("ends within a chunk"), e.getMessage());
        }
    }
}
