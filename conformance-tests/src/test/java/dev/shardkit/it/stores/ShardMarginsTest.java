package dev.shardkit.it.stores;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.ShardMargins;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Compaction;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testing.RawShard;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.VersityServer;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers and footers of shards that were set through shardkit outlive every kind of write. */
@Timeout(240)
@Tag("one-jdk")
public class ShardMarginsTest {
    private static final int SIZE = 64;
    private static final int MAX = 1 << 20;
    private static final long[] FIRST = {0};
    /** They begin and end with zeros, as slack does. */
    private static final ShardMargins SET =
            new ShardMargins(new byte[] {0, 0, 'h', 1, 2, 0, 0, 0, 0}, new byte[] {0, 0, 0, 'f', 9, 0, 0});

    @TempDir
    Path dir;

    /** For JUnit, and for the interop check. */
    public ShardMarginsTest() {}

    /** Leaves arrays in {@code target/interop-stores} for those who read them back in the interop check. */
    @Test
    public void arraysWithHeaderAndFooter_areLeftForOtherLibraries() throws IOException {
        Path folder = Path.of("target", "interop-stores", "margins").toAbsolutePath();
        Files.createDirectories(folder);
        List<Json> rows = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            for (IndexLocation location : IndexLocation.values()) {
                String name = strategy + "-" + location;
                Set<Strategy> taken = EnumSet.noneOf(Strategy.class);
                ZarrOptions options = options(strategy, Durability.ATOMIC, taken);
                try (ZarrArray array = Zarr.createArray(
                        FileStore.at(folder.resolve(name + ".zarr")),
                        "a",
                        spec(location, true, true),
                        IfExists.OVERWRITE,
                        options)) {
                    work(array, SET, 15);
                    ByteBuffer bytes = ByteBuffer.allocate(4 * 2 * SIZE).order(ByteOrder.LITTLE_ENDIAN);
                    bytes.asIntBuffer().put(array.read().ints());
                    Files.write(folder.resolve(name + ".bin"), bytes.array());
                }
                rows.add(Json.object()
                        .with("id", Json.of("margins/" + name))
                        .with("store", Json.of(name + ".zarr"))
                        .with("array_path", Json.of("/a"))
                        .with("expected", Json.of(name + ".bin"))
                        .with("selections", new Json.Arr(List.of())));
            }
        }
        Files.writeString(folder.resolve("manifest.json"), new Json.Arr(rows).toString());
    }

    private static ArraySpec spec(IndexLocation location, boolean checked, boolean packed) {
        ArraySpec spec = ArraySpec.of("int32", 2 * SIZE)
                .withChunkShape(4)
                .withShardShape(SIZE)
                .withIndexLocation(location);
        ArraySpec packing = packed ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(1)) : spec;
        return checked ? packing : packing.withIndexCodecs(Codecs.bytesLittleEndian());
    }

    private static ZarrOptions options(Strategy strategy, Durability durability, Set<Strategy> taken) {
        return ZarrOptions.defaults()
                .withDurability(durability)
                .withWritePolicy(ShardWritePolicy.defaults()
                        .withStrategy(strategy)
                        .withSlack(new ShardWritePolicy.Slack(20, 64))
                        .withMaxUnusedPercent(90))
                .withListener(new StoreListener() {
                    @Override
                    public void onWrite(String key, Strategy done, long bytes) {
                        taken.add(done);
                    }
                });
    }

    /** Writes, erases, empties and fills a shard again, and compares elements, header and footer after each step. */
    private static void work(ZarrArray array, ShardMargins set, int steps) {
        int[] model = new int[2 * SIZE];
        Random random = new Random(7);
        Arrays.setAll(model, i -> random.nextInt());
        array.write(array.domain(), model.clone(), 0);
        array.writeMargins(FIRST, set);
        for (int step = 0; step < steps; step++) {
            int from = random.nextInt(SIZE - 1);
            int count = 1 + random.nextInt(Math.min(24, SIZE - from));
            Box part = Box.of(new long[] {from}, new long[] {count});
            int kind = random.nextInt(4);
            int[] values = kind == 0 ? new int[count] : random.ints(count).toArray();
            if (kind == 1) {
                Arrays.fill(values, step + 1); // compresses well
            }
            System.arraycopy(values, 0, model, from, count);
            if (kind == 0) {
                array.erase(part);
            } else {
                array.write(part, values, 0);
            }
            assertArrayEquals(model, array.read().ints());
            assertEquals(Optional.of(set), array.readMargins(FIRST, MAX), "after step " + step);
        }
        assertEquals(Optional.of(ShardMargins.NONE), array.readMargins(new long[] {1}, MAX));
        maintain(array, set, model);
    }

    private static void maintain(ZarrArray array, ShardMargins set, int[] model) {
        Compaction.of(array).run(Mode.APPLY, shard -> {});
        assertEquals(Optional.of(set), array.readMargins(FIRST, MAX), "after compaction");
        List<Finding> findings = Collections.synchronizedList(new ArrayList<>());
        assertEquals(0, Verification.of(array).run(findings::add).unusedBytes(), findings::toString);
        assertEquals(List.of(), findings);
        Repair.of(array).droppingCorruptChunks().run(Mode.APPLY, step -> {});
        assertEquals(Optional.of(set), array.readMargins(FIRST, MAX), "after repair");
        assertArrayEquals(model, array.read().ints());
    }

    private static ZarrArray create(Store store, ArraySpec spec, ZarrOptions options) {
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, options);
    }

    @ParameterizedTest
    @CsvSource({
        "REWRITE, NONE, END", "REWRITE, ATOMIC, START", "REWRITE, FORCED, END", "REWRITE, FORCED, START",
        "IN_PLACE, NONE, END", "IN_PLACE, ATOMIC, START", "IN_PLACE, FORCED, END", "IN_PLACE, FORCED, START",
        "APPEND, NONE, START", "APPEND, ATOMIC, END", "APPEND, FORCED, END", "APPEND, FORCED, START"
    })
    void everyStrategy_keepsThem_inFiles(Strategy strategy, Durability durability, IndexLocation location) {
        Set<Strategy> taken = EnumSet.noneOf(Strategy.class);
        for (boolean checked : new boolean[] {true, false}) {
            for (boolean packed : new boolean[] {true, false}) {
                for (ShardMargins set : List.of(SET, new ShardMargins(SET.header(), new byte[0]))) {
                    if (!Rounds.areMany() && (checked == packed) == (set == SET)) {
                        continue; // half of the combinations, in which each two properties meet in each way
                    }
                    Path place = dir.resolve(checked + "-" + packed + "-" + set.footer().length);
                    ArraySpec spec = spec(location, checked, packed);
                    ZarrOptions options = options(strategy, durability, taken);
                    try (ZarrArray array = create(FileStore.at(place), spec, options)) {
                        work(array, set, 15);
                    }
                }
            }
        }
        assertTrue(taken.contains(strategy), "the strategy was taken: " + taken);
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void owner_keepsThem(IndexLocation location) {
        Set<Strategy> taken = EnumSet.noneOf(Strategy.class);
        ZarrOptions options = options(Strategy.IN_PLACE, Durability.NONE, taken).withOwnership(WriteOwnership.OWNED);
        try (ZarrArray array = create(FileStore.at(dir), spec(location, true, false), options)) {
            work(array, SET, 15);
        }
        assertTrue(taken.contains(Strategy.IN_PLACE));
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void otherStores_keepThem(Strategy strategy) {
        Set<Strategy> taken = Collections.synchronizedSet(EnumSet.noneOf(Strategy.class));
        for (IndexLocation location : IndexLocation.values()) {
            ArraySpec spec = spec(location, true, true);
            ZarrOptions options = options(strategy, Durability.ATOMIC, taken);
            work(create(MemoryStore.create(), spec, options), SET, 10);
            work(create(RemoteAdapter.of(MemoryStore.conditional("remote")), spec, options), SET, 10);
        }
    }

    @Test
    void bucket_keepsThem() {
        URI place = URI.create(
                "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20"));
        try (S3Store store = S3Store.builder(place)
                .endpoint(VersityServer.server())
                .region("us-east-1")
                .credentials(AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY))
                .build()) {
            ZarrOptions options = options(Strategy.REWRITE, Durability.ATOMIC, EnumSet.noneOf(Strategy.class));
            work(create(store, spec(IndexLocation.END, true, true), options), SET, 5);
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void writeOfTheWholeShard_keepsThemOnlyIfToldTo(IndexLocation location) {
        ZarrArray array = create(MemoryStore.create(), spec(location, true, true), ZarrOptions.defaults());
        Box shard = Box.of(new long[1], new long[] {SIZE});
        int[] ones = new int[SIZE];
        Arrays.fill(ones, 1);
        array.write(shard, ones, 0);
        array.writeMargins(FIRST, SET);
        ZarrArray keeping =
                array.with(o -> o.withWritePolicy(ShardWritePolicy.defaults().withForeignBytes(ForeignBytes.KEEP)));
        Arrays.fill(ones, 2);
        keeping.write(shard, ones, 0);
        assertEquals(Optional.of(SET), array.readMargins(FIRST, MAX));
        assertArrayEquals(ones, array.read(shard).ints());
        array.write(shard, ones, 0);
        assertEquals(Optional.of(ShardMargins.NONE), array.readMargins(FIRST, MAX));
        array.writeMargins(FIRST, SET);
        keeping.erase(shard);
        assertEquals(Optional.empty(), array.readMargins(FIRST, MAX), "an empty shard is deleted");
    }

    /** The bytes are where the specification of the file format wants them: first and last in the shard. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000_000})
    void headerIsFirst_andFooterLast(int size) throws Exception {
        byte[] header = new byte[size];
        new Random(1).nextBytes(header);
        try (ZarrArray array = create(FileStore.at(dir), spec(IndexLocation.END, true, true), ZarrOptions.defaults())) {
            array.write(array.domain(), new Random(2).ints(2 * SIZE).toArray(), 0);
            byte[] before = Files.readAllBytes(dir.resolve("a/c/0"));
            if (size > 1_000_000) { // larger than any valid shard
                ShardMargins large = new ShardMargins(header, header);
                assertThrows(UnsupportedException.class, () -> array.writeMargins(FIRST, large));
                assertArrayEquals(before, Files.readAllBytes(dir.resolve("a/c/0")));
                return;
            }
            ShardMargins set = new ShardMargins(header, SET.footer());
            array.writeMargins(FIRST, set);
            byte[] shard = Files.readAllBytes(dir.resolve("a/c/0"));
            assertArrayEquals(header, Arrays.copyOf(shard, size));
            int index = 16 * 16 + 4;
            int end = shard.length - index;
            assertArrayEquals(SET.footer(), Arrays.copyOfRange(shard, end - SET.footer().length, end));
            assertEquals(Optional.of(set), array.readMargins(FIRST, MAX));
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> array.readMargins(FIRST, size + 6));
            assertTrue(e.getMessage().contains((size + 7) + " bytes, expected at most maxBytes"), e::getMessage);
            array.writeMargins(FIRST, ShardMargins.NONE);
            assertArrayEquals(before, Files.readAllBytes(dir.resolve("a/c/0")), "as it was before");
        }
    }

    @Test
    void bytesOfOtherPrograms_areRead_andReplaced() throws Exception {
        Path file = dir.resolve("a/c/0");
        try (ZarrArray array =
                create(FileStore.at(dir), spec(IndexLocation.END, true, false), ZarrOptions.defaults())) {
            array.write(array.domain(), new Random(2).ints(2 * SIZE).toArray(), 0);
            RawShard shard = RawShard.of(file, 16);
            shard.insert(shard.length(), 5).insert(0, 30).write();
            ShardMargins found = array.readMargins(FIRST, MAX).orElseThrow();
            assertEquals("x".repeat(30), new String(found.header(), java.nio.charset.StandardCharsets.US_ASCII));
            assertEquals(5, found.footer().length);
            array.writeMargins(FIRST, SET);
            assertEquals(Optional.of(SET), array.readMargins(FIRST, MAX));
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void footersOfOtherPrograms_doNotGrowBySlack(IndexLocation location) throws Exception {
        ShardWritePolicy slack = ShardWritePolicy.defaults().withSlack(new ShardWritePolicy.Slack(50, 100));
        ZarrOptions keeping = ZarrOptions.defaults().withWritePolicy(slack.withForeignBytes(ForeignBytes.KEEP));
        try (ZarrArray array = create(FileStore.at(dir), spec(location, true, false), keeping)) {
            array.write(array.domain(), new Random(2).ints(2 * SIZE).toArray(), 0);
            RawShard shard = RawShard.of(dir.resolve("a/c/0"), 16);
            shard.insert(shard.length(), 5).write();
            int[] sizes = new int[6];
            for (int i = 0; i < sizes.length; i++) {
                array.write(Box.of(new long[] {0}, new long[] {1}), new int[] {i}, 0);
                sizes[i] = array.readMargins(FIRST, MAX).orElseThrow().footer().length;
            }
            assertEquals(1, Arrays.stream(sizes).distinct().count(), Arrays.toString(sizes));
        }
    }

    @Test
    void callers_mistakes_areErrors() {
        ZarrArray array = create(MemoryStore.create(), spec(IndexLocation.END, true, true), ZarrOptions.defaults());
        assertEquals(Optional.empty(), array.readMargins(FIRST, MAX));
        assertThrows(UnsupportedException.class, () -> array.writeMargins(FIRST, SET), "no shard is stored");
        assertThrows(IndexOutOfBoundsException.class, () -> array.readMargins(new long[] {2}, MAX));
        assertThrows(IndexOutOfBoundsException.class, () -> array.writeMargins(new long[] {0, 0}, SET));
        array.write(array.domain(), new Random(2).ints(2 * SIZE).toArray(), 0);
        byte[] most = new byte[(16 << 20) + 1];
        assertThrows(IllegalArgumentException.class, () -> array.writeMargins(FIRST, new ShardMargins(most, most)));
        ZarrArray plain =
                create(MemoryStore.create(), ArraySpec.of("int32", 8).withChunkShape(4), ZarrOptions.defaults());
        assertThrows(UnsupportedException.class, () -> plain.readMargins(FIRST, MAX));
        ZarrArray filtered = create(
                MemoryStore.create(),
                ArraySpec.of("int32", 8)
                        .withChunkShape(8)
                        .withCodecs(Codecs.sharding(new long[] {4}, Codecs.bytesLittleEndian()), Codecs.gzip(1)),
                ZarrOptions.defaults());
        filtered.write(filtered.domain(), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
        assertThrows(UnsupportedException.class, () -> filtered.writeMargins(FIRST, SET));
        assertThrows(UnsupportedException.class, () -> filtered.readMargins(FIRST, MAX));
    }
}
