package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of missing objects only, from local and remote sources. */
@Timeout(120)
class CopyCompletionTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final ArraySpec SPEC =
            ArraySpec.of("int32", 64, 64).withChunkShape(4, 4).withShardShape(16, 16);

    @TempDir
    private Path folder;

    private RangeServer server;

    @BeforeEach
    void make() {
        ZarrGroup group = Zarr.createGroup(
                Zarr.openStore(source().toString(), OPTIONS), "", Json.object(), IfExists.REFUSE, OPTIONS);
        for (String name : List.of("a", "b/c")) {
            ZarrArray array = group.createArray(name, SPEC, IfExists.REFUSE);
            array.write(array.domain(), IntStream.range(0, 64 * 64).toArray(), 0);
        }
        group.consolidate();
        group.close();
        server = RangeServer.over(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Path source() {
        return folder.resolve("source.zarr");
    }

    private Path mirror() {
        return folder.resolve("mirror.zarr");
    }

    private static Map<String, List<Byte>> files(Path root) throws IOException {
        Map<String, List<Byte>> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString().replace('\\', '/');
                if (!name.contains("__shardkit")) {
                    byte[] bytes = Files.readAllBytes(file);
                    files.put(
                            name,
                            IntStream.range(0, bytes.length)
                                    .mapToObj(i -> bytes[i])
                                    .toList());
                }
            }
        }
        return files;
    }

    private void complete(String location) {
        try (ZarrNode source = Zarr.open(location, OPTIONS);
                Store target = Zarr.openStore(mirror().toString(), OPTIONS)) {
            Copy.of(source).missingOnlyTo(target, OPTIONS);
        }
    }

    private String remote() {
        return server.uri() + "/source.zarr";
    }

    private List<String> objects() {
        List<String> keys = server.log().stream()
                .map(hit -> hit.key())
                .filter(key -> !key.endsWith("zarr.json"))
                .distinct()
                .sorted()
                .toList();
        server.clearLog();
        return keys;
    }

    @Test
    void mirror_ofARemoteTree_hasTheStoredObjects() throws IOException {
        complete(remote());
        assertEquals(files(source()).keySet(), files(mirror()).keySet());
        for (String name : List.of("a/c/0/0", "b/c/c/3/3")) {
            assertArrayEquals(
                    Files.readAllBytes(source().resolve(name)),
                    Files.readAllBytes(mirror().resolve(name)),
                    "not decoded");
        }
        assertEquals(32, objects().size());
        try (ZarrArray array = Zarr.openArray(mirror().resolve("b/c").toString())) {
            assertArrayEquals(
                    IntStream.range(0, 64 * 64).toArray(), array.read().ints());
        }
    }

    @Test
    void mirror_again_copiesWhatIsMissing() throws IOException {
        complete(remote());
        Map<String, List<Byte>> whole = files(mirror());
        objects();
        complete(remote());
        assertEquals(List.of(), objects());
        Files.delete(mirror().resolve("a/c/1/2"));
        Files.delete(mirror().resolve("b/c/c/3/3"));
        complete(remote());
        assertEquals(List.of("source.zarr/a/c/1/2", "source.zarr/b/c/c/3/3"), objects());
        assertEquals(whole, files(mirror()));
        Files.delete(mirror().resolve("a/c/1/2"));
        complete(source().toString());
        assertEquals(whole, files(mirror()), "of a local source");
    }

    @Test
    void mirror_interrupted_isResumed() throws Exception {
        complete(remote());
        Map<String, List<Byte>> whole = files(mirror());
        for (String name : List.of("zarr.json", "b/zarr.json", "b/c/zarr.json", "b/c/c/2/2")) {
            Files.delete(mirror().resolve(name));
        }
        StoreException e = assertThrows(StoreException.class, () -> complete(remote()));
        assertTrue(e.getMessage().contains("not empty"), e.getMessage());
        byte[] state = MessageDigest.getInstance("SHA-256").digest("missing-only\n".getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                mirror().resolve("__unfinished"),
                "{\"work\":\"copy\",\"step\":\"staging\",\"source\":\""
                        + HexFormat.of().formatHex(state) + "\"}");
        objects();
        complete(remote());
        assertEquals(List.of("source.zarr/b/c/c/2/2"), objects());
        assertEquals(whole, files(mirror()));
    }

    @Test
    void mirror_ofAFailingServer_isContinuedLater() throws IOException {
        Files.createDirectories(mirror());
        server.quirks();
        try (ZarrNode source = Zarr.open(remote(), OPTIONS);
                Store target = Zarr.openStore(mirror().toString(), OPTIONS)) {
            server.failNext(1, 403, Map.of());
            assertThrows(StoreException.class, () -> Copy.of(source).missingOnlyTo(target, OPTIONS));
        }
        server.clearFaults();
        complete(remote());
        assertEquals(files(source()).keySet(), files(mirror()).keySet());
    }

    @Test
    void mirror_ofSomethingElse_isRefusedAndUnchanged() throws IOException {
        try (ZarrArray other = Zarr.createArray(mirror().resolve("a").toString(), SPEC.withFillValue(Json.of(7)))) {
            other.write(other.domain(), new int[64 * 64], 0);
        }
        Zarr.createGroup(Zarr.openStore(mirror().toString(), OPTIONS), "", Json.object(), IfExists.REFUSE, OPTIONS)
                .close();
        Map<String, List<Byte>> before = files(mirror());
        StoreException e = assertThrows(StoreException.class, () -> complete(remote()));
        assertTrue(e.getMessage().contains("\"a\""), e.getMessage());
        assertTrue(e.getMessage().contains("not a copy"), e.getMessage());
        assertEquals(before, files(mirror()));
    }

    @Test
    void mirror_ofAFolderWithOtherFiles_isRefused() throws IOException {
        Files.createDirectories(mirror());
        Files.writeString(mirror().resolve("thesis.txt"), "mine");
        assertThrows(StoreException.class, () -> complete(remote()));
        assertEquals(1, files(mirror()).size());
    }

    @Test
    void mirror_withAnotherLayout_isTheCallersMistake() {
        try (ZarrNode source = Zarr.open(remote(), OPTIONS);
                Store target = Zarr.openStore(mirror().toString(), OPTIONS)) {
            Copy copy = Copy.of(source).withShardShape(32, 32);
            assertThrows(IllegalArgumentException.class, () -> copy.missingOnlyTo(target, OPTIONS));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Copy.of(source).overwriting().missingOnlyTo(target, OPTIONS));
        }
        assertFalse(Files.exists(mirror()));
    }

    /** A remote store that never sends chunks, and whose requests for them interrupt the caller. */
    private static final class Stuck extends ForwardingStore implements RemoteReads {
        private final RemoteAdapter behind;

        Stuck(RemoteAdapter behind) {
            super(behind);
            this.behind = behind;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            if (request.key().startsWith("c/")) {
                Thread.currentThread().interrupt();
                return new CompletableFuture<>();
            }
            return behind.fetch(request);
        }

        @Override
        public int maxRequests() {
            return 1;
        }
    }

    @Test
    void interrupt_endsTheWaitForAChunk() {
        MemoryStore memory = MemoryStore.create();
        ZarrArray array = Zarr.createArray(memory, "", SPEC, IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), IntStream.range(0, 64 * 64).toArray(), 0);
        Copy copy = Copy.of(Zarr.openArray(new Stuck(RemoteAdapter.of(memory, Runnable::run, 1)), "", OPTIONS));
        CancellationException e =
                assertThrows(CancellationException.class, () -> copy.missingOnlyTo(MemoryStore.create(), OPTIONS));
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertTrue(e.getMessage().contains("interrupted while reading c/"), e.getMessage());
    }
}
