package dev.shardkit.store.hadoop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests what only HDFS has: versions, conditions, rights, names, failures, interrupted puts, and arrays in such a
 * store.
 */
@Timeout(120)
class HadoopStoreTest {
    private final URI location = HdfsCluster.fresh();
    private final HadoopStore store = HadoopStore.at(location, HdfsCluster.settings());
    private final BlockingStore access = BlockingStore.to(store);

    @AfterEach
    void close() {
        store.close();
    }

    private static Content content(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return Content.of(Bytes.of(bytes));
    }

    private void put(String key, int... values) throws Exception {
        access.put(key, content(values), Durability.ATOMIC);
    }

    private byte[] get(String key) throws Exception {
        try (ObjectSnapshot object = access.open(key).orElseThrow()) {
            ByteBuffer all = ByteBuffer.allocate((int) object.size());
            object.read(0, all);
            return all.array();
        }
    }

    private Path path(String key) {
        return new Path(location + "/" + key);
    }

    /** The services file names the factories, and each opens its locations. */
    @Test
    void urls_areOpenedByTheirFactories() throws Exception {
        put("a/k", 1, 2);
        for (String url : List.of(location.toString(), "hadoop:" + location)) {
            try (Store opened = Registry.load().open(URI.create(url))) {
                assertEquals(location.toString(), opened.describe());
                assertTrue(BlockingStore.to(opened).open("a/k").isPresent());
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new HadoopStoreFactory().open(URI.create("hadoop:/no/url")));
    }

    @Test
    void absent_isPutOnce() throws Exception {
        assertInstanceOf(WriteResult.Done.class, access.put("k", content(1), Condition.ABSENT, Durability.FORCED));
        assertEquals(WriteResult.NOT_MET, access.put("k", content(2), Condition.ABSENT, Durability.FORCED));
        assertArrayEquals(new byte[] {1}, get("k"));
        assertEquals(1, HdfsCluster.files().listStatus(path("")).length, "the file of the refused put remains");
    }

    /** Of writers that put one absent object at the same time, exactly one wins. */
    @Test
    void absent_putByManyAtOnce_hasOneWinner() throws Exception {
        for (int round = 0; round < 5; round++) {
            String key = "k" + round;
            Writes writes = store.need(Writes.class, "testing");
            List<CompletableFuture<WriteResult>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(writes.put(key, content(i), Condition.ABSENT, Durability.ATOMIC)
                        .toCompletableFuture());
            }
            List<Integer> winners = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                if (all.get(i).get() instanceof WriteResult.Done) {
                    winners.add(i);
                }
            }
            assertEquals(1, winners.size(), winners.toString());
            assertArrayEquals(new byte[] {winners.get(0).byteValue()}, get(key));
        }
    }

    @Test
    void pinned_fileThatAnotherProgramAppendsTo_hasChanged() throws Exception {
        put("k", 1, 2, 3);
        try (ObjectSnapshot object = access.open("k").orElseThrow()) {
            try (FSDataOutputStream out = HdfsCluster.files().append(path("k"))) {
                out.write(4);
            }
            assertThrows(ObjectChangedException.class, () -> object.read(0, ByteBuffer.allocate(3)));
        }
        assertArrayEquals(new byte[] {1, 2, 3, 4}, get("k"));
    }

    @Test
    void replacedFile_keepsItsPermissions() throws Exception {
        put("k", 1);
        HdfsCluster.files().setPermission(path("k"), new FsPermission((short) 0640));
        put("k", 2);
        assertEquals(
                new FsPermission((short) 0640),
                HdfsCluster.files().getFileStatus(path("k")).getPermission());
        access.put("n", Content.inPlaceOf(keys -> keys.accept("k"), content(3)), Durability.ATOMIC);
        assertEquals(
                new FsPermission((short) 0640),
                HdfsCluster.files().getFileStatus(path("n")).getPermission());
    }

    /** The group bits of a file with an ACL are its mask, so the group's own entry counts. */
    @Test
    void replacedFileWithAcl_limitsThePermissions() throws Exception {
        put("k", 1);
        HdfsCluster.files().setPermission(path("k"), new FsPermission((short) 0600));
        HdfsCluster.files().modifyAclEntries(path("k"), AclEntry.parseAclSpec("user:guest:r--", true));
        assertTrue(HdfsCluster.files().getFileStatus(path("k")).hasAcl());
        put("k", 2);
        assertEquals(
                new FsPermission((short) 0600),
                HdfsCluster.files().getFileStatus(path("k")).getPermission());
    }

    @Test
    void colon_isAbsent_andCannotBePut() throws Exception {
        assertEquals(Optional.empty(), access.open("a:b/c"));
        String refused =
                assertThrows(UnsupportedException.class, () -> put("a:b/c", 1)).getMessage();
        assertTrue(refused.contains("a:b/c") && refused.contains("colon"), refused);
    }

    @Test
    void deleted_leavesNoEmptyFolders() throws Exception {
        put("a/b/c", 1);
        put("a/k", 1);
        assertTrue(access.delete("a/b/c"));
        assertEquals(1, HdfsCluster.files().listStatus(path("a")).length);
    }

    @Test
    void folderInTheWay_isNamed() throws Exception {
        put("a/b", 1);
        String refused = assertThrows(StoreException.class, () -> put("a", 2)).getMessage();
        assertTrue(refused.contains(location + "/a"), refused);
        assertArrayEquals(new byte[] {1}, get("a/b"));
        assertEquals(1, HdfsCluster.files().listStatus(path("")).length, "the file of the failed put remains");
    }

    /** No answer of a name node says that an object is absent, except that there is no such file. */
    @Test
    void unreachableNameNode_isNoAbsence() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Configuration settings = new Configuration(HdfsCluster.settings());
        settings.setInt("ipc.client.connect.max.retries", 0);
        settings.setInt("dfs.client.retry.max.attempts", 0);
        try (Store other = HadoopStore.at(URI.create("hdfs://localhost:" + port + "/p"), settings)) {
            String failed = assertThrows(
                            StoreException.class, () -> BlockingStore.to(other).open("k"))
                    .getMessage();
            assertTrue(failed.contains("hdfs://localhost:" + port + "/p/k"), failed);
            assertThrows(StoreException.class, () -> BlockingStore.to(other).list("", entry -> {}));
            assertThrows(StoreException.class, () -> BlockingStore.to(other).put("k", content(1), Durability.ATOMIC));
        }
    }

    @Test
    void unknownFileSystem_isNamed() {
        String failed = assertThrows(
                        StoreException.class, () -> HadoopStore.at(URI.create("nosuch://host/p"), new Configuration()))
                .getMessage();
        assertTrue(failed.contains("nosuch"), failed);
    }

    /** A file system that cannot replace a file in one step is read-only. */
    @Test
    void otherFileSystems_areReadOnly() throws Exception {
        Configuration settings = new Configuration();
        settings.set("fs.view.impl", "org.apache.hadoop.fs.viewfs.ViewFileSystem");
        settings.set("fs.viewfs.mounttable.all.link./data", location.toString());
        put("a/k", 5);
        try (Store view = HadoopStore.at(URI.create("viewfs://all/data"), settings)) {
            assertTrue(!view.can(Writes.class) && !view.can(TreeDeletions.class) && !view.can(LeftoverCleanup.class));
            FetchResult found = ((HadoopStore) view)
                    .fetch("a/k", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
            assertArrayEquals(
                    new byte[] {5}, ((FetchResult.Found) found).bytes().toArray());
        }
    }

    private static final ArraySpec SPEC = ArraySpec.of("int32", 64, 64)
            .withChunkShape(8, 8)
            .withShardShape(32, 32)
            .withCodecs(Codecs.zstd(1));

    private static int[] values() {
        int[] values = new int[64 * 64];
        Arrays.setAll(values, i -> i + 1);
        return values;
    }

    @Test
    void array_isWrittenByItsOwner_andReadByAll() {
        ZarrOptions owner = ZarrOptions.defaults().withOwnership(WriteOwnership.OWNED);
        try (ZarrArray array = Zarr.createArray(store, "image", SPEC, IfExists.REFUSE, owner)) {
            array.write(array.domain(), values(), 0);
            array.write(Box.of(new long[] {3, 3}, new long[] {2, 2}), new int[] {-1, -2, -3, -4}, 0);
        }
        int[] expected = values();
        expected[3 * 64 + 3] = -1;
        expected[3 * 64 + 4] = -2;
        expected[4 * 64 + 3] = -3;
        expected[4 * 64 + 4] = -4;
        try (ZarrArray array = Zarr.openArray(store, "image", ZarrOptions.defaults())) {
            assertArrayEquals(expected, array.read().ints());
            String refused = assertThrows(
                            UnsupportedException.class,
                            () -> array.write(Box.of(new long[] {3, 3}, new long[] {1, 1}), new int[] {7}, 0))
                    .getMessage();
            assertTrue(refused.contains("WriteOwnership.OWNED") && refused.contains(location.toString()), refused);
        }
    }

    @Test
    void repair_namesAndRemovesTheFilesOfInterruptedPuts() throws Exception {
        ZarrOptions owner = ZarrOptions.defaults().withOwnership(WriteOwnership.OWNED);
        try (ZarrArray array = Zarr.createArray(store, "image", SPEC, IfExists.REFUSE, owner)) {
            array.write(array.domain(), values(), 0);
            Path killed = path("image/c/0/" + HadoopBlockingWrites.TEMPORARY + "x");
            try (FSDataOutputStream out = HdfsCluster.files().create(killed)) {
                out.write(new byte[99]);
            }
            long old = System.currentTimeMillis() - Duration.ofDays(2).toMillis();
            HdfsCluster.files().setTimes(killed, old, -1);
            List<RepairStep> steps = new ArrayList<>();
            Repair.of(array).run(Mode.APPLY, steps::add);
            assertEquals(1, steps.size(), steps.toString());
            assertTrue(steps.get(0).reason().contains("99 bytes"), steps.toString());
            assertTrue(!HdfsCluster.files().exists(killed));
            assertArrayEquals(values(), array.read().ints());
        }
    }
}
