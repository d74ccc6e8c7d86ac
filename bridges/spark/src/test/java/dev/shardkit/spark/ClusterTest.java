package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.registry.Registry;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3StoreFactory;
import dev.shardkit.testkit.server.VersityServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reshards on a standalone cluster, with speculative execution, while executors and the driver are killed. */
class ClusterTest {
    private static final int SIDE = 768;

    @TempDir
    static Path dir;

    private static Cluster cluster;
    private static String source;

    @BeforeAll
    static void start() throws Exception {
        source = dir.resolve("source").toString();
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE)
                .withChunkShape(32, 32)
                .withShardShape(96, 96)
                .withCodecs(Codecs.zstd(1));
        int[] values = new Random(1).ints(SIDE * SIDE).toArray();
        try (ZarrArray array = Zarr.createArray(source, spec)) {
            array.write(array.domain(), values, 0);
        }
        cluster = new Cluster(dir);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void files_withKills() throws Exception {
        String target = dir.resolve("copy").toString();
        String relative =
                Path.of("").toAbsolutePath().relativize(Path.of(target)).toString(); // of the driver's folder
        String[] command = {"reshard", source, relative, "--shard-shape", "64,64", "--tasks", "24"};
        Process killed = cluster.submit(Map.of(), command);
        cluster.await(killed, () -> Files.exists(dir.resolve("copy/c")), "no shard was stored");
        killed.destroyForcibly().waitFor();
        assertFalse(Files.exists(dir.resolve("copy/zarr.json")), "nothing is visible");
        cluster.awaitIdle();
        Process resumed = cluster.submit(Map.of(), command);
        long stored = shards();
        cluster.await(resumed, () -> shards() > stored, "no shard was stored");
        cluster.killExecutor();
        assertFalse(Files.exists(dir.resolve("copy/zarr.json")), "the kill came too late");
        cluster.end(resumed);
        assertCopied(target, ZarrOptions.defaults());
        assertTells(cluster.said(resumed));
        try (ZarrArray from = Zarr.openArray(source)) {
            Copy.of(from).withShardShape(64, 64).to(FileStore.at(dir.resolve("one")), ZarrOptions.defaults());
        }
        try (var files = Files.walk(dir.resolve("one"))) {
            for (Path file :
                    files.filter(Files::isRegularFile).filter(Sample::isOfNode).toList()) {
                Path same = dir.resolve("copy").resolve(dir.resolve("one").relativize(file));
                assertEquals(-1, Files.mismatch(file, same), file.toString());
            }
        }
    }

    /** The driver tells its progress, and at the end the bytes, the retries and what it skipped. */
    private static void assertTells(String said) {
        assertTrue(
                said.lines().anyMatch(line -> line.matches(".* of 24 tasks, .* read, .* written, about .* left")),
                said);
        assertTrue(
                said.lines()
                        .anyMatch(line -> line.matches(
                                ".*: 24 tasks in .* read, .* written, .* requests? and .* tasks? retried")),
                said);
        assertTrue(
                said.lines()
                        .anyMatch(line -> line.matches("the copy is complete: 144 shards with data(, [0-9]+ of them "
                                + "stored by an earlier run)?")),
                said);
    }

    private static long shards() {
        try (var files = Files.walk(dir.resolve("copy/c"))) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    @Test
    void s3_withAKill() throws Exception {
        Map<String, String> environment = Map.of(
                "AWS_ENDPOINT_URL_S3",
                VersityServer.server().toString(),
                "AWS_REGION",
                "us-east-1",
                "AWS_ACCESS_KEY_ID",
                VersityServer.ACCESS_KEY,
                "AWS_SECRET_ACCESS_KEY",
                VersityServer.SECRET_KEY);
        String target =
                "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "-") + "/copy";
        ZarrOptions options = ZarrOptions.defaults()
                .withRegistry(Registry.builder()
                        .all(Registry.load())
                        .store(new S3StoreFactory(s3 -> s3.endpoint(VersityServer.server())
                                .credentials(AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY))
                                .region("us-east-1")))
                        .build());
        cluster.awaitIdle();
        Process driver =
                cluster.submit(environment, "reshard", source, target, "--shard-shape", "192,192", "--tasks", "16");
        cluster.await(driver, () -> hasShard(target, options), "no shard was stored");
        cluster.killExecutor();
        cluster.end(driver);
        assertCopied(target, options);
    }

    /** Whether the first or the last shard is stored. */
    private static boolean hasShard(String target, ZarrOptions options) {
        try (var store = Zarr.openStore(target, options)) {
            return BlockingStore.to(store).open("c/0/0").isPresent()
                    || BlockingStore.to(store).open("c/0/1").isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertCopied(String target, ZarrOptions options) {
        try (ZarrArray from = Zarr.openArray(source);
                ZarrArray to = Zarr.openArray(target, options)) {
            assertEquals(
                    0,
                    Comparison.of(from, to)
                            .ignoringLayout()
                            .run(difference -> {})
                            .elements());
            assertEquals(0, Verification.of(to).run(finding -> {}).errors());
        }
    }
}
