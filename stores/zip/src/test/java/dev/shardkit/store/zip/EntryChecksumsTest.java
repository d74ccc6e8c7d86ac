package dev.shardkit.store.zip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoredChecksums;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of entries that were changed after the archive was written, in local and remote archives. */
@Tag("one-jdk")
class EntryChecksumsTest {
    private final MemoryStore memory = MemoryStore.create();
    private final Map<String, byte[]> values = new LinkedHashMap<>();
    private byte[] archive = {};

    /** Entries smaller and larger than what is read at once; one is deflated, one has sizes and checksum behind it. */
    private void write() throws IOException {
        Random random = new Random(5);
        for (int size : List.of(100, 0, 70_000, 9_000_000, 3)) {
            byte[] value = new byte[size];
            random.nextBytes(value);
            values.put("a/c/" + values.size(), value);
        }
        values.put("a/zarr.json", "{}".repeat(50).getBytes());
        values.put("a/deflated", new byte[200_000]);
        random.nextBytes(values.get("a/deflated"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> e : values.entrySet()) {
                ZipEntry entry = new ZipEntry(e.getKey());
                CRC32 sum = new CRC32();
                sum.update(e.getValue());
                if (!e.getKey().equals("a/deflated")) {
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(e.getValue().length);
                    entry.setCrc(sum.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(e.getValue());
                zip.closeEntry();
            }
        }
        archive = out.toByteArray();
    }

    private Store open(String form) throws IOException {
        memory.put("a.zip", Content.of(Bytes.of(archive)), Durability.NONE);
        return ZipStore.builder(form.equals("local") ? memory : RemoteAdapter.of(memory), "a.zip")
                .below("a")
                .open();
    }

    /** Returns the offset of a value in the archive. */
    private int offset(String name) {
        byte[] key = name.getBytes();
        for (int at = 0; ; at++) {
            if (ByteBuffer.wrap(archive, at, key.length).equals(ByteBuffer.wrap(key))) {
                return at + key.length;
            }
        }
    }

    private List<StoredChecksums.Damage> damages(Store store, long first, long end) throws IOException {
        List<StoredChecksums.Damage> found = new ArrayList<>();
        store.need(StoredChecksums.class, "the test").compare("", first, end, found::add);
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "remote"})
    void changedBytes_areFoundInEachEntry(String form) throws IOException {
        write();
        Store whole = open(form);
        long count = whole.need(StoredChecksums.class, "the test").count("");
        assertEquals(values.size(), count);
        assertEquals(List.of(), damages(whole, 0, count));
        byte[] right = archive.clone();
        int number = 0;
        for (Map.Entry<String, byte[]> e : values.entrySet()) {
            if (e.getValue().length > 0) {
                archive = right.clone();
                int at = offset(e.getKey());
                archive[at + e.getValue().length / 2] ^= 4;
                Store store = open(form);
                List<StoredChecksums.Damage> all = damages(store, 0, count);
                assertEquals(
                        List.of(e.getKey().substring(2)),
                        all.stream().map(StoredChecksums.Damage::key).toList());
                String expected = all.get(0).expected();
                CRC32 sum = new CRC32();
                sum.update(e.getValue());
                assertTrue(expected.contains(HexFormat.of().toHexDigits((int) sum.getValue())), expected);
                assertTrue(expected.contains("a.zip at offset " + at), expected);
                assertEquals(all, damages(store, number, number + 1));
                assertEquals(List.of(), damages(store, 0, number));
                assertEquals(List.of(), damages(store, number + 1, count));
            }
            number++;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "remote"})
    void wholeRead_findsThem_andAReadOfARangeDoesNot(String form) throws IOException {
        write();
        archive[offset("a/zarr.json") + 1] ^= 1;
        Store store = open(form);
        try (ObjectSnapshot document = BlockingStore.to(store).open("zarr.json").orElseThrow()) {
            ByteBuffer part = ByteBuffer.allocate(10);
            document.read(10, part);
            assertArrayEquals("{}{}{}{}{}".getBytes(), part.array());
            ChecksumException e =
                    assertThrows(ChecksumException.class, () -> document.read(0, ByteBuffer.allocate(100)));
            assertTrue(e.getMessage().contains("a/zarr.json"), e.getMessage());
        }
        assertEquals(
                1,
                Stream.of(store.reads().parts("c/0"), store.reads().parts("zarr.json"))
                        .filter(java.util.Optional::isPresent)
                        .count());
    }
}
