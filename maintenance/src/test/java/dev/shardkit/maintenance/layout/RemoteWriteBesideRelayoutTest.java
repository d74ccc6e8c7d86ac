package dev.shardkit.maintenance.layout;

import static dev.shardkit.remote.RemoteArrays.OPTIONS;
import static dev.shardkit.remote.RemoteArrays.SHARD;
import static dev.shardkit.remote.RemoteArrays.create;
import static dev.shardkit.remote.RemoteArrays.filled;
import static dev.shardkit.remote.RemoteArrays.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write into a remote store without locks says that it may be lost if the layout changes meanwhile. */
@Timeout(120)
class RemoteWriteBesideRelayoutTest {
    private static final int SHARDS = 4;

    private final MemoryStore behind = MemoryStore.conditional("remote");
    private final AtomicInteger puts = new AtomicInteger();

    /** A store that changes the layout after the writer has stored its first shard, before it answers. */
    private RemoteAdapter changing() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        create(remote, SHARDS, OPTIONS);
        write(Zarr.openArray(remote, "a", OPTIONS), 0, (long) SHARDS * SHARD, 1);
        remote.loseAnswers(key -> {
            if (key.startsWith("a/c/") && puts.getAndIncrement() == 0) {
                Relayout.of(Zarr.openArray(behind, "a", OPTIONS), ShardLayout.chunksPerShard(4))
                        .run(Mode.APPLY, told -> {});
            }
            return RemoteAdapter.Answer.COMES;
        });
        return remote;
    }

    private static void assertSaid(Throwable failure) {
        assertTrue(failure.getMessage().contains("codecs is ")
                || failure.getMessage().contains("chunk_grid is "));
        assertTrue(failure.getMessage().contains("may be lost"), failure.getMessage());
    }

    @Test
    void write_saysThatItMayBeLost() {
        ZarrArray array = Zarr.openArray(changing(), "a", OPTIONS);
        assertSaid(assertThrows(MetadataException.class, () -> write(array, 0, SHARD, 2)));
        assertEquals(1, puts.get());
    }

    @Test
    void writeAsync_saysThatItMayBeLost() {
        ZarrArray array = Zarr.openArray(changing(), "a", OPTIONS);
        CompletableFuture<?> written = array.writeAsync(
                Box.of(new long[] {0}, new long[] {SHARD}),
                NdArray.of(array.dataType(), new long[] {SHARD}, filled(SHARD, 2)));
        assertSaid(assertThrows(ExecutionException.class, written::get).getCause());
    }

    /** The check of a call costs one request, however many shards it writes. */
    @Test
    void check_isOneRequestForEachCall_andNoneForOwners() {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        ZarrArray array = create(remote, SHARDS, OPTIONS);
        ZarrArray owner = array.with(options -> options.withOwnership(WriteOwnership.OWNED));
        int[] requests = new int[2];
        for (int shards = 1; shards <= SHARDS; shards++) {
            write(array, 0, 1, shards); // the handle knows the document
            int before = remote.requests();
            write(array, 0, (long) shards * SHARD, shards + 10);
            requests[0] = remote.requests() - before;
            write(owner, 0, 1, shards);
            before = remote.requests();
            write(owner, 0, (long) shards * SHARD, shards + 20);
            requests[1] = remote.requests() - before;
            // Before and after the puts, the version of the document.
            assertEquals(shards + 2, requests[0]);
            assertEquals(shards + 1, requests[1]);
        }
        assertArrayEquals(filled(SHARDS * SHARD, SHARDS + 20), array.read().ints());
    }
}
