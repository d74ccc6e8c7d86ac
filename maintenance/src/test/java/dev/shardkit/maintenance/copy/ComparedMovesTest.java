package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A move deletes its source only after the copy was compared with it. */
@Timeout(120)
class ComparedMovesTest {
    private static final int LENGTH = 64;

    /** A store that loses bytes of a chunk, without a word, before the document of the array is stored. */
    private record Losing(MemoryStore kept, byte[] chunk) implements Store, BlockingWrites {
        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            if (key.equals("zarr.json")) {
                kept.putNow("c/1", Content.of(Bytes.of(chunk)), Condition.ANY, durability);
            }
            return kept.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            return kept.deleteNow(key, condition);
        }

        @Override
        public Set<Condition.Kind> honours() {
            return kept.honours();
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability.isInstance(this) ? Optional.of(ability.cast(this)) : kept.find(ability);
        }

        @Override
        public Reads reads() {
            return kept.reads();
        }

        @Override
        public String describe() {
            return "losing";
        }

        @Override
        public void close() {
            kept.close();
        }
    }

    /** A chunk of 16 elements is replaced by one of other bytes, or by a shorter one. */
    @ParameterizedTest
    @ValueSource(ints = {64, 60, 0})
    void copyThatDiffers_keepsTheSource(int bytes) {
        int[] values = new int[LENGTH];
        Arrays.setAll(values, i -> i + 1);
        ArraySpec spec = ArraySpec.of("int32", LENGTH).withChunkShape(16).withCodecs(Codecs.bytesLittleEndian());
        for (boolean remote : new boolean[] {false, true}) {
            MemoryStore source = MemoryStore.create();
            try (ZarrArray array = Zarr.createArray(source, "", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
                array.write(array.domain(), values, 0);
            }
            Store losing = new Losing(MemoryStore.create(), new byte[bytes]);
            Move move = Move.of(source, remote ? RemoteAdapter.of(losing) : losing);
            CorruptDataException thrown = assertThrows(
                    CorruptDataException.class, () -> move.run(ZarrOptions.defaults()), "remote: " + remote);
            assertTrue(thrown.getMessage().contains("the source was not deleted") || bytes < 64, thrown.getMessage());
            assertArrayEquals(
                    values,
                    Zarr.openArray(source, "", ZarrOptions.defaults()).read().ints());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copyThatIsEqual_replacesTheSource(boolean remote) {
        int[] values = new int[LENGTH];
        Arrays.setAll(values, i -> i + 1);
        ArraySpec spec = ArraySpec.of("int32", LENGTH).withChunkShape(16);
        MemoryStore source = MemoryStore.create();
        try (ZarrArray array = Zarr.createArray(source, "", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
        }
        MemoryStore target = MemoryStore.conditional("target");
        Move.of(source, remote ? RemoteAdapter.of(target) : target).run(ZarrOptions.defaults());
        assertArrayEquals(
                values,
                Zarr.openArray(target, "", ZarrOptions.defaults()).read().ints());
        assertTrue(Zarr.find(source, "", ZarrOptions.defaults()).isEmpty());
    }

    /** A resize can keep elements outside the shape, for a later one. A copy has none of them. */
    @Test
    void chunksOutsideTheShape_keepTheSource() {
        MemoryStore source = MemoryStore.create();
        ArraySpec spec = ArraySpec.of("int32", LENGTH).withChunkShape(16);
        try (ZarrGroup root = Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
                ZarrArray array = root.createArray("a", spec, IfExists.REFUSE)) {
            int[] values = new int[LENGTH];
            Arrays.fill(values, 7);
            array.write(array.domain(), values, 0);
            array.resize(new long[] {16}, ResizePolicy.KEEP);
        }
        MemoryStore target = MemoryStore.conditional("target");
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(source, target).run(ZarrOptions.defaults()));
        assertTrue(
                e.getMessage().contains("a/c/1") && e.getMessage().contains("outside the chunk grid"), e.getMessage());
        assertTrue(Zarr.find(target, "", ZarrOptions.defaults()).isEmpty());
        try (ZarrArray array = Zarr.openArray(source, "a", ZarrOptions.defaults())) {
            array.resize(new long[] {LENGTH}, ResizePolicy.KEEP);
            Move.of(source, target).run(ZarrOptions.defaults());
        }
        assertEquals(
                7, Zarr.openArray(target, "a", ZarrOptions.defaults()).read().ints()[LENGTH - 1]);
    }
}
