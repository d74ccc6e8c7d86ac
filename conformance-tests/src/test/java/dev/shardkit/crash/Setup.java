package dev.shardkit.crash;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Allocation;
import dev.shardkit.spi.codec.ShardWritePolicy.Slack;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to lay out an array and to write it: two shards side by side, of four by four inner chunks, int32, cut at the
 * array's edge. Each has a number, so that one process can tell another.
 */
record Setup(
        Strategy strategy, IndexLocation location, Checksum checksum, Packing packing, Nesting nesting, Size size) {
    /** How many there are of one size. */
    static final int PER_SIZE = 3 * 2 * 2 * 2 * 2;
    /** How many there are but for the huge ones. */
    static final int COUNT = 2 * PER_SIZE;

    private static final int ACROSS = 4;
    private static final Registry PLUGINS = Registry.load();

    /** Whether the shard's indexes have a checksum. */
    enum Checksum {
        CRC32C,
        NONE
    }

    /** Whether inner chunks are compressed. */
    enum Packing {
        RAW,
        ZSTD
    }

    /** Whether the shard's inner chunks are shards. */
    enum Nesting {
        FLAT,
        NESTED
    }

    /** The shape of the innermost chunks. */
    enum Size {
        SMALL(8, 8),
        LARGE(64, 128),
        HUGE(256, 512);

        private final int rows;
        private final int columns;

        Size(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
        }
    }

    /** The setup with this number; neighbours differ in their strategy. */
    static Setup of(int number) {
        int n = number;
        Strategy strategy = Strategy.values()[n % 3];
        n /= 3;
        IndexLocation location = IndexLocation.values()[n % 2];
        n /= 2;
        Checksum checksum = Checksum.values()[n % 2];
        n /= 2;
        Packing packing = Packing.values()[n % 2];
        n /= 2;
        Nesting nesting = Nesting.values()[n % 2];
        return new Setup(strategy, location, checksum, packing, nesting, Size.values()[n / 2]);
    }

    /** Its number. */
    int number() {
        int n = size.ordinal() * 2 + nesting.ordinal();
        n = n * 2 + packing.ordinal();
        n = n * 2 + checksum.ordinal();
        n = n * 2 + location.ordinal();
        return n * 3 + strategy.ordinal();
    }

    /** All of one size. */
    static List<Setup> all(Size size) {
        List<Setup> all = new ArrayList<>();
        for (int i = 0; i < PER_SIZE; i++) {
            all.add(of(size.ordinal() * PER_SIZE + i));
        }
        return all;
    }

    int rows() {
        return size.rows;
    }

    int columns() {
        return size.columns;
    }

    /** The shape of an inner chunk. */
    long[] inner() {
        return new long[] {rows(), columns()};
    }

    /** The shape of a shard. */
    long[] shard() {
        return new long[] {(long) ACROSS * rows(), (long) ACROSS * columns()};
    }

    /** The shape of the array. */
    long[] shape() {
        return new long[] {ACROSS * rows() - 3L, 2L * ACROSS * columns() - 5};
    }

    /** How many inner chunks the array touches, in both dimensions. */
    long[] cells() {
        return new long[] {ACROSS, 2L * ACROSS};
    }

    /** What the inner chunk at a cell has of the array. */
    Box chunk(long row, long column) {
        return Box.of(new long[] {row * rows(), column * columns()}, inner()).intersect(Box.of(shape()));
    }

    /** The inner chunk with a number, in C order. */
    Box chunk(long number) {
        return chunk(number / (2 * ACROSS), number % (2 * ACROSS));
    }

    ArraySpec spec() {
        List<Json> codecs = new ArrayList<>(List.of(Codecs.bytesLittleEndian()));
        if (packing == Packing.ZSTD) {
            codecs.add(Codecs.zstd(1));
        }
        List<Json> inside = codecs;
        if (nesting == Nesting.NESTED) {
            long[] middle = {2L * rows(), 2L * columns()};
            inside = List.of(sharding(inner(), codecs));
            return ArraySpec.of("int32", shape()).withChunkShape(shard()).withCodecs(sharding(middle, inside));
        }
        return ArraySpec.of("int32", shape()).withChunkShape(shard()).withCodecs(sharding(inner(), inside));
    }

    private Json sharding(long[] chunkShape, List<Json> codecs) {
        List<Json> index = new ArrayList<>(List.of(Codecs.bytesLittleEndian()));
        if (checksum == Checksum.CRC32C) {
            index.add(Codecs.crc32c());
        }
        return Codecs.named(
                "sharding_indexed",
                Json.object()
                        .with("chunk_shape", Json.of(chunkShape))
                        .with("codecs", new Json.Arr(codecs))
                        .with("index_codecs", new Json.Arr(index))
                        .with("index_location", Json.of(location == IndexLocation.START ? "start" : "end")));
    }

    /** The setup's strategy, with room in new shards where they are written in place, and few compactions. */
    ShardWritePolicy policy() {
        ShardWritePolicy policy =
                ShardWritePolicy.defaults().withStrategy(strategy).withMaxUnusedPercent(90);
        if (strategy != Strategy.IN_PLACE) {
            return policy;
        }
        return packing == Packing.RAW
                ? policy.withAllocation(Allocation.WHOLE)
                : policy.withSlack(new Slack(30, 1 << 14));
    }

    ZarrOptions options(Durability durability) {
        return ZarrOptions.defaults()
                .withRegistry(PLUGINS)
                .withDurability(durability)
                .withWritePolicy(policy());
    }

    ZarrArray create(Store store, Durability durability) {
        return Zarr.createArray(store, "a", spec(), IfExists.REFUSE, options(durability));
    }

    ZarrArray open(Store store, Durability durability) {
        return Zarr.openArray(store, "a", options(durability));
    }

    @Override
    public String toString() {
        return (strategy + "-" + location + "-" + (checksum == Checksum.NONE ? "unchecked" : "crc32c") + "-" + packing
                        + "-" + nesting + "-" + size)
                .toLowerCase(java.util.Locale.ROOT);
    }
}
