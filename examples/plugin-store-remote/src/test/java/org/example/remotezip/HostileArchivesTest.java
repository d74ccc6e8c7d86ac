package org.example.remotezip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Archives that are damaged, of another kind, or replaced while they are open. */
class HostileArchivesTest {
    private static final int END = 22;
    private static final byte[] VALUE = {1, 2, 3, 4, 5};

    private final RangeServer server = RangeServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private Store serving(byte[] archive) {
        server.put("a.zip", archive);
        return new RemoteZipStore().open(URI.create("remotezip:" + server.uri() + "/a.zip"), HttpStore::at);
    }

    private static FetchResult fetch(Store store, Optional<String> pin) {
        try {
            return ((RemoteReads) store.reads())
                    .fetch("c/0", ByteRange.whole(1 << 20), pin, StoreListener.NONE)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ZarrException z) {
                throw z;
            }
            throw e;
        }
    }

    private static byte[] value(FetchResult fetched) {
        return assertInstanceOf(FetchResult.Found.class, fetched).bytes().toArray();
    }

    @Test
    void eachDamagedByte_givesTheValue_orADeclaredError() throws IOException {
        byte[] archive = RemoteZipStoreTest.archive(Map.of("c/0", VALUE));
        int directory = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN).getInt(archive.length - END + 16);
        int refused = 0;
        for (int at = directory; at < archive.length; at++) {
            byte[] damaged = archive.clone();
            damaged[at] ^= (byte) 0xff;
            try (Store store = serving(damaged)) {
                FetchResult fetched = fetch(store, Optional.empty());
                assertTrue(
                        fetched instanceof FetchResult.Absent || value(fetched).length <= archive.length, "byte " + at);
            } catch (ZarrException e) {
                refused++;
            }
        }
        assertTrue(refused > 20, refused + " of " + (archive.length - directory) + " refused");
    }

    @ParameterizedTest
    @CsvSource({
        "16, -1, ZIP64",
        "12, -2, expected a directory of at most",
        "12, 60000, beyond its end",
        "16, 60000, beyond its end",
        "0, 0, no end record"
    })
    void endRecord_thatCannotBe_isRefused(int field, int found, String message) throws IOException {
        byte[] archive = RemoteZipStoreTest.archive(Map.of("c/0", VALUE));
        ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN).putInt(archive.length - END + field, found);
        try (Store store = serving(archive)) {
            ZarrException e = assertThrows(ZarrException.class, () -> fetch(store, Optional.empty()));
            assertTrue(e.getMessage().contains(message), e.getMessage());
        }
    }

    @Test
    void entryWithoutAHeader_isRefused() throws IOException {
        byte[] archive = RemoteZipStoreTest.archive(Map.of("c/0", VALUE));
        archive[0] = 0;
        try (Store store = serving(archive)) {
            assertThrows(CorruptDataException.class, () -> fetch(store, Optional.empty()));
        }
    }

    @Test
    void compressedEntry_isRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("c/0"));
            zip.write(VALUE);
        }
        try (Store store = serving(bytes.toByteArray())) {
            assertThrows(UnsupportedException.class, () -> fetch(store, Optional.empty()));
        }
    }

    @Test
    void directoryLongerThanTheFirstRequest_isReadByItself() throws IOException {
        Map<String, byte[]> many = new HashMap<>(Map.of("c/0", VALUE));
        for (int i = 0; i < 2000; i++) {
            many.put("other/" + i, new byte[0]);
        }
        try (Store store = serving(RemoteZipStoreTest.archive(many))) {
            assertArrayEquals(VALUE, value(fetch(store, Optional.empty())));
            assertEquals(4, server.log().size(), "end, directory, header, bytes");
        }
    }

    @Test
    void archiveReplacedWhileOpen_isAChange_andIsThenReadAnew() throws IOException {
        try (Store store = serving(RemoteZipStoreTest.archive(Map.of("c/0", VALUE)))) {
            FetchResult.Found before = assertInstanceOf(FetchResult.Found.class, fetch(store, Optional.empty()));
            server.put("a.zip", RemoteZipStoreTest.archive(Map.of("a", new byte[100], "c/0", new byte[] {9})));
            assertThrows(ObjectChangedException.class, () -> fetch(store, before.version()));
            assertArrayEquals(new byte[] {9}, value(fetch(store, Optional.empty())));
        }
    }
}
