package dev.shardkit.benchmarks.memory;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * Does one kind of read and prints the peak memory of this JVM: heap, direct buffers and, on Linux, resident memory.
 * Use a new process for each kind, because peaks never go down.
 *
 * <pre>PeakMemory full ARRAY | singles ARRAY | sparse FOLDER</pre>
 */
public final class PeakMemory {
    private static final int SINGLES = 100;
    private static final int INNER = 1 << 16;
    private static final int INNER_CHUNKS = 1 << 16;
    private static final int THERE = 65_000;
    private static final double MIB = 1 << 20;

    private PeakMemory() {}

    /** Runs the benchmark. */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "full" -> full(args[1]);
            case "singles" -> singles(args[1]);
            case "sparse" -> sparse(Path.of(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.printf(
                "| %s | %,.1f | %,.1f | %s | %,d |%n",
                args[0], heap() / MIB, direct() / MIB, resident(), (long)
                        (Runtime.getRuntime().maxMemory() / MIB));
    }

    private static void full(String location) {
        try (ZarrArray array = Zarr.openArray(location)) {
            array.read();
        }
    }

    private static void singles(String location) {
        Random random = new Random(1);
        try (ZarrArray array = Zarr.openArray(location)) {
            long[] shape = array.chunkShape();
            for (int i = 0; i < SINGLES; i++) {
                long[] origin = new long[shape.length];
                for (int d = 0; d < shape.length; d++) {
                    origin[d] = shape[d] * random.nextInt((int) (array.shape()[d] / shape[d]));
                }
                array.read(Box.of(origin, shape));
            }
        }
    }

    /** One inner chunk of a sparse shard of 4 GiB: little more than the index is on the disk. */
    private static void sparse(Path folder) throws IOException {
        long elements = (long) INNER * INNER_CHUNKS;
        ArraySpec spec = ArraySpec.of("uint8", elements)
                .withChunkShape(INNER)
                .withShardShape(elements)
                .withCodecs(Codecs.named("bytes", Json.object()));
        try (ZarrArray array = Zarr.createArray(folder.toString(), spec, IfExists.OVERWRITE, ZarrOptions.defaults())) {
            Path shard = folder.resolve(array.storage().key(new long[] {0}));
            Files.createDirectories(shard.getParent());
            writeShard(shard);
            long first = (long) THERE * INNER;
            byte[] read =
                    array.read(Box.of(new long[] {first}, new long[] {INNER})).bytes();
            if (read[0] != 7 || read[1] != 0) {
                throw new IllegalStateException("wrong values");
            }
            Files.delete(shard);
        }
    }

    private static void writeShard(Path shard) throws IOException {
        ByteBuffer index = ByteBuffer.allocate(16 * INNER_CHUNKS + 4).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < INNER_CHUNKS; i++) {
            index.putLong(i * INNER).putLong(INNER);
        }
        CRC32C sum = new CRC32C();
        sum.update(index.array(), 0, 16 * INNER_CHUNKS);
        index.putInt((int) sum.getValue()).flip();
        try (FileChannel file = FileChannel.open(
                shard, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(new byte[] {7}), (long) THERE * INNER);
            file.write(index, (long) INNER * INNER_CHUNKS);
        }
    }

    private static long heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    /** Returns the peak resident memory, as counted by the kernel. */
    private static String resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return "unknown";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .map(line -> String.format("%,.1f", Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0))
                .findFirst()
                .orElse("unknown");
    }
}
