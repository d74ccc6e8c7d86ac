package dev.shardkit.benchmarks.baseline;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Compares shardkit with plain Java loops that do only the necessary work: a write, a whole read without compression,
 * and a whole read with zstd. One thread does all work and alternates between shardkit and the loop. Checks the
 * elements that were read, but asserts no time.
 *
 * <pre>PlainLoops FOLDER [ROUNDS]</pre>
 */
public final class PlainLoops {
    /** The edge lengths of an inner chunk, a shard and the array, all of them cubes. */
    private static final int EDGE = 32;

    private static final int SHARD = 128;
    private static final int ARRAY = 256;
    /** The number of elements of an inner chunk. */
    private static final int INNER = EDGE * EDGE * EDGE;

    private static final int WARM_UP_ROUNDS = 5;

    private final Path folder;
    private final int rounds;
    private final short[] values = new short[ARRAY * ARRAY * ARRAY];
    private final short[] read = new short[values.length];
    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);

    private PlainLoops(Path folder, int rounds) {
        this.folder = folder;
        this.rounds = rounds;
        Random random = new Random(7);
        for (int i = 0; i < values.length; i++) {
            // A smooth field with four bits of noise, which compresses like images.
            values[i] = (short) (2000 * Math.sin(i % ARRAY / 40.0) + i / (ARRAY * ARRAY) + random.nextInt(16));
        }
        bytes.asShortBuffer().put(values);
    }

    /** Runs the benchmark. */
    public static void main(String[] args) throws IOException {
        new PlainLoops(Path.of(args[0]), args.length > 1 ? Integer.parseInt(args[1]) : 9).run();
    }

    private void run() throws IOException {
        Path raw = folder.resolve("raw");
        try (ZarrArray plain = create("plain", List.of());
                ZarrArray zstd = create("zstd", List.of(Codecs.zstd(3)))) {
            print("write", () -> plain.write(plain.domain(), values, 0), () -> writeRaw(raw), () -> {});
            Action wholeRead = () -> plain.readInto(read, 0, plain.domain());
            print("whole read", wholeRead, () -> readRaw(raw), this::checkRead);
            zstd.write(zstd.domain(), values, 0);
            List<byte[]> frames = frames();
            Action zstdRead = () -> zstd.readInto(read, 0, zstd.domain());
            print("whole read, zstd", zstdRead, () -> decode(frames), this::checkRead);
        }
    }

    private ZarrArray create(String name, List<Json> codecs) {
        ArraySpec spec = ArraySpec.of("uint16", ARRAY, ARRAY, ARRAY)
                .withShardShape(SHARD, SHARD, SHARD)
                .withChunkShape(EDGE, EDGE, EDGE)
                .withCodecs(codecs.toArray(new Json[0]));
        String location = folder.resolve(name).toString();
        return Zarr.createArray(
                location, spec, IfExists.REFUSE, ZarrOptions.defaults().withParallelism(1));
    }

    /** Writes the elements to one file. */
    private void writeRaw(Path file) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            bytes.clear();
            bytes.asShortBuffer().put(values);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    /** Reads the elements from the file that {@link #writeRaw} wrote. */
    private void readRaw(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            bytes.clear();
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
            bytes.clear();
            bytes.asShortBuffer().get(read);
        }
    }

    /** Compresses the elements as zstd frames, each with as many consecutive elements as an inner chunk. */
    private List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        ZstdCompressor zstd = new ZstdCompressor();
        byte[] plain = new byte[INNER * 2];
        byte[] out = new byte[zstd.maxCompressedLength(plain.length)];
        for (int at = 0; at < values.length; at += INNER) {
            bytes.get(at * 2, plain);
            frames.add(Arrays.copyOf(out, zstd.compress(plain, 0, plain.length, out, 0, out.length)));
        }
        return frames;
    }

    private void decode(List<byte[]> frames) {
        ZstdDecompressor zstd = new ZstdDecompressor();
        byte[] plain = new byte[INNER * 2];
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = frames.get(i);
            zstd.decompress(frame, 0, frame.length, plain, 0, plain.length);
            ByteBuffer.wrap(plain)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asShortBuffer()
                    .get(read, i * INNER, INNER);
        }
    }

    /** A read or a write that is timed. */
    private interface Action {
        void run() throws IOException;
    }

    /** Checks the elements that were read, and clears them. */
    private void checkRead() {
        if (!Arrays.equals(values, read)) {
            throw new IllegalStateException("the elements that were read differ from those that were written");
        }
        Arrays.fill(read, (short) 0);
    }

    /** Times both actions in alternation, and prints the median rates and their ratio. */
    private void print(String row, Action shardkit, Action loop, Runnable check) throws IOException {
        double[] shardkitSeconds = new double[rounds];
        double[] loopSeconds = new double[rounds];
        for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
            double ofShardkit = seconds(shardkit);
            check.run();
            double ofLoop = seconds(loop);
            check.run();
            if (i >= 0) {
                shardkitSeconds[i] = ofShardkit;
                loopSeconds[i] = ofLoop;
            }
        }
        double gigabytes = values.length * 2 / 1e9;
        System.out.printf(
                "%s: %.2f GB/s, a plain loop %.2f GB/s, ratio %.2f%n",
                row,
                gigabytes / median(shardkitSeconds),
                gigabytes / median(loopSeconds),
                median(loopSeconds) / median(shardkitSeconds));
    }

    private static double seconds(Action action) throws IOException {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1e9;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
