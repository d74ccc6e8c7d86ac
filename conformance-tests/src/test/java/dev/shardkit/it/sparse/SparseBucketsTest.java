package dev.shardkit.it.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.VersityServer;
import java.net.URI;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs over a sparse array in a bucket take the requests of a listing, and those for the shards that it names. */
@Timeout(240)
@Tag("one-jdk")
class SparseBucketsTest {
    private static final int SHARDS = 20;
    /** A listing has one page; other requests look for the array's document and for leftovers. */
    private static final int FEW = 4;
    /** A new array looks for what is in its place, and for its record before its document, and has a document. */
    private static final int CREATION = 21;
    /** Each of so few chunks of the coarsest level is looked for. */
    private static final int FEW_CHUNKS = 8;

    private final AtomicInteger requests = new AtomicInteger();
    private Store store;
    private ZarrArray array;

    @BeforeEach
    void create() {
        store = bucket();
        ArraySpec spec = ArraySpec.of("uint16", 108 * 4, 108 * 4, 108 * 4)
                .withChunkShape(2, 2, 2)
                .withShardShape(4, 4, 4);
        array = Zarr.createArray(store, "", spec, IfExists.REFUSE, ZarrOptions.defaults());
        Random random = new Random(5);
        short[] values = new short[64];
        Arrays.fill(values, (short) 9);
        for (int i = 0; i < SHARDS; i++) {
            long[] origin = {4L * random.nextInt(108), 4L * random.nextInt(108), 4L * random.nextInt(108)};
            array.write(Box.of(origin, new long[] {4, 4, 4}), values, 0);
        }
        requests.set(0);
    }

    private Store bucket() {
        URI root = URI.create(
                "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20"));
        return S3Store.builder(root)
                .endpoint(VersityServer.server())
                .region("us-east-1")
                .credentials(AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY))
                .metrics(request -> requests.incrementAndGet())
                .build();
    }

    @AfterEach
    void close() {
        if (store != null) { // null if the test is skipped for want of a server
            array.close();
            store.close();
        }
    }

    private void assertRequests(int most, String job) {
        int found = requests.getAndSet(0);
        assertTrue(found <= most, job + ": " + found + " requests, expected at most " + most);
    }

    @Test
    void sizes_takeTheListing() {
        assertEquals(SHARDS, StorageSize.of(array).objects());
        assertRequests(FEW, "sizes");
    }

    @Test
    void statistics_readStoredShardsOnly() {
        Statistics.Result result = Statistics.of(array).run();
        assertEquals(result.elements() - SHARDS * 64, result.fill());
        assertRequests(FEW + SHARDS, "statistics");
    }

    @Test
    void verification_readsStoredShardsOnly() {
        assertEquals(SHARDS, Verification.of(array).run(finding -> {}).shards());
        assertRequests(FEW + SHARDS, "verification");
    }

    @Test
    void presence_readsIndexesOfStoredShardsOnly() {
        assertEquals(SHARDS * 8, array.presence().count());
        assertRequests(FEW + SHARDS, "presence");
    }

    @Test
    void copies_andComparison_readStoredShardsOnly() {
        try (Store same = MemoryStore.create();
                Store other = MemoryStore.create()) {
            Copy.of(array).to(same, ZarrOptions.defaults());
            assertRequests(FEW + SHARDS, "copy");
            Copy.of(array).withShardShape(8, 8, 8).to(other, ZarrOptions.defaults());
            assertRequests(FEW + SHARDS, "copy to other shards");
            assertSame(other, FEW + SHARDS);
        }
    }

    @Test
    void copiesInABucket_readAndWriteEachStoredShardOnce() {
        try (Store same = bucket();
                Store other = bucket()) {
            Copy.of(array).to(same, ZarrOptions.defaults());
            assertRequests(CREATION + SHARDS, "copy in the server");
            Copy.of(array).withShardShape(8, 8, 8).to(other, ZarrOptions.defaults());
            assertRequests(CREATION + 2 * SHARDS, "copy to other shards in a bucket");
            // Boxes of the source's shards are parts of those of the copy, which take two requests.
            assertSame(other, 2 * FEW + 3 * SHARDS);
        }
    }

    private void assertSame(Store copied, int most) {
        try (ZarrArray copy = Zarr.openArray(copied, "", ZarrOptions.defaults())) {
            assertEquals(
                    0,
                    Comparison.of(array, copy)
                            .ignoringLayout()
                            .run(difference -> {})
                            .elements());
        }
        assertRequests(most, "comparison");
    }

    @Test
    void move_comparesByListings() {
        try (Store moved = bucket()) {
            Move.of(store, moved).run(ZarrOptions.defaults());
            int lookForAMoveOfTheSource = 1;
            int versionOfTheRecord = 1; // on which the put depends that begins the deletion
            assertRequests(2 * CREATION + SHARDS + lookForAMoveOfTheSource + versionOfTheRecord, "move");
        }
    }

    @Test
    void pyramid_readsStoredShardsOnly() {
        try (Store image = bucket()) {
            Pyramid.of(array).to(image, ZarrOptions.defaults());
            int levels = 6;
            assertRequests(levels * (CREATION + 2 * SHARDS) + 2 * FEW_CHUNKS, "pyramid");
        }
    }
}
