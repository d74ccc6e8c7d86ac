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

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.remote.RemoteArrays;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer without locks that loses a race stores nothing into an array that has replaced its own. */
@Timeout(120)
class LostRaceTest {
    private static final int SHARDS = 2;
    private static final String FIRST_SHARD = "a/c/0";

    private final MemoryStore behind = MemoryStore.conditional("behind");
    private final AtomicInteger puts = new AtomicInteger();

    /** The local store, which runs an action before the first put of a shard. */
    private Store local(Runnable before) {
        return new Interposed(behind, key -> raced(key, before));
    }

    /** The store as a remote one, which does the same. */
    private RemoteAdapter remote(Runnable before) {
        RemoteAdapter remote = RemoteAdapter.of(behind);
        remote.loseAnswers(key -> {
            raced(key, before);
            return RemoteAdapter.Answer.COMES;
        });
        return remote;
    }

    private void raced(String key, Runnable before) {
        if (key.equals(FIRST_SHARD) && puts.getAndIncrement() == 0) {
            before.run();
        }
    }

    private void createHere() {
        write(create(behind, SHARDS, OPTIONS), 0, (long) SHARDS * SHARD, 1);
    }

    /** Shards of the new array decode with the layout of the old one. */
    private void replace() {
        ArraySpec spec = ArraySpec.of("float32", (long) SHARDS * SHARD)
                .withChunkShape(RemoteArrays.CHUNK)
                .withShardShape(SHARD);
        ZarrArray array = Zarr.createArray(behind, "a", spec, IfExists.OVERWRITE, OPTIONS);
        array.write(Values.range(0, (long) SHARDS * SHARD), floats(), 0);
    }

    private static float[] floats() {
        float[] all = new float[SHARDS * SHARD];
        Arrays.fill(all, 3);
        return all;
    }

    private void changeLayout() {
        Relayout.of(here(), ShardLayout.chunksPerShard(4)).run(Mode.APPLY, told -> {});
    }

    private ZarrArray here() {
        return Zarr.openArray(behind, "a", OPTIONS);
    }

    private static void assertRefused(String member, ZarrArray array, long count) {
        MetadataException failure = assertThrows(MetadataException.class, () -> write(array, 0, count, 2));
        assertTrue(failure.getMessage().contains(member + " is "), failure.getMessage());
    }

    @Test
    void localPart_leavesANewArray() {
        createHere();
        assertRefused("data_type", Zarr.openArray(local(this::replace), "a", OPTIONS), 1);
        assertArrayEquals(floats(), here().read().floats());
        assertEquals(1, puts.get());
    }

    @Test
    void remotePart_leavesANewArray() {
        createHere();
        assertRefused("data_type", Zarr.openArray(remote(this::replace), "a", OPTIONS), 1);
        assertArrayEquals(floats(), here().read().floats());
        assertEquals(1, puts.get());
    }

    @Test
    void localShard_leavesANewLayout() {
        createHere();
        assertRefused("chunk_grid", Zarr.openArray(local(this::changeLayout), "a", OPTIONS), SHARD);
        assertArrayEquals(filled(SHARDS * SHARD, 1), here().read().ints());
        assertEquals(1, puts.get());
    }

    /** Its shard does not decode with the old layout: the failure says why. */
    @Test
    void remotePart_leavesANewLayout() {
        createHere();
        assertRefused("chunk_grid", Zarr.openArray(remote(this::changeLayout), "a", OPTIONS), 1);
        assertArrayEquals(filled(SHARDS * SHARD, 1), here().read().ints());
        assertEquals(1, puts.get());
    }

    /** Besides what the second attempt costs, the version of the document is requested. */
    @Test
    void lostRace_costsOneMoreRequest() {
        createHere();
        RemoteAdapter remote = remote(() -> write(here(), 1, 1, 5));
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
        write(array, SHARD, 1, 2); // the handle knows the document, and no value of the first shard
        int before = remote.requests();
        write(array, SHARD, 1, 3);
        int once = remote.requests() - before;
        before = remote.requests();
        write(array, 0, 1, 4);
        int again = remote.requests() - before;
        assertEquals(2, puts.get());
        assertArrayEquals(new int[] {4, 5, 1}, here().read(Values.range(0, 3)).ints());
        assertEquals(4 + 1, again - once); // three reads, a put, and the version
    }

    private static final class Interposed extends ForwardingStore implements BlockingWrites {
        private final BlockingWrites writes;
        private final Consumer<String> before;

        Interposed(Store store, Consumer<String> before) {
            super(store);
            this.writes = (BlockingWrites) store.need(Writes.class, "writing");
            this.before = before;
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability == Writes.class ? Optional.of(ability.cast(this)) : super.find(ability);
        }

        @Override
        public Set<Condition.Kind> honours() {
            return writes.honours();
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            before.accept(key);
            return writes.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            return writes.deleteNow(key, condition);
        }
    }
}
