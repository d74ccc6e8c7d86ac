package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several writers change the nodes of a hierarchy at once. Afterwards the consolidated metadata agrees with the stored
 * nodes.
 */
@Timeout(300)
class ConsolidatedWritersTest {
    private static final ArraySpec SPEC = ArraySpec.of("int32", 4).withChunkShape(2);
    private static final ZarrOptions OPTIONS =
            ZarrOptions.defaults().withDurability(Durability.ATOMIC).withParallelism(2);
    private static final int ROUNDS = 12;

    @TempDir
    Path dir;

    private static ZarrGroup root(Store store) {
        return Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
    }

    private static void check(Store store, String about) {
        ZarrGroup now = Zarr.openGroup(store, "", OPTIONS);
        Map<String, NodeMetadata> recorded = now.metadata().consolidated().orElseThrow();
        assertEquals(now.descendantMetadata(), recorded, about);
    }

    /**
     * While a group is consolidated for the first time, other writers create, change and remove nodes that it has
     * already read.
     */
    @Test
    void consolidation_ofNodesThatChangeMeanwhile_hasTheirNewState() {
        FileStore store = FileStore.at(dir);
        ZarrGroup root = root(store);
        for (String name : List.of("b", "c", "z")) {
            root.createArray(name, SPEC, IfExists.REFUSE).close();
        }
        AtomicInteger once = new AtomicInteger();
        StoreListener last = new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                if (key.equals("z/zarr.json") && once.getAndIncrement() == 0) {
                    root.createArray("a", SPEC, IfExists.REFUSE).close();
                    Zarr.openArray(store, "b", OPTIONS).delete();
                    Zarr.openArray(store, "c", OPTIONS).resize(new long[] {9}, ResizePolicy.KEEP);
                }
            }
        };
        Zarr.openGroup(store, "", OPTIONS.withListener(last)).consolidate();
        check(store, "after the first consolidation");
        assertEquals(Set.of("a", "c", "z"), Zarr.openGroup(store, "", OPTIONS).childNames());
        assertTrue(once.get() > 0, "nothing changed meanwhile");
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "memory", "conditional", "remote"})
    void manyWriters_loseNoNode(String kind) throws Exception {
        long seed = System.nanoTime();
        Store store =
                switch (kind) {
                    case "files" -> FileStore.at(dir);
                    case "memory" -> MemoryStore.named("m");
                    case "conditional" -> MemoryStore.conditional("c");
                    default -> RemoteAdapter.of(MemoryStore.conditional("f"));
                };
        root(store).consolidate().createArray("shared", SPEC, IfExists.REFUSE).close();
        int writers = 4;
        Phaser together = new Phaser(writers);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                int own = w;
                all.add(threads.submit(() -> {
                    Random random = new Random(seed + own);
                    try {
                        for (int round = 0; round < ROUNDS; round++) {
                            together.arriveAndAwaitAdvance();
                            step(store, own, random);
                            together.arriveAndAwaitAdvance();
                            if (own == 0) {
                                check(store, "seed " + seed + ", round " + round);
                            }
                        }
                    } finally {
                        together.arriveAndDeregister(); // the others do not wait for one that failed
                    }
                }));
            }
            assertAll("seed " + seed, all.stream().map(one -> one::get));
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * One change: the first writer consolidates; the others change one array, and move, create and remove own nodes.
     */
    private void step(Store store, int own, Random random) {
        ZarrGroup root = Zarr.openGroup(store, "", OPTIONS);
        if (own == 0) {
            root.consolidate();
            return;
        }
        Json.Obj attributes = Json.object().with("by", Json.of(random.nextInt()));
        if (random.nextInt(3) == 0) {
            root.array("shared").replaceAttributes(attributes);
            return;
        }
        String name = "n" + own;
        if (root.find(name).isEmpty()) {
            root.createArray(name + "/deep/a", SPEC, IfExists.REFUSE).close();
        } else if (store instanceof FileStore && random.nextBoolean()) {
            String other =
                    dir.resolve("m" + own + "-" + random.nextInt(1 << 30)).toString();
            try (Store from = Zarr.openStore(dir.resolve(name).toString(), OPTIONS);
                    Store to = Zarr.openStore(other, OPTIONS)) {
                Move.of(from, to).run(OPTIONS);
            }
        } else if (random.nextBoolean()) {
            root.find(name).orElseThrow().delete();
        } else {
            root.array(name + "/deep/a").replaceAttributes(attributes);
        }
    }
}
