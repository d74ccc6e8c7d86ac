package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What changes under a read of parts is read again, by all who have read it and by nobody else. */
@Timeout(300)
class PartedReadTest {
    private static final int OBJECTS = 36;

    private final LocalStore store = new LocalStore();
    private final Engine engine = Runs.engine(3);
    /** What each part has read last, by key. */
    private final Map<Long, Map<String, String>> read = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> opens = new ConcurrentHashMap<>();
    private final List<String> told = new ArrayList<>();

    PartedReadTest() {
        for (int i = 0; i < OBJECTS; i++) {
            store.with("k" + i, Runs.shard("000"));
        }
    }

    @AfterEach
    void everySnapshotIsClosed() {
        assertEquals(store.opened.get(), store.closed.get());
    }

    private final StoreListener listener = new StoreListener() {
        @Override
        public void onChanged(String key, int attempt) {
            told.add(key);
        }
    };

    private ReadContext context() {
        return Runs.context(store, new ValueCache(1 << 20), listener);
    }

    /** Changes the bytes that open snapshots read. */
    private void patch(String key, String content) {
        store.overwrite(key, 2, content.getBytes());
    }

    private PartedRead<Map<Long, Map<String, String>>> parts(List<List<String>> keys) {
        return new PartedRead<>(keys.size(), i -> Runs.reading(i, keys.get((int) i), read), () -> read);
    }

    private void count(String key) {
        opens.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
    }

    private static List<List<String>> oneEach(int count) {
        List<List<String>> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(List.of("k" + i));
        }
        return keys;
    }

    /**
     * Each ten objects that are opened, the first one is changed: a read of all of them never meets it unchanged. The
     * others are opened when the first one is being read, whichever thread reads it.
     */
    private void writeInPlaceWhileReading() {
        AtomicInteger time = new AtomicInteger();
        CountDownLatch firstIsRead = new CountDownLatch(1);
        store.onRead = key -> {
            if (key.equals("k0")) {
                firstIsRead.countDown();
            }
        };
        store.onOpen = key -> {
            count(key);
            if (!key.equals("k0")) {
                PlanExecutionTest.await(firstIsRead);
            }
            int now = time.incrementAndGet();
            if (now % 10 == 0) {
                patch("k0", String.valueOf(100 + now));
            }
        };
    }

    private void onlyTheFirstWasReadAgain() {
        for (int i = 1; i < OBJECTS; i++) {
            assertEquals(1, opens.get("k" + i).get(), "k" + i);
            assertEquals("000", read.get((long) i).get("k" + i));
        }
        assertTrue(opens.get("k0").get() <= 12, opens.toString());
        assertEquals(
                new String(store.get("k0").orElseThrow()).substring(2),
                read.get(0L).get("k0"));
    }

    @Test
    void objectChangedWhileOthersAreRead_isReadAgainAlone() {
        writeInPlaceWhileReading();
        engine.callParts(() -> parts(oneEach(OBJECTS)), context());
        onlyTheFirstWasReadAgain();
        assertEquals(List.of("k0"), told.stream().distinct().toList());
    }

    @Test
    void objectChangedWhileOthersAreRead_isReadAgainAlone_async() throws Exception {
        writeInPlaceWhileReading();
        engine.startParts(() -> parts(oneEach(OBJECTS)), context()).get();
        onlyTheFirstWasReadAgain();
    }

    @Test
    void objectOfSeveralParts_isReadAgainByAllWhoShareAnything() {
        List<List<String>> keys =
                List.of(List.of("k0", "k1"), List.of("k1", "k2"), List.of("k2"), List.of("k3"), List.of("k3", "k4"));
        AtomicInteger changes = new AtomicInteger();
        store.onOpen = this::count;
        store.onRead = key -> { // others may read at any time: k4 changes when it is open, by its own reader
            if (key.equals("k4") && changes.getAndIncrement() == 0) {
                patch("k4", "111");
                store.with("k3", Runs.shard("222"));
            }
        };
        engine.callParts(() -> parts(keys), context());
        assertEquals(2, opens.get("k4").get());
        assertEquals(2, opens.get("k3").get());
        assertEquals(
                1,
                opens.get("k0").get() + opens.get("k1").get() + opens.get("k2").get() - 2);
        assertEquals("222", read.get(3L).get("k3"));
        assertEquals(Map.of("k3", "222", "k4", "111"), read.get(4L));
    }

    @Test
    void objectMetForTheFirstTimeInALaterRound_isOfOneVersionForAll() {
        AtomicInteger opened = new AtomicInteger();
        store.onOpen = key -> {
            if (key.equals("k0") && opened.getAndIncrement() == 0) {
                throw new ObjectChangedException("replaced while it was opened");
            } else if (key.equals("k0")) {
                store.with("k1", Runs.shard("333")); // others have read it, and their round is over
            }
        };
        engine.callParts(() -> parts(List.of(List.of("k0", "k1"), List.of("k1"), List.of("k2"))), context());
        assertEquals("333", read.get(0L).get("k1"));
        assertEquals("333", read.get(1L).get("k1"));
    }

    @Test
    void objectThatIsTorn_isReadAgain_andOneThatIsCorruptEndsTheRead() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        store.onOpen = key -> {
            if (key.equals("k0") && opened.getAndIncrement() == 0) {
                store.onRead = k -> {
                    if (k.equals("k0")) {
                        store.onRead = other -> {};
                        patch("k0", "0!1");
                        store.with("k0", Runs.shard("001"));
                    }
                };
            }
        };
        engine.callParts(() -> parts(oneEach(OBJECTS)), context());
        assertEquals("001", read.get(0L).get("k0"));
        store.with("k7", Runs.shard("?!?"));
        store.onOpen = key -> patch("k0", "002");
        told.clear();
        assertThrows(CorruptDataException.class, () -> engine.callParts(() -> parts(oneEach(OBJECTS)), context()));
        assertInstanceOfCorrupt(
                assertThrows(ExecutionException.class, () -> engine.startParts(() -> parts(oneEach(OBJECTS)), context())
                        .get()));
        assertEquals(List.of(), told);
    }

    @Test
    void failureOfMakingAPlan_whileAnObjectChanges_beginsTheReadAgain() {
        AtomicInteger opened = new AtomicInteger();
        store.onOpen = key -> {
            if (key.equals("k0") && opened.getAndIncrement() == 0) {
                store.overwrite("k1", 2, "0".getBytes());
                store.onRead = k -> {
                    if (k.equals("k0")) {
                        store.onRead = other -> {};
                        patch("k0", "!!!");
                        store.with("k0", Runs.shard("001"));
                    }
                };
            }
        };
        engine.callParts(
                () -> new PartedRead<>(
                        2,
                        i -> Runs.indexed("k" + i)
                                .then(text -> Plan.each(1, n -> {
                                    if (text.contains("!")) {
                                        throw new CorruptDataException("expected digits, found " + text);
                                    }
                                    read.put(i, Map.of("k" + i, text));
                                    return Plan.done();
                                })),
                        () -> read),
                context());
        assertEquals("001", read.get(0L).get("k0"));
        assertEquals("000", read.get(1L).get("k1"));
    }

    private static void assertInstanceOfCorrupt(ExecutionException e) {
        assertTrue(e.getCause() instanceof CorruptDataException, e.toString());
    }

    @Test
    void objectThatChangesInEveryRound_isAnErrorInTheEnd() {
        store.onOpen = this::count;
        store.onRead = key -> {
            if (key.equals("k5")) {
                patch("k5", "123");
            }
        };
        ObjectChangedException e = assertThrows(
                ObjectChangedException.class, () -> engine.callParts(() -> parts(oneEach(OBJECTS)), context()));
        assertTrue(e.getMessage().contains("k5"), e.getMessage());
        assertEquals(200, opens.get("k5").get());
        assertEquals(1, opens.get("k6").get());
    }

    @Test
    void moreObjectsThanAreRemembered_areReadAgainTogether() {
        int many = ReadDependencies.MAX + 1000;
        Map<Integer, String> values = new ConcurrentHashMap<>();
        for (int i = 0; i < many; i++) {
            store.with("k" + i, "0".getBytes());
        }
        String late = "k" + (many - 100);
        AtomicInteger opened = new AtomicInteger();
        store.onOpen = key -> opened.incrementAndGet();
        AtomicInteger changes = new AtomicInteger();
        store.onRead = key -> {
            if (key.equals(late) && changes.getAndIncrement() == 0) {
                store.overwrite(late, 0, "1".getBytes());
            }
        };
        engine.callParts(
                () -> new PartedRead<>(
                        many,
                        i -> Runs.text(Source.stored("k" + i), ByteRange.whole())
                                .map(text -> {
                                    values.put((int) i, text);
                                    return NoResult.INSTANCE;
                                }),
                        () -> NoResult.INSTANCE),
                context());
        assertEquals(many, values.size());
        assertEquals("1", values.get(many - 100));
        assertEquals(1, told.size());
        assertEquals(2 * many, opened.get());
    }

    /** Patches and replaces objects at random moments; in the end all parts have read one version of each object. */
    @Test
    void randomChanges_leaveNoObjectInTwoVersions() throws Exception {
        for (int seed = 0; seed < Rounds.of(40); seed++) {
            Random random = new Random(seed);
            int objects = seed % 20 == 0 ? 700 : 1 + random.nextInt(30);
            List<List<String>> keys = randomKeys(random, objects);
            for (int i = 0; i < objects; i++) {
                store.with("k" + i, Runs.shard("000"));
            }
            changeAtRandom(seed, objects);
            read.clear();
            if (random.nextBoolean()) {
                engine.callParts(() -> parts(keys), context());
            } else {
                engine.startParts(() -> parts(keys), context()).get();
            }
            store.onOpen = key -> {};
            store.onRead = key -> {};
            Map<String, String> seen = new ConcurrentHashMap<>();
            for (int p = 0; p < keys.size(); p++) {
                for (String key : keys.get(p)) {
                    String own = read.get((long) p).get(key);
                    assertEquals(seen.computeIfAbsent(key, k -> own), own, "seed " + seed + ", " + key + ", part " + p);
                    assertEquals(own.charAt(0), own.charAt(2), "seed " + seed + ", torn " + key);
                }
            }
        }
    }

    private static List<List<String>> randomKeys(Random random, int objects) {
        int sharing = random.nextInt(4);
        List<List<String>> keys = new ArrayList<>();
        for (int p = 0; p < objects; p++) {
            List<String> own = new ArrayList<>(List.of("k" + p));
            for (int more = random.nextInt(sharing + 1); more > 0; more--) {
                own.add(random.nextInt(own.size() + 1), "k" + random.nextInt(objects));
            }
            keys.add(own.stream().distinct().toList());
        }
        return keys;
    }

    private void changeAtRandom(int seed, int objects) {
        Random random = new Random(-seed);
        AtomicInteger left = new AtomicInteger(random.nextInt(60));
        AtomicInteger version = new AtomicInteger(100);
        LocalStore.Hook hook = key -> {
            synchronized (random) {
                if (random.nextInt(4) == 0 && left.getAndDecrement() > 0) {
                    String other = random.nextInt(3) == 0 ? key : "k" + random.nextInt(objects);
                    char digit = (char) ('1' + version.incrementAndGet() % 9);
                    String content = "" + digit + (char) ('0' + version.get() / 9 % 10) + digit;
                    if (random.nextInt(3) == 0) {
                        store.with(other, Runs.shard(content));
                    } else {
                        patch(other, content);
                    }
                }
            }
        };
        store.onOpen = hook;
        store.onRead = hook;
    }
}
