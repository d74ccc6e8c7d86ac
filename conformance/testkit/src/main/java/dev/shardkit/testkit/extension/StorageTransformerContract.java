package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.testkit.SampleBytes;
import dev.shardkit.testkit.internal.Rounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * The contract of storage transformers as tests: the keys that a transformer offers behave like those of a store. To
 * test a transformer, extend this class and supply the transformer and keys, some of which share a stored object.
 */
public abstract class StorageTransformerContract {
    /** The number of random edits. */
    private static final int STEPS = Rounds.of(40);

    /** For subclasses. */
    protected StorageTransformerContract() {}

    /** Returns the transformer. */
    protected abstract StorageTransformer transformer();

    /** Returns its factory. */
    protected abstract StorageTransformerFactory factory();

    /** Returns keys of the array. */
    protected abstract List<String> keys();

    private static Optional<byte[]> get(Keyspace keys, Map<String, byte[]> objects, String key) {
        return PlanProbe.over(objects).run(keys.open(key).then(source -> whole(source)));
    }

    private static Plan<Optional<byte[]>> whole(Source source) {
        return source.read(
                ByteRange.whole(),
                (answer, scratch) -> answer instanceof ReadResult.Found f
                        ? Optional.of(f.bytes().toArray())
                        : Optional.empty());
    }

    private static void edit(Keyspace keys, Map<String, byte[]> objects, String key, Edit change) {
        Edit edit = PlanProbe.over(objects).run(keys.edit(key, old -> Plan.done(change)));
        EditApplier.apply(edit, keys.storedKey(key), objects);
    }

    @Test
    void open_inAnEmptyStore_isAbsent() {
        Keyspace keys = transformer().over(Keyspace.stored());
        for (String key : keys()) {
            assertTrue(get(keys, Map.of(), key).isEmpty(), () -> "something under " + key);
        }
    }

    @Test
    void edits_readBack_likeThoseOfAStore() {
        Keyspace keys = transformer().over(Keyspace.stored());
        Map<String, byte[]> objects = new HashMap<>();
        Map<String, byte[]> model = new TreeMap<>();
        Random random = new Random(12);
        for (int i = 0; i < STEPS; i++) {
            String key = keys().get(random.nextInt(keys().size()));
            if (random.nextInt(4) == 0) {
                model.remove(key);
                edit(keys, objects, key, new Edit.Delete());
            } else {
                byte[] value = SampleBytes.make(SampleBytes.Kind.NOISE, 1 + random.nextInt(60));
                model.put(key, value);
                edit(keys, objects, key, Edit.replace(Bytes.of(value)));
            }
            assertValues(keys, objects, model);
        }
        for (String key : keys()) {
            edit(keys, objects, key, new Edit.Delete());
        }
        assertTrue(objects.isEmpty(), () -> "all values were deleted, but objects remain: " + objects.keySet());
    }

    /**
     * Checks that edits of several keys together have the same result as edits one after the other, unless the
     * transformer declines them.
     */
    @Test
    void editTogether_isAsOneAfterTheOther() {
        Keyspace keys = transformer().over(Keyspace.stored());
        Map<String, List<String>> byObject = new TreeMap<>();
        keys().forEach(key -> byObject.computeIfAbsent(keys.storedKey(key), k -> new ArrayList<>())
                .add(key));
        Map<String, byte[]> objects = new HashMap<>();
        Map<String, byte[]> model = new TreeMap<>();
        Random random = new Random(15);
        for (int i = 0; i < STEPS / 10; i++) {
            byObject.forEach((object, members) -> {
                List<String> some =
                        members.stream().filter(k -> random.nextInt(3) > 0).toList();
                Map<String, Edit> edits = new TreeMap<>();
                some.forEach(key -> edits.put(
                        key,
                        random.nextInt(3) == 0
                                ? new Edit.Delete()
                                : Edit.replace(
                                        Bytes.of(SampleBytes.make(SampleBytes.Kind.NOISE, 1 + random.nextInt(60))))));
                List<Function<Source, Plan<Edit>>> changes = new ArrayList<>();
                some.forEach(key -> changes.add(old -> Plan.done(edits.get(key))));
                Optional<Plan<Edit>> together = some.isEmpty() ? Optional.empty() : keys.editTogether(some, changes);
                if (together.isPresent()) {
                    EditApplier.apply(PlanProbe.over(objects).run(together.get()), object, objects);
                    edits.forEach((key, edit) -> {
                        model.remove(key);
                        EditApplier.apply(edit, Optional.empty()).ifPresent(value -> model.put(key, value));
                    });
                }
            });
            assertValues(keys, objects, model);
        }
    }

    /** Checks that the keys have the values of {@code model}. */
    private void assertValues(Keyspace keys, Map<String, byte[]> objects, Map<String, byte[]> model) {
        for (String key : keys()) {
            Optional<byte[]> found = get(keys, objects, key);
            assertEquals(model.containsKey(key), found.isPresent(), () -> "exists: " + key);
            found.ifPresent(bytes -> assertArrayEquals(model.get(key), bytes, () -> "value of " + key));
        }
    }

    @Test
    void edit_getsWhatLiesThere() {
        Keyspace keys = transformer().over(Keyspace.stored());
        Map<String, byte[]> objects = new HashMap<>();
        byte[] value = SampleBytes.make(SampleBytes.Kind.SMOOTH, 40);
        for (String key : keys()) {
            edit(keys, objects, key, Edit.replace(Bytes.of(value)));
            Optional<byte[]> old = PlanProbe.over(objects).run(keys.open(key).then(StorageTransformerContract::whole));
            assertArrayEquals(value, old.orElse(new byte[0]), () -> "stored value of " + key);
            boolean[] asked = new boolean[1];
            Edit edit = PlanProbe.over(objects)
                    .run(keys.edit(key, source -> whole(source).then(bytes -> {
                        asked[0] = true;
                        assertArrayEquals(value, bytes.orElse(new byte[0]), () -> "old value of " + key);
                        return Plan.done(new Edit.Keep());
                    })));
            assertTrue(asked[0], () -> "the edit did not ask for the change of " + key);
            Map<String, byte[]> before = new HashMap<>(objects);
            EditApplier.apply(edit, keys.storedKey(key), objects);
            assertEquals(
                    before.keySet(), objects.keySet(), () -> "objects after an edit of " + key + " that keeps all");
        }
    }

    @Test
    void configuration_makesTheSameTransformerAgain() {
        StorageTransformer again = LoadedExtensions.made(transformer().configuration(), factory()::create);
        assertEquals(factory().name(), transformer().name());
        assertEquals(transformer().configuration(), again.configuration());
        for (String key : keys()) {
            assertEquals(
                    transformer().over(Keyspace.stored()).storedKey(key),
                    again.over(Keyspace.stored()).storedKey(key));
        }
    }
}
