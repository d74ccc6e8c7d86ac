package dev.shardkit.bigshard;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The example of ZEP 2 in its real size: an array of shape (25000, 18000, 6000), shards of 2048^3, inner chunks of
 * 64^3, of which the shard at cell (1, 1, 1) grows slice by slice along the first dimension, past 4 GiB.
 *
 * <p>The element at (z, y, x) is {@code 7 * (x + 13 * y + 29 * z)} modulo 256; a reader need not know more.
 */
public final class BigShardMain {
    private static final int SIDE = 2048;
    private static final long[] CORNER = {SIDE, SIDE, SIDE};

    private BigShardMain() {}

    /** Folder, strategy (IN_PLACE or APPEND), number of slices, codec of the inner chunks ("none" or "zstd"). */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int count = Integer.parseInt(args[2]);
        ArraySpec spec = ArraySpec.of("uint8", 25_000, 18_000, 6_000)
                .withShardShape(SIDE, SIDE, SIDE)
                .withChunkShape(64, 64, 64);
        spec = args[3].equals("zstd")
                ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                : spec.withCodecs(Codecs.bytesLittleEndian());
        Tally tally = new Tally();
        long begun = System.nanoTime();
        try (ZarrArray array = Zarr.createArray(
                folder.toString(), spec, IfExists.REFUSE, ZarrOptions.defaults().withListener(tally))) {
            SliceOptions options = SliceOptions.defaults()
                    .withStrategy(SliceStrategy.valueOf(args[1]))
                    .withBudgetBytes(256L << 20)
                    .withRegion(Box.of(CORNER, new long[] {count, SIDE, SIDE}));
            byte[] slice = new byte[SIDE * SIDE];
            try (SliceWriter slices = array.slices(0, options)) {
                for (int z = 0; z < count; z++) {
                    fill(slice, z + CORNER[0]);
                    slices.write(slice, 0);
                }
            }
            Path shard = folder.resolve(array.storage().key(new long[] {1, 1, 1}));
            System.out.printf(
                    "strategy %s, %d slices, codec %s: %.1f s, shard of %d bytes, writes %s, fallbacks %s, peak of"
                            + " resident memory %s%n",
                    args[1],
                    count,
                    args[3],
                    (System.nanoTime() - begun) / 1e9,
                    Files.size(shard),
                    tally.writes(),
                    tally.fallbacks(),
                    peak());
        }
    }

    /** All elements of slice {@code z} of the array, copied row by row out of one long row. */
    private static void fill(byte[] slice, long z) {
        byte[] row = new byte[SIDE + 256];
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) (7 * i);
        }
        for (int y = 0; y < SIDE; y++) {
            int shift = (int) (CORNER[2] + 13 * (y + CORNER[1]) + 29 * z) & 0xff;
            System.arraycopy(row, shift, slice, y * SIDE, SIDE);
        }
    }

    private static String peak() throws IOException {
        Path status = Path.of("/proc/self/status");
        List<String> lines = Files.exists(status) ? Files.readAllLines(status) : List.of();
        return lines.stream()
                .filter(l -> l.startsWith("VmHWM:"))
                .map(l -> l.substring(6).strip())
                .findFirst()
                .orElse("unknown");
    }

    /** Counts what is written, by strategy. */
    private static final class Tally implements StoreListener {
        private final Map<ShardWritePolicy.Strategy, long[]> writes = new EnumMap<>(ShardWritePolicy.Strategy.class);
        private final Map<String, Long> fallbacks = new TreeMap<>();

        @Override
        public synchronized void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
            long[] sums = writes.computeIfAbsent(strategy, s -> new long[2]);
            sums[0]++;
            sums[1] += bytes;
        }

        @Override
        public synchronized void onFallback(
                String key, ShardWritePolicy.Strategy wanted, ShardWritePolicy.Strategy taken, String reason) {
            fallbacks.merge(wanted + " to " + taken + ": " + reason, 1L, Long::sum);
        }

        synchronized Map<String, Long> fallbacks() {
            return Map.copyOf(fallbacks);
        }

        synchronized Map<String, String> writes() {
            Map<String, String> texts = new TreeMap<>();
            writes.forEach((s, sums) -> texts.put(s.name(), sums[0] + " of " + sums[1] + " bytes together"));
            return texts;
        }
    }
}
