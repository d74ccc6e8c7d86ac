package dev.shardkit.store.zip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.server.RangeServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that are damaged, that lie, or that are of a kind which is not read: each gives a declared error. */
class HostileArchivesTest {
    private static final byte[] VALUE = {1, 2, 3, 4, 5};

    private final RangeServer server = RangeServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private static Store local(byte[] archive, UnaryOperator<ZipStore.Builder> settings) throws IOException {
        MemoryStore memory = MemoryStore.create();
        memory.put("a.zip", Content.of(Bytes.of(archive)), Durability.NONE);
        return settings.apply(ZipStore.builder(memory, "a.zip")).open();
    }

    private Store remote(byte[] archive, UnaryOperator<ZipStore.Builder> settings) throws IOException {
        server.put("a.zip", archive);
        return settings.apply(ZipStore.builder(HttpStore.at(server.uri()), "a.zip"))
                .open();
    }

    private static byte[] read(Store store, String key) throws IOException {
        try (ObjectSnapshot object = BlockingStore.to(store).open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(object.size()));
            object.read(0, bytes);
            return bytes.array();
        }
    }

    private byte[] localAndRemote(byte[] archive, String key) throws IOException {
        byte[] found;
        try (Store store = local(archive, b -> b)) {
            found = read(store, key);
        }
        try (Store store = remote(archive, b -> b)) {
            assertArrayEquals(found, read(store, key));
        }
        return found;
    }

    private void refused(Class<? extends ZarrException> kind, String message, byte[] archive) {
        refused(kind, message, archive, b -> b);
    }

    private void refused(
            Class<? extends ZarrException> kind,
            String message,
            byte[] archive,
            UnaryOperator<ZipStore.Builder> settings) {
        for (boolean isRemote : new boolean[] {false, true}) {
            ZarrException e = assertThrows(ZarrException.class, () -> {
                try (Store store = isRemote ? remote(archive, settings) : local(archive, settings)) {
                    read(store, "c/0");
                }
            });
            assertInstanceOf(kind, e);
            assertTrue(e.getMessage().contains(message), e.getMessage());
        }
    }

    private static RawZip good() {
        return new RawZip().add("zarr.json", new byte[40]).add("c/0", VALUE);
    }

    @Test
    void goodArchives_areRead() throws IOException {
        assertArrayEquals(VALUE, localAndRemote(good().build(), "c/0"));
        assertArrayEquals(VALUE, localAndRemote(good().buildLarge(end -> {}), "c/0"));
        assertArrayEquals(
                VALUE, localAndRemote(good().gap(70_000).add("d", VALUE).build(), "c/0"), "a gap behind it");
    }

    /** Programs that update an archive leave gaps, and their entries may have extra fields of the same size. */
    @Test
    void gapsAndExtraFieldsOfOneSize_areToldApart() throws IOException {
        byte[] archive = new RawZip()
                .add("gap/1", VALUE)
                .gap(8)
                .addExtended("field/1", VALUE, 8)
                .add("gap/2", VALUE)
                .gap(8)
                .addExtended("field/2", VALUE, 8)
                .build();
        List<String> keys = List.of("gap/1", "field/1", "gap/2", "field/2");
        for (Store store : List.of(local(archive, b -> b), remote(archive, b -> b))) {
            try (store) {
                for (String key : keys) {
                    assertArrayEquals(VALUE, read(store, key), key);
                }
            }
        }
    }

    /** The field of ZIP64 has only the numbers whose own field is full, in their order (APPNOTE, section 4.5.3). */
    @Test
    void numbersOfZip64_standForThoseThatAreMissing() throws IOException {
        List<Consumer<RawZip.Item>> kinds = List.of(
                i -> {
                    i.extra = large(i.header);
                    i.header = -1;
                },
                i -> {
                    i.extra = large(i.packed);
                    i.packed = -1;
                },
                i -> {
                    i.extra = large(i.size, i.header);
                    i.size = i.header = -1;
                },
                i -> {
                    i.extra = large(i.size, i.packed, i.header);
                    i.size = i.packed = i.header = -1;
                },
                i -> i.extra = large(7, 7, 7));
        for (Consumer<RawZip.Item> kind : kinds) {
            byte[] archive = new RawZip()
                    .add("zarr.json", new byte[40])
                    .add("c/0", VALUE, kind)
                    .buildLarge(end -> {});
            assertArrayEquals(VALUE, localAndRemote(archive, "c/0"));
        }
    }

    private static byte[] large(long... numbers) {
        ByteBuffer field = ByteBuffer.allocate(4 + 8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        field.putShort((short) 1).putShort((short) (8 * numbers.length));
        for (long number : numbers) {
            field.putLong(number);
        }
        return field.array();
    }

    static Stream<Arguments> lies() {
        Class<?> corrupt = CorruptDataException.class;
        Class<?> unsupported = UnsupportedException.class;
        return Stream.of(
                Arguments.of(unsupported, "is encrypted", item(i -> i.flags = 1)),
                Arguments.of(unsupported, "is encrypted", item(i -> i.flags = 1 << 6)),
                Arguments.of(unsupported, "directory is encrypted", item(i -> i.flags = 1 << 13)),
                Arguments.of(unsupported, "packed by method 93", item(i -> i.method = 93)),
                Arguments.of(unsupported, "as a patch", item(i -> i.flags = 1 << 5)),
                Arguments.of(unsupported, "split into several files", item(i -> i.disk = 1)),
                Arguments.of(corrupt, "declares a ZIP64 number", item(i -> i.size = -1)),
                Arguments.of(corrupt, "declares a ZIP64 number", item(i -> i.header = -1)),
                Arguments.of(corrupt, "is stored: expected 6 bytes, found 5", item(i -> i.size = 6)),
                Arguments.of(corrupt, "after a header", item(i -> i.packed = i.size = 6)),
                Arguments.of(corrupt, "after a header", item(i -> i.packed = i.size = Integer.MAX_VALUE)),
                Arguments.of(corrupt, "after a header", item(i -> i.header += 1)),
                Arguments.of(corrupt, "after a header", item(i -> i.header = 0)),
                Arguments.of(corrupt, "after a header", item(i -> i.header -= 30)),
                Arguments.of(corrupt, "disagree", item(i -> i.packed = i.size = 4)),
                Arguments.of(corrupt, "not UTF-8", item(i -> {
                    i.flags = 1 << 11;
                    i.name = new byte[] {'c', '/', (byte) 0xff};
                })));
    }

    private static Consumer<RawZip.Item> item(Consumer<RawZip.Item> lie) {
        return lie;
    }

    @ParameterizedTest
    @ValueSource(strings = {"../c", "/c/0", "c//0", "c/.", "c/../../d", "c\0d", "...", "c/./d"})
    void nameThatIsNoKey_isRefused(String name) {
        refused(
                CorruptDataException.class,
                "name is not a key",
                good().add(name, VALUE).build());
    }

    @ParameterizedTest
    @MethodSource("lies")
    void lieInTheDirectory_isRefused(Class<? extends ZarrException> kind, String message, Consumer<RawZip.Item> lie) {
        byte[] archive = new RawZip()
                .add("zarr.json", new byte[40])
                .add("c/0", VALUE, lie)
                .build();
        refused(kind, message, archive);
    }

    @Test
    void lieInTheEndRecord_isRefused() {
        refused(CorruptDataException.class, "expected 3 entries, found 2", good().build(e -> e.putShort(8, (short) 3)
                .putShort(10, (short) 3)));
        refused(UnsupportedException.class, "split", good().build(e -> e.putShort(8, (short) 1)));
        refused(UnsupportedException.class, "split", good().build(e -> e.putShort(4, (short) 1)));
        refused(CorruptDataException.class, "past the end record", good().build(e -> e.putInt(12, 60_000)));
        refused(CorruptDataException.class, "past the end record", good().build(e -> e.putInt(12, -2)));
        refused(CorruptDataException.class, "past the end record", good().build(e -> e.putInt(16, -2)));
        refused(CorruptDataException.class, "expected an entry", good().build(e -> e.putInt(16, 3)));
        refused(CorruptDataException.class, "no end record", good().build(e -> e.putInt(0, 7)));
        refused(CorruptDataException.class, "no end record", good().build(e -> e.putShort(20, (short) 7)));
        refused(CorruptDataException.class, "no end record", new byte[0]);
    }

    @Test
    void lieOfZip64_isRefused() {
        refused(CorruptDataException.class, "expected 1099511627776 entries", good().buildLarge(e -> e.putLong(
                        24, 1L << 40)
                .putLong(32, 1L << 40)));
        refused(UnsupportedException.class, "split", good().buildLarge(e -> e.putLong(24, 7)));
        refused(UnsupportedException.class, "split", good().buildLarge(e -> e.putInt(16, 1)));
        refused(UnsupportedException.class, "split", good().buildLarge(e -> e.putInt(56 + 16, 3)));
        refused(CorruptDataException.class, "past the end record", good().buildLarge(e -> e.putLong(40, 1L << 62)));
        refused(CorruptDataException.class, "past the end record", good().buildLarge(e -> e.putLong(48, 1L << 62)));
        refused(CorruptDataException.class, "beyond 2^63", good().buildLarge(e -> e.putLong(40, -1)));
        refused(CorruptDataException.class, "disagree on the offset", good().buildLarge(e -> e.putInt(76 + 16, 3)));
        refused(
                CorruptDataException.class,
                "disagree on the number",
                good().buildLarge(e -> e.putShort(76 + 10, (short) 3)));
        refused(CorruptDataException.class, "expected an offset", good().buildLarge(e -> e.putLong(64, -9)));
        refused(CorruptDataException.class, "expected an offset", good().buildLarge(e -> e.putLong(64, 1L << 50)));
        refused(CorruptDataException.class, "not where its locator says", good().buildLarge(e -> e.putLong(64, 4)));
    }

    @Test
    void duplicateNames_areRefused_orTheLastIsRead() throws IOException {
        byte[] archive = new RawZip().add("c/0", new byte[9]).add("c/0", VALUE).build();
        refused(CorruptDataException.class, "several entries named c/0", archive);
        for (boolean isRemote : new boolean[] {false, true}) {
            UnaryOperator<ZipStore.Builder> last = ZipStore.Builder::lastOfDuplicates;
            try (Store store = isRemote ? remote(archive, last) : local(archive, last)) {
                assertArrayEquals(VALUE, read(store, "c/0"));
            }
        }
    }

    @Test
    void entriesThatShareBytes_areRefused() {
        byte[] archive = new RawZip()
                .add("c/0", VALUE)
                .claim(i -> {
                    i.name = "d/0".getBytes();
                    i.packed = i.size = 5;
                })
                .build();
        refused(CorruptDataException.class, "after a header", archive);
    }

    private static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out, new Deflater(9, true))) {
            deflater.write(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    @Test
    void bombs_areRefused() {
        byte[] packed = deflated(new byte[3 << 20]);
        byte[] true3 = new RawZip().add("c/0", packed, 3 << 20, 8, i -> {}).build();
        refused(
                UnsupportedException.class,
                "at most 1048576 bytes when unpacked",
                true3,
                b -> b.maxUnpackedBytes(1 << 20));
        byte[] more = new RawZip().add("c/0", packed, 1000, 8, i -> {}).build();
        refused(CorruptDataException.class, "expected 1000 bytes when unpacked, found more", more);
        byte[] less = new RawZip().add("c/0", deflated(VALUE), 1000, 8, i -> {}).build();
        refused(CorruptDataException.class, "expected 1000 bytes when unpacked, found 5", less);
        byte[] never =
                new RawZip().add("c/0", deflated(VALUE), 200 << 20, 8, i -> {}).build();
        refused(CorruptDataException.class, "cannot be 209715200 bytes", never);
        refused(
                UnsupportedException.class,
                "a directory of at most 50 bytes",
                good().build(),
                b -> b.maxDirectoryBytes(50));
    }

    @Test
    void damagedDeflatedEntry_isRefused() {
        byte[] random = new byte[1000];
        new Random(1).nextBytes(random);
        refused(
                CorruptDataException.class,
                "is not deflated data",
                new RawZip()
                        .add("c/0", Arrays.copyOf(new byte[] {-1, -1}, 1000), 1000, 8, i -> {})
                        .build());
        refused(
                CorruptDataException.class,
                "the CRC-32",
                new RawZip()
                        .add("c/0", deflated(random), 1000, 8, i -> {}) // the sum is that of the packed bytes
                        .build());
        byte[] cut = Arrays.copyOf(deflated(random), 500);
        refused(
                CorruptDataException.class,
                "when unpacked, found",
                new RawZip().add("c/0", cut, 1000, 8, i -> {}).build());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachDamagedByte_givesTheValue_orADeclaredError(boolean isDeflated) throws IOException {
        Map<String, byte[]> objects = Map.of("c/0", VALUE, "zarr.json", new byte[300], "d", new byte[0]);
        byte[] archive = isDeflated ? Archives.deflated(objects) : Archives.stored(objects);
        int refused = 0;
        for (int at = 0; at < archive.length; at++) {
            for (int flip : List.of(0xff, 1, 0x80)) {
                byte[] damaged = archive.clone();
                damaged[at] ^= (byte) flip;
                try (Store store = local(damaged, b -> b)) {
                    BlockingStore.to(store).listAll("", e -> {});
                    if (BlockingStore.to(store).version("c/0").isPresent()) {
                        assertTrue(read(store, "c/0").length <= archive.length, "byte " + at);
                    }
                } catch (ZarrException e) {
                    refused++;
                }
            }
        }
        assertTrue(refused > archive.length / 5, refused + " refused");
    }

    @Test
    void eachTruncation_isRefused() throws IOException {
        byte[] archive = good().buildLarge(e -> {});
        for (int size = 0; size < archive.length; size++) {
            byte[] cut = Arrays.copyOf(archive, size);
            try (Store store = local(cut, b -> b)) {
                assertThrows(CorruptDataException.class, () -> read(store, "c/0"), size + " bytes");
            }
        }
    }

    @Test
    void foldersAndFilesOfTheFileStore_areNoObjects() throws IOException {
        byte[] archive = new RawZip()
                .add("c/", new byte[0])
                .add("c/__shardkit/lock", new byte[3])
                .add("c/0", VALUE)
                .build();
        try (Store store = local(archive, b -> b)) {
            assertArrayEquals(VALUE, read(store, "c/0"));
            int[] count = new int[1];
            BlockingStore.to(store).listAll("", e -> count[0]++);
            assertEquals(1, count[0]);
        }
    }
}
