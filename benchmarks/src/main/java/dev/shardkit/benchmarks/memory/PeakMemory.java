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
 * Runs one kind of read and prints a table row: the kind, the peak heap, the direct buffers, the peak resident memory
 * (Linux only) and the largest heap that is allowed, all in MiB. Use a new process for each kind, because peaks never
 * go down.
 *
 * <pre>PeakMemory full ARRAY        reads the whole array
 * PeakMemory singles ARRAY     reads 100 random inner chunks
 * PeakMemory sparse FOLDER     writes and reads an array of one sparse shard of 4 GiB</pre>
 */
public final class PeakMemory {
    private static final int SINGLES = 100;
    /** The bytes of an inner chunk of the sparse shard. */
    private static final int INNER = 1 << 16;
    /** The number of inner chunks of the sparse shard. */
    private static final int INNER_CHUNKS = 1 << 16;
    /** The inner chunk of the sparse shard that is read. */
    private static final int READ_CHUNK = 65_000;

    private static final int INDEX_ENTRY_BYTES = 2 * Long.BYTES;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
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

    /**
     * Reads one inner chunk of a shard of 4 GiB, a sparse file: only the index and one block take space on the disk.
     */
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
            long first = (long) READ_CHUNK * INNER;
            byte[] read =
                    array.read(Box.of(new long[] {first}, new long[] {INNER})).bytes();
            if (read[0] != 7 || read[1] != 0) {
                throw new IllegalStateException("wrong values");
            }
            Files.delete(shard);
        }
    }

    /** Writes a shard without compression: inner chunks of zeros, except one that begins with a 7; then the index. */
    private static void writeShard(Path shard) throws IOException {
        int entriesBytes = INDEX_ENTRY_BYTES * INNER_CHUNKS;
        ByteBuffer index = ByteBuffer.allocate(entriesBytes + CHECKSUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < INNER_CHUNKS; i++) {
            index.putLong(i * INNER).putLong(INNER);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(index.array(), 0, entriesBytes);
        index.putInt((int) checksum.getValue()).flip();
        try (FileChannel file = FileChannel.open(
                shard, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.wrap(new byte[] {7}), (long) READ_CHUNK * INNER);
            file.write(index, (long) INNER * INNER_CHUNKS);
        }
    }

    /** Returns the peak heap: the sum of the peaks of its memory pools, in bytes. */
    private static long heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    /** Returns the size of all direct buffers and mapped files, in bytes. Buffers that are freed are not counted. */
    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    /**
     * Returns the peak resident memory in MiB, which the kernel reports in KiB as {@code VmHWM} ("high water mark").
     */
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
