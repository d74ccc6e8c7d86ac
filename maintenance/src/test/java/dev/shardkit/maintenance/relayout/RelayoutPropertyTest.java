package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.EncodedChunks;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.CountingCodec;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.maintenance.relayout.Relayout.Outcome;
import dev.shardkit.maintenance.relayout.Relayout.Technique;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random changes of layout of many kinds of arrays keep all elements and all encoded inner chunks. */
@Timeout(300)
class RelayoutPropertyTest {
    private static final int ARRAYS = Rounds.of(12);
    private static final int STEPS = 4;

    @TempDir
    Path dir;

    private final CountingCodec codec = new CountingCodec();
    private int changed;
    private final ZarrOptions options = codec.options().withDurability(Durability.ATOMIC);

    /** A random array. */
    private record Kind(long[] shape, long[] chunk, List<Json> codecs, ArraySpec spec) {
        static Kind of(Random random) {
            int rank = random.nextInt(4);
            long[] shape = new long[rank];
            long[] chunk = new long[rank];
            for (int d = 0; d < rank; d++) {
                shape[d] = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(rank == 3 ? 14 : 30);
                chunk[d] = 1 + random.nextInt(5);
            }
            List<Json> codecs = new ArrayList<>();
            if (rank > 0 && random.nextBoolean()) {
                codecs.add(transpose(rank, random));
            }
            codecs.add(random.nextBoolean() ? Codecs.bytesLittleEndian() : Codecs.bytesBigEndian());
            codecs.add(CountingCodec.metadata());
            List<Json> inner = List.copyOf(codecs);
            String keys = random.nextBoolean() ? "default" : "v2";
            String separator = random.nextBoolean() ? "/" : ".";
            ArraySpec spec = ArraySpec.of("int32", shape)
                    .withFillValue(7)
                    .withChunkKeyEncoding(Codecs.named(keys, Json.object().with("separator", Json.of(separator))))
                    .withAttributes(Json.object().with("notes", Json.of("kept")).with("x", new Json.Num("1.10")));
            return new Kind(shape, chunk, inner, withRandomShards(spec, rank, chunk, inner, random));
        }

        private static ArraySpec withRandomShards(
                ArraySpec spec, int rank, long[] chunk, List<Json> inner, Random random) {
            int depth = random.nextInt(3);
            List<Json> codecs = inner;
            long[] shape = chunk.clone();
            for (int level = 0; level < depth; level++) {
                List<Json> around = new ArrayList<>();
                long[] stored = shape;
                if (depth == 1 && rank > 0 && random.nextInt(3) == 0) {
                    Json.Obj transpose = (Json.Obj) transpose(rank, random);
                    around.add(transpose);
                    stored = permute(shape, transpose);
                }
                around.add(sharding(stored, codecs, random));
                codecs = around;
                for (int d = 0; d < rank; d++) {
                    shape[d] *= 1 + random.nextInt(3);
                }
            }
            return spec.withChunkShape(shape).withCodecs(codecs.toArray(Json[]::new));
        }

        private static long[] permute(long[] shape, Json.Obj transpose) {
            List<Json> order = ((Json.Arr)
                            ((Json.Obj) transpose.get("configuration").orElseThrow())
                                    .get("order")
                                    .orElseThrow())
                    .items();
            return order.stream()
                    .mapToLong(o -> shape[Integer.parseInt(((Json.Num) o).lexeme())])
                    .toArray();
        }

        private static Json transpose(int rank, Random random) {
            List<Long> order = new ArrayList<>();
            for (long d = 0; d < rank; d++) {
                order.add(random.nextInt(order.size() + 1), d);
            }
            return Codecs.transpose(order.stream().mapToLong(o -> o).toArray());
        }

        private static Json sharding(long[] chunk, List<Json> codecs, Random random) {
            List<Json> index = new ArrayList<>(List.of(Codecs.bytesLittleEndian()));
            if (random.nextBoolean()) {
                index.add(Codecs.crc32c());
            }
            return Codecs.named(
                    "sharding_indexed",
                    Json.object()
                            .with("chunk_shape", Json.of(chunk))
                            .with("codecs", new Json.Arr(codecs))
                            .with("index_codecs", new Json.Arr(index))
                            .with("index_location", Json.of(random.nextBoolean() ? "start" : "end")));
        }
    }

    private static void fill(ZarrArray array, Random random) {
        for (int w = random.nextInt(4); w > 0 && !array.domain().isEmpty(); w--) {
            long[] origin = array.shape();
            long[] shape = array.shape();
            for (int d = 0; d < shape.length; d++) {
                origin[d] = random.nextInt((int) shape[d]);
                shape[d] = 1 + random.nextInt((int) (shape[d] - origin[d]));
            }
            Box region = Box.of(origin, shape);
            array.write(region, random.ints(region.count()).toArray(), 0);
        }
    }

    private static ShardLayout layout(int rank, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> ShardLayout.unsharded();
            case 1 -> ShardLayout.automatic();
            case 2 -> ShardLayout.chunksPerShard(1 + random.nextInt(4));
            default -> ShardLayout.chunksPerShard(random.longs(rank, 1, 5).toArray());
        };
    }

    @Test
    void anyArray_throughAnyLayouts_keepsElementsAndEncodedInnerChunks() {
        Random seeds = new Random(20260801);
        for (int i = 0; i < ARRAYS; i++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            Store store = i % 3 == 0 ? FileStore.at(dir.resolve("s" + i)) : MemoryStore.create();
            Kind kind = Kind.of(random);
            ZarrArray array = Zarr.createArray(store, "a", kind.spec, IfExists.REFUSE, options);
            fill(array, random);
            int[] values = array.read().ints();
            TreeMap<String, Integer> encoded = EncodedChunks.of(array);
            for (int step = 0; step < STEPS; step++) {
                check(store, layout(array.shape().length, random), values, encoded, "seed " + seed + " step " + step);
            }
        }
        assertTrue(changed > ARRAYS, "changes: " + changed);
    }

    private void check(Store store, ShardLayout layout, int[] values, TreeMap<String, Integer> encoded, String what) {
        ZarrArray array = Zarr.openArray(store, "a", options);
        String context = what + ": " + array.metadata().codecs() + " to " + layout;
        Json.Obj before = MetadataWriter.document(array.metadata());
        long used = codec.used();
        List<Change> changes = new ArrayList<>();
        Relayout.of(array, layout).run(Mode.APPLY, changes::add);
        Change change = changes.get(0);
        assertTrue(change.outcome() != Outcome.REFUSED, context + change);
        assertTrue(change.technique().isEmpty() || change.technique().get() == Technique.MOVED, context + change);
        changed += change.outcome() == Outcome.CHANGED && change.objects() > 0 ? 1 : 0;
        assertEquals(used, codec.used(), context + ": no inner chunk is decoded");
        ZarrArray now = Zarr.openArray(store, "a", options);
        assertEquals(encoded, EncodedChunks.of(now), context);
        assertTrue(Arrays.equals(values, now.read().ints()), context);
        Json.Obj after = MetadataWriter.document(now.metadata());
        assertEquals(before.get("attributes"), after.get("attributes"));
        assertEquals(before.get("chunk_key_encoding"), after.get("chunk_key_encoding"));
        List<Finding> findings = new ArrayList<>();
        Verification.of(now).run(findings::add);
        assertEquals(List.of(), findings, context);
        List<Change> again = new ArrayList<>();
        Relayout.of(now, layout).run(Mode.APPLY, again::add);
        assertEquals(Outcome.UNCHANGED, again.get(0).outcome(), context);
    }

    @Test
    void anyArray_intoAnyChunkShape_keepsElements() {
        Random seeds = new Random(4711);
        for (int i = 0; i < ARRAYS; i++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            Store store = MemoryStore.create();
            Kind kind = Kind.of(random);
            ZarrArray array = Zarr.createArray(store, "a", kind.spec, IfExists.REFUSE, options);
            fill(array, random);
            int[] values = array.read().ints();
            long[] chunk = random.longs(kind.shape.length, 1, 7).toArray();
            ShardLayout layout = layout(kind.shape.length, random);
            List<Change> changes = new ArrayList<>();
            Relayout.of(array, layout).withChunkShape(chunk).run(Mode.APPLY, changes::add);
            String context = "seed " + seed + ": " + changes;
            ZarrArray now = Zarr.openArray(store, "a", options);
            assertTrue(Arrays.equals(values, now.read().ints()), context);
            assertTrue(Arrays.equals(chunk, now.chunkShape()), context);
            assertEquals(0, Verification.of(now).run(f -> {}).errors(), context);
        }
    }
}
