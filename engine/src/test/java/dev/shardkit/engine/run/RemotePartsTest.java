package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What changes under a read of parts of a remote store is read again by all who have read it, and by nobody else. One
 * thread does everything, in the order that the test or a seed chooses.
 */
@Timeout(300)
class RemotePartsTest {
    private static final int SEEDS = Rounds.of(50);
    private static final long FIRST = Long.getLong("firstSeed", 0);

    private final List<Runnable> tasks = new ArrayList<>();
    private final RemoteStore store = new RemoteStore().asking();
    private final ValueCache cache = new ValueCache(1 << 20);
    private final Engine engine = Runs.engine((Executor) tasks::add, 3);
    /** What each part has read last, by key. */
    private final Map<Long, Map<String, String>> read = new HashMap<>();

    private CompletableFuture<NoResult> start(List<List<String>> keys) {
        MergePolicy policy = new MergePolicy(0, 1 << 20, 4);
        ReadContext context = new ReadContext(
                store, Runs.ARRAY, () -> policy, cache, ReadContext.Freshness.REVALIDATE, StoreListener.NONE);
        return engine.startParts(
                () -> new PartedRead<>(
                        keys.size(), i -> Runs.reading(i, keys.get((int) i), read), () -> NoResult.INSTANCE),
                context);
    }

    private boolean runTasks() {
        boolean any = !tasks.isEmpty();
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
        return any;
    }

    /** Answers all requests in order; {@code after} may change objects after each answer. */
    private void answerAll(java.util.function.Consumer<String> after) {
        while (runTasks() || !store.pending.isEmpty()) {
            RemoteStore.Pending next = store.pending.poll();
            if (next != null) {
                store.answer(next);
                after.accept(next.asked().key());
            }
        }
    }

    private Map<String, Long> requests() {
        return store.asked().stream()
                .collect(Collectors.groupingBy(RemoteStore.Asked::key, TreeMap::new, Collectors.counting()));
    }

    private void storeAll(String content, String... keys) {
        for (String key : keys) {
            store.with(key, Runs.shard(content));
        }
    }

    @Test
    void changedObject_isRequestedAgainAlone() {
        storeAll("0", "k0", "k1", "k2", "k3");
        CompletableFuture<NoResult> all = start(List.of(List.of("k0"), List.of("k1"), List.of("k2"), List.of("k3")));
        int[] answers = {0};
        answerAll(key -> {
            if (key.equals("k1") && answers[0]++ == 0) {
                storeAll("1", "k1");
            }
        });
        all.join();
        assertEquals(Map.of("k0", 2L, "k1", 4L, "k2", 2L, "k3", 2L), requests());
        assertEquals(Map.of("k1", "1"), read.get(1L));
    }

    @Test
    void partsThatShareAnything_runAgainTogether() {
        storeAll("0", "k0", "k1", "k2", "k3");
        CompletableFuture<NoResult> all = start(List.of(List.of("k0", "k1"), List.of("k1", "k2"), List.of("k3")));
        int[] answers = {0};
        answerAll(key -> {
            if (key.equals("k2") && answers[0]++ == 0) {
                storeAll("1", "k0", "k1", "k2", "k3");
            }
        });
        all.join();
        assertEquals(2L, requests().get("k3"));
        assertEquals(Map.of("k0", "1", "k1", "1"), read.get(0L));
        assertEquals(Map.of("k1", "1", "k2", "1"), read.get(1L));
        assertEquals(Map.of("k3", "0"), read.get(2L));
    }

    @Test
    void indexThatIsOutOfDate_isRequestedAgainAlone_andCorruptDataEndsTheRead() {
        storeAll("00", "k0", "k1", "k2");
        List<List<String>> keys = List.of(List.of("k0"), List.of("k1"), List.of("k2"));
        CompletableFuture<NoResult> first = start(keys);
        answerAll(key -> {});
        first.join();
        int before = store.requests();
        store.with("k1", "35!!5".getBytes());
        CompletableFuture<NoResult> second = start(keys);
        answerAll(key -> {});
        assertTrue(thrown(second) instanceof CorruptDataException, () -> thrown(second)
                .toString());
        assertTrue(store.requests() - before <= 5, requests().toString());
    }

    private static Throwable thrown(CompletableFuture<?> future) {
        return Failures.unwrap(assertThrows(java.util.concurrent.CompletionException.class, future::join));
    }

    @Test
    void objectThatChangesInEveryRound_isAnErrorInTheEnd() {
        storeAll("0", "k0", "k1");
        CompletableFuture<NoResult> all = start(List.of(List.of("k0"), List.of("k1")));
        answerAll(key -> {
            if (key.equals("k1")) {
                storeAll("1", "k1");
            }
        });
        assertTrue(
                thrown(all) instanceof ObjectChangedException, () -> thrown(all).toString());
        assertEquals(Map.of("k0", 2L, "k1", 10L), requests());
    }

    /** All parts have read one version of each object, whatever changes when. */
    @Test
    void everySchedule_leavesNoObjectInTwoVersions() {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new RemotePartsTest().run(seed);
        }
    }

    private void run(long seed) {
        String name = "seed " + seed;
        Random random = new Random(seed);
        int objects = 1 + random.nextInt(8);
        for (int i = 0; i < objects; i++) {
            storeAll("000", "k" + i);
        }
        for (int time = 0; time < 2; time++) { // the second read meets cached values
            List<List<String>> keys = randomKeys(random, objects);
            read.clear();
            storeAll("0".repeat(1 + random.nextInt(3)), "k" + random.nextInt(objects));
            CompletableFuture<NoResult> all = start(keys);
            drive(random, objects);
            assertTrue(all.isDone(), name + ": the read has not ended");
            all.join();
            checkVersions(keys, name);
        }
    }

    private void checkVersions(List<List<String>> keys, String name) {
        Map<String, String> seen = new HashMap<>();
        for (int p = 0; p < keys.size(); p++) {
            for (String key : keys.get(p)) {
                String own = read.get((long) p).get(key);
                assertEquals(seen.computeIfAbsent(key, k -> own), own, name + ", " + key + ", part " + p);
                assertEquals(own.charAt(0), own.charAt(own.length() - 1), name + ", torn " + key);
            }
        }
    }

    private void drive(Random random, int objects) {
        int changes = random.nextInt(4);
        // sizes stay the same: a server that is not told a pin cannot say why a range is past the end
        while (!tasks.isEmpty() || !store.pending.isEmpty()) {
            if (changes > 0 && random.nextInt(6) == 0) {
                changes--;
                String key = "k" + random.nextInt(objects);
                int size = store.size(key) - 2;
                storeAll(String.valueOf((char) ('1' + random.nextInt(9))).repeat(size), key);
            }
            int choice = random.nextInt(tasks.size() + store.pending.size());
            if (choice < tasks.size()) {
                tasks.remove(choice).run();
                continue;
            }
            RemoteStore.Pending next = List.copyOf(store.pending).get(choice - tasks.size());
            store.pending.remove(next);
            store.answer(next);
        }
    }

    private static List<List<String>> randomKeys(Random random, int objects) {
        int sharing = random.nextInt(3);
        List<List<String>> keys = new ArrayList<>();
        for (int p = 0; p < objects + random.nextInt(3); p++) {
            List<String> own = new ArrayList<>(List.of("k" + p % objects));
            for (int more = random.nextInt(sharing + 1); more > 0; more--) {
                own.add("k" + random.nextInt(objects));
            }
            keys.add(own.stream().distinct().toList());
        }
        return keys;
    }
}
