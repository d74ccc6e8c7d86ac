package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening and creating nodes, and writing feeds, without waiting. */
@Timeout(120)
class AsyncDoorsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final Json.Obj UNIT = Json.object().with("unit", Json.of("m"));
    private static final ArraySpec SPEC =
            ArraySpec.of("uint8", 100).withChunkShape(5).withShardShape(20);

    /** Gives each element its own index. */
    private static final Feed COUNTING = (part, to, offset, strides) -> {
        for (long i = 0; i < part.shape()[0]; i++) {
            ((Elements.Fixed) to).bytes().put((int) (offset + i * strides[0]), (byte) (part.origin()[0] + i));
        }
    };

    @TempDir
    private Path folder;

    private enum Kind {
        MEMORY,
        FILE,
        REMOTE
    }

    private Store store(Kind kind) {
        return switch (kind) {
            case MEMORY -> MemoryStore.create();
            case FILE -> FileStore.at(folder);
            case REMOTE -> RemoteAdapter.of(MemoryStore.conditional("remote"));
        };
    }

    private static <T> T value(CompletableFuture<T> future) throws Exception {
        return future.get(100, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> value(future)).getCause();
    }

    @ParameterizedTest
    @EnumSource
    void groupsAndArrays_areCreatedOpenedAndWritten(Kind kind) throws Exception {
        try (Store store = store(kind)) {
            ZarrGroup root = value(Zarr.createGroupAsync(store, "", UNIT, IfExists.REFUSE, OPTIONS));
            assertEquals(UNIT, root.attributes());
            value(Zarr.createArrayAsync(store, "a", SPEC, IfExists.REFUSE, OPTIONS));
            ZarrArray below = value(root.createArrayAsync("g/b", SPEC, IfExists.REFUSE));
            value(root.createGroupAsync("h", UNIT, IfExists.REFUSE));

            ZarrGroup opened = value(Zarr.openGroupAsync(store, "", OPTIONS));
            assertEquals(UNIT, opened.attributes());
            assertArrayEquals(new long[] {100}, opened.array("a").shape());
            assertEquals(UNIT, value(Zarr.openGroupAsync(store, "h", OPTIONS)).attributes());
            assertEquals(
                    Json.object(),
                    value(Zarr.openGroupAsync(store, "g", OPTIONS)).attributes());

            value(below.writeAsync(Box.of(new long[] {30}, new long[] {60}), COUNTING));
            byte[] expected = new byte[100];
            for (int i = 0; i < 60; i++) {
                expected[30 + i] = (byte) i;
            }
            assertArrayEquals(expected, opened.array("g/b").read().bytes());
        }
    }

    @ParameterizedTest
    @EnumSource
    void failures_areThoseOfTheCallsThatWait(Kind kind) throws Exception {
        try (Store store = store(kind)) {
            value(Zarr.createArrayAsync(store, "a", SPEC, IfExists.REFUSE, OPTIONS));
            assertInstanceOf(
                    StoreException.class, failure(Zarr.createArrayAsync(store, "a", SPEC, IfExists.REFUSE, OPTIONS)));
            assertInstanceOf(
                    StoreException.class, failure(Zarr.createGroupAsync(store, "a", UNIT, IfExists.REFUSE, OPTIONS)));
            for (String path : List.of("a", "none")) {
                Throwable thrown = failure(Zarr.openGroupAsync(store, path, OPTIONS));
                MetadataException waiting =
                        assertThrows(MetadataException.class, () -> Zarr.openGroup(store, path, OPTIONS));
                assertEquals(waiting.getMessage(), thrown.getMessage());
                assertInstanceOf(MetadataException.class, thrown);
            }
            ZarrArray array = Zarr.openArray(store, "a", OPTIONS);
            IllegalStateException own = new IllegalStateException("the feed's own");
            assertSame(own, failure(array.writeAsync(array.domain(), (part, to, offset, strides) -> {
                throw own;
            })));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> array.writeAsync(Box.of(new long[] {50}, new long[] {60}), COUNTING));
        }
    }

    @Test
    void overHttp_groupsOpen_andCreatingSaysThatItCannot() throws Exception {
        MemoryStore memory = MemoryStore.create();
        Zarr.createGroup(memory, "", UNIT, IfExists.REFUSE, OPTIONS).createArray("a", SPEC, IfExists.REFUSE);
        try (RangeServer server = RangeServer.start();
                HttpStore http = HttpStore.builder(server.uri()).build()) {
            server.put("zarr.json", whole(memory, "zarr.json")).put("a/zarr.json", whole(memory, "a/zarr.json"));
            ZarrGroup group = value(Zarr.openGroupAsync(http, "", OPTIONS));
            assertEquals(UNIT, group.attributes());
            assertEquals(1, server.log().size());
            assertArrayEquals(new long[] {100}, group.array("a").shape());
            assertInstanceOf(MetadataException.class, failure(Zarr.openGroupAsync(http, "a", OPTIONS)));
            assertInstanceOf(
                    UnsupportedException.class,
                    failure(Zarr.createGroupAsync(http, "b", UNIT, IfExists.REFUSE, OPTIONS)));
        }
    }

    private static byte[] whole(Store store, String key) throws IOException {
        try (var object = BlockingStore.to(store).open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(object.size()));
            object.read(0, bytes);
            return bytes.array();
        }
    }

    /** A remote store of which the test sees what each request comes to. */
    private static final class Watched extends ForwardingStore implements RemoteReads {
        private final RemoteAdapter remote;
        private final BlockingQueue<CompletableFuture<FetchResult>> fetches = new LinkedBlockingQueue<>();

        Watched(RemoteAdapter remote) {
            super(remote);
            this.remote = remote;
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            CompletableFuture<FetchResult> future = remote.fetch(request);
            fetches.add(future);
            return future;
        }
    }

    @Test
    void cancelling_endsTheRequests_andStoresNothing() throws Exception {
        MemoryStore memory = MemoryStore.conditional("held");
        List<Runnable> held = Collections.synchronizedList(new ArrayList<>());
        Watched store = new Watched(RemoteAdapter.of(memory, held::add, 16));
        List<Supplier<CompletableFuture<?>>> calls = List.of(
                () -> Zarr.openGroupAsync(store, "", OPTIONS),
                () -> Zarr.createGroupAsync(store, "g", UNIT, IfExists.REFUSE, OPTIONS),
                () -> Zarr.createArrayAsync(store, "a", SPEC, IfExists.REFUSE, OPTIONS));
        for (Supplier<CompletableFuture<?>> call : calls) {
            CompletableFuture<?> future = call.get();
            CompletableFuture<FetchResult> request = store.fetches.take();
            assertTrue(future.cancel(true));
            assertThrows(CancellationException.class, () -> request.get(100, TimeUnit.SECONDS));
        }
        held.forEach(Runnable::run);
        assertEquals(0, store.remote.writes());
    }

    @Test
    void cancellingTheWriteOfAFeed_interruptsIt() throws Exception {
        ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", SPEC, IfExists.REFUSE, OPTIONS.withParallelism(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CompletableFuture<?> writing = array.writeAsync(array.domain(), (part, to, offset, strides) -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await(100, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new CancellationException("interrupted");
            }
        });
        assertTrue(begun.await(100, TimeUnit.SECONDS));
        assertTrue(writing.cancel(true));
        assertTrue(interrupted.await(100, TimeUnit.SECONDS));
        array.write(array.domain(), COUNTING); // the locks are free
        assertEquals(99, array.read().bytes()[99]);
    }
}
