package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.remote.CountedReader.Read;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.server.VersityServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives and caches over the bucket of a real S3 server, the cache also shared by two processes. */
@Timeout(240)
@Tag("one-jdk")
class S3LayersTest {
    private static final ArraySpec SPEC = ArraySpec.of("int32", 256, 256)
            .withChunkShape(16, 16)
            .withShardShape(128, 128)
            .withCodecs(Codecs.bytesLittleEndian());
    private static final int[] ELEMENTS =
            IntStream.range(0, 256 * 256).map(i -> i * 0x9E3779B1).toArray();
    /** One request of one byte for each of four shards and for the metadata. */
    private static final int CHECKS = 5;

    private final CountedReader reader = new CountedReader(VersityServer.server());
    private final String root =
            "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20");

    @TempDir
    private Path folder;

    private String array() {
        try (Store store = reader.store(root);
                ZarrArray array = Zarr.createArray(store, "a.zarr", SPEC, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), ELEMENTS, 0);
        }
        return root + "/a.zarr";
    }

    /** Puts an archive into the bucket; returns its size. */
    private long archive(String name) throws Exception {
        Path file = folder.resolve("a.zip");
        try (ZarrArray array = Zarr.createArray(file.toString(), SPEC)) {
            array.write(array.domain(), ELEMENTS, 0);
        }
        try (Store store = reader.store(root)) {
            Content content = Content.of(Bytes.of(Files.readAllBytes(file)));
            BlockingStore.to(store).put(name, content, Condition.ANY, Durability.ATOMIC);
        }
        return Files.size(file);
    }

    private String cached(String location) {
        return "cache:" + location + "#folder=" + folder.resolve("cache");
    }

    private Read read(String location) {
        Read read = reader.read(location, Optional.empty());
        assertEquals(Arrays.hashCode(ELEMENTS), read.hash(), location);
        return read;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROOT/a.ozx", "zip:ROOT/a.bin", "ROOT/a.bin|zip:|zarr3:"})
    void archive_isRead_andAChunkOfItByRanges(String pattern) throws Exception {
        String location = pattern.replace("ROOT", root);
        long size = archive(pattern.contains("ozx") ? "a.ozx" : "a.bin");
        read(location);
        Box chunk = Box.of(new long[] {16, 16}, new long[] {16, 16});
        Read part = reader.read(location, Optional.of(chunk));
        int[] expected = IntStream.range(0, 256)
                .map(i -> ELEMENTS[(16 + i / 16) * 256 + 16 + i % 16])
                .toArray();
        assertEquals(Arrays.hashCode(expected), part.hash());
        assertTrue(part.received() < size / 2, part + " of " + size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache:ROOT/a.ozx", "zip:cache:ROOT/a.ozx"})
    void cachedArchive_isReadAgainByOneCheck(String pattern) throws Exception {
        String location = pattern.replace("ROOT", root);
        archive("a.ozx");
        System.setProperty("shardkit.cache.folder", folder.resolve("cache").toString());
        try {
            assertTrue(read(location).received() > 256 * 256 * 4);
            Read again = read(location);
            assertEquals(new Read(again.hash(), 1, 1), again);
        } finally {
            System.clearProperty("shardkit.cache.folder");
        }
    }

    @Test
    void cache_isSharedByTwoProcesses() {
        String array = array();
        String alone = cached(array) + "-alone";
        Read first = read(alone);
        try (Child one = child();
                Child two = child()) {
            List.of(one, two).forEach(child -> child.expect("ready"));
            List.of(one, two).forEach(child -> child.say(cached(array)));
            Read both = sum(one, two);
            assertTrue(both.requests() <= 2 * first.requests() + 2 * CHECKS, both + ", alone " + first);
            assertTrue(both.received() <= 2 * first.received() + 2 * CHECKS, both + ", alone " + first);
            List.of(one, two).forEach(child -> child.say(cached(array)));
            assertEquals(new Read(0, 2 * CHECKS, 2 * CHECKS), sum(one, two));
            one.say(alone); // filled by another process
            Read other = Read.of(one.line().orElseThrow());
            assertEquals(new Read(first.hash(), CHECKS, CHECKS), other);
        }
    }

    private static Child child() {
        return Child.start(CountedReader.class, "256m", VersityServer.server().toString());
    }

    /** Checks the elements that both have read; returns their requests and bytes. */
    private static Read sum(Child one, Child two) {
        Read first = Read.of(one.line().orElseThrow());
        Read second = Read.of(two.line().orElseThrow());
        assertEquals(Arrays.hashCode(ELEMENTS), first.hash());
        assertEquals(Arrays.hashCode(ELEMENTS), second.hash());
        return new Read(0, first.requests() + second.requests(), first.received() + second.received());
    }
}
