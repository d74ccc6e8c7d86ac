package dev.shardkit.soak;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.PyramidStream;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A soak test of streams: writes the frames of a camera into an image with a pyramid for some minutes, at a fixed rate.
 * Meanwhile, a reader follows the newest frame of each level, compares it, and removes the shards far behind it. Checks
 * that no frame was wrong, and that neither the heap nor the memory of the process has grown. The last line of its
 * output is {@code soak: N checks, N wrong}.
 *
 * <pre>StreamSoak MINUTES [MEGABYTES_PER_SECOND [FOLDER]]
 *
 * MEGABYTES_PER_SECOND   the rate of the camera; by default half the rate at which the disk takes bytes
 * FOLDER                 the parent of the image's temporary folder</pre>
 */
public final class StreamSoak {
    /** The width and height of a frame. */
    private static final int EDGE = 1024;

    private static final int FRAME_BYTES = EDGE * EDGE * Short.BYTES;
    /** The number of different frames, which repeat. */
    private static final int DISTINCT = 8;
    /** The number of frames in a shard. */
    private static final int DEPTH = 64;
    /** The number of shards that the reader keeps behind the newest frame. */
    private static final int KEPT_SHARDS = 4;
    /** How many bytes of heap the last third of the samples may use more than the first third after the start. */
    private static final long MORE_HEAP = 16 << 20;

    /** The same for the memory of the process. */
    private static final long MORE_RESIDENT = 64 << 20;

    private static final long SAMPLE_SECONDS = 10;
    /** The longest time of a write that is counted; a longer write counts as this long. */
    private static final int LONGEST_MILLIS = 60_000;

    private final Path folder;
    /** The time of {@link System#nanoTime} at which the writer stops. */
    private final long end;
    /** The nanoseconds from one frame to the next. */
    private final long period;

    private final ByteBuffer[] frames = new ByteBuffer[DISTINCT];
    private final List<Long> heap = new ArrayList<>();
    private final List<Long> resident = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long checks;
    private long wrong;
    private long framesRead;
    private volatile boolean isWritten;

    private StreamSoak(Path folder, double minutes, double megabytes) {
        this.folder = folder;
        this.end = System.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        this.period = (long) (FRAME_BYTES / (megabytes * 1e6) * 1e9);
        Random random = new Random(1);
        for (int f = 0; f < DISTINCT; f++) {
            frames[f] = ByteBuffer.allocateDirect(FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < EDGE * EDGE; i++) { // slow waves with noise, as a camera sees them
                frames[f].putShort(2 * i, (short) (200 + 100 * Math.sin(i / 9e4 + f) + 14 * random.nextGaussian()));
            }
        }
    }

    /** Runs the soak; the status is 1 if anything is wrong. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory(
                args.length > 2 ? Path.of(args[2]) : Path.of(System.getProperty("java.io.tmpdir")), "shardkit-soak");
        int status;
        try {
            double megabytes = args.length > 1 ? Double.parseDouble(args[1]) : diskMegabytes(folder) / 2;
            System.out.printf(
                    "soak: %.0f MB/s, %.1f frames a second of %d bytes%n",
                    megabytes, megabytes * 1e6 / FRAME_BYTES, FRAME_BYTES);
            status = new StreamSoak(folder, Double.parseDouble(args[0]), megabytes).run();
        } finally {
            Soak.remove(folder);
        }
        System.exit(status);
    }

    /** Returns the rate at which the disk takes bytes. */
    private static double diskMegabytes(Path folder) throws IOException {
        Path file = folder.resolve("rate");
        ByteBuffer block = ByteBuffer.allocateDirect(8 << 20);
        int blocks = 128;
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < blocks; i++) {
                block.clear();
                while (block.hasRemaining()) {
                    channel.write(block);
                }
            }
            channel.force(true);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Files.delete(file);
        double megabytes = blocks * 8.388608 / seconds; // a block of 8 MiB has 8.388608 MB
        System.out.printf("soak: the disk takes %.0f MB/s%n", megabytes);
        return megabytes;
    }

    private int run() throws Exception {
        ZarrOptions options = ZarrOptions.defaults();
        Zarr.createGroup(FileStore.at(folder), "", Json.object(), IfExists.REFUSE, options);
        ZarrArray finest = Zarr.createArray(
                FileStore.at(folder),
                "0",
                ArraySpec.of("uint16", 0, EDGE, EDGE)
                        .withShardShape(DEPTH, EDGE, EDGE)
                        .withChunkShape(16, 256, 256)
                        .withCodecs(codecs())
                        .withDimensionNames("t", "y", "x"),
                IfExists.REFUSE,
                options);
        SliceOptions slices =
                SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW).withBudgetBytes(256 << 20);
        long frame = 0;
        long[] times = new long[LONGEST_MILLIS + 1]; // how many writes took so many milliseconds; of fixed size
        long late = 0;
        try (PyramidStream stream = Pyramid.of(finest).withReducer(Reducer.MEAN).withCodecs(codecs()).stream(
                FileStore.at(folder), options, slices)) {
            int levels = stream.levels().size();
            Thread reader = startThread("soak-reader", () -> follow(levels));
            Thread meter = startThread("soak-meter", this::sample);
            long first = System.nanoTime();
            for (; System.nanoTime() < end && failure.get() == null; frame++) {
                long due = first + frame * period;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                long begun = System.nanoTime();
                stream.write(numbered(frame));
                times[(int) Math.min(LONGEST_MILLIS, (System.nanoTime() - begun) / 1_000_000)]++;
                late += begun - due > period ? 1 : 0;
            }
            stream.flush();
            isWritten = true;
            reader.join(TimeUnit.MINUTES.toMillis(2));
            meter.join(TimeUnit.MINUTES.toMillis(2));
            note(!reader.isAlive() && !meter.isAlive(), "the reader or the meter has not ended");
        }
        return report(frame, times, late);
    }

    private static Json[] codecs() {
        return new Json[] {Codecs.bytesLittleEndian(), Codecs.blosc("lz4", 1, Short.BYTES)};
    }

    private Thread startThread(String name, ThrowingRunnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Work that may fail. */
    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /**
     * Returns a frame whose upper left 16 x 16 pixels hold its number. The mean of equal pixels is the same number, so
     * the coarser levels hold it too, in a smaller square. The number is taken modulo 60000, to fit into uint16.
     */
    private ByteBuffer numbered(long number) {
        ByteBuffer pixels = frames[(int) (number % DISTINCT)];
        for (int i = 0; i < 256; i++) {
            pixels.putShort(2 * (i / 16 * EDGE + i % 16), (short) (number % 60_000));
        }
        return pixels;
    }

    /** Checks the newest frame of each level, and one a shard earlier; deletes the shards far behind them. */
    private void follow(int levels) throws Exception {
        List<ZarrArray> arrays = new ArrayList<>();
        long[] seen = new long[levels];
        long[] removed = new long[levels];
        for (int level = 0; level < levels; level++) {
            arrays.add(Zarr.openArray(FileStore.at(folder), Integer.toString(level), ZarrOptions.defaults()));
        }
        for (boolean isLast = false; !isLast; ) {
            isLast = isWritten;
            for (int level = 0; level < levels; level++) {
                ZarrArray array = arrays.get(level).refresh();
                arrays.set(level, array);
                long length = array.shape()[0];
                if (length < seen[level]) {
                    note(false, "level " + level + " has become shorter: " + seen[level] + ", now " + length);
                } else if (length > seen[level]) {
                    seen[level] = length;
                    check(array, level, length - 1);
                    check(array, level, Math.max(0, length - DEPTH));
                }
                for (; removed[level] < length / DEPTH - KEPT_SHARDS; removed[level]++) {
                    Files.delete(folder.resolve(level + "/c/" + removed[level] + "/0/0"));
                }
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        note(Arrays.stream(seen).distinct().count() == 1, "the levels have lengths " + Arrays.toString(seen));
    }

    /** Checks that a frame of a level has its number, and at level 0 its pixels. */
    private void check(ZarrArray array, int level, long frame) {
        long[] shape = array.shape();
        shape[0] = 1;
        short[] found = array.read(Box.of(new long[] {frame, 0, 0}, shape)).shorts();
        int edge = (int) shape[2];
        int numberEdge = 16 >> level; // the square of numbered() at this level
        boolean isRight = true;
        for (int y = 0; y < numberEdge; y++) {
            for (int x = 0; x < numberEdge; x++) {
                isRight &= found[y * edge + x] == (short) (frame % 60_000);
            }
        }
        ByteBuffer source = frames[(int) (frame % DISTINCT)];
        for (int i = 32; level == 0 && i < EDGE; i++) { // on the diagonal, below the number
            isRight &= found[(i * edge) + i] == source.getShort(2 * (i * EDGE + i));
        }
        framesRead++;
        note(isRight, "frame " + frame + " of level " + level + " is " + (found[0] & 0xffff));
    }

    private synchronized void note(boolean isRight, String what) {
        checks++;
        if (!isRight) {
            wrong++;
            System.out.println("wrong: " + what);
        }
    }

    private void sample() throws Exception {
        while (!isWritten && failure.get() == null) {
            TimeUnit.SECONDS.sleep(SAMPLE_SECONDS);
            System.gc();
            heap.add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            resident.add(residentBytes());
        }
    }

    private static long residentBytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        return !Files.exists(status)
                ? 0
                : Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                        .sum();
    }

    /**
     * Returns the milliseconds within which a part of the writes ended.
     *
     * @param times the number of writes by their milliseconds
     * @param part from 0 to 1, for all
     */
    private static int within(long[] times, double part) {
        long all = Arrays.stream(times).sum();
        long sum = 0;
        int millis = 0;
        while (millis < LONGEST_MILLIS && sum + times[millis] < part * all) {
            sum += times[millis++];
        }
        return millis + 1;
    }

    /** Prints the times and the memory, checks the memory, and returns the exit status. */
    private int report(long count, long[] times, long late) {
        note(framesRead > 0, "no frame was read");
        Throwable failed = failure.get();
        note(failed == null, "failed: " + failed);
        if (failed != null) {
            failed.printStackTrace();
        }
        System.out.printf(
                "soak: %d frames, %d MB; write within %d ms (half), %d ms (99 %%), %d ms (all); %d frames late%n",
                count,
                count * FRAME_BYTES / 1_000_000,
                within(times, 0.5),
                within(times, 0.99),
                within(times, 1),
                late);
        checkGrowth("heap after collection", heap, MORE_HEAP);
        checkGrowth("resident memory", resident, MORE_RESIDENT);
        System.out.printf("soak: %d checks, %d wrong%n", checks, wrong);
        return wrong == 0 ? 0 : 1;
    }

    /**
     * Checks that memory does not grow, and prints its slope by least squares. Leaves out the first fifth of the
     * samples, while the program warms up. Then compares the last third of the others with the first third.
     */
    private void checkGrowth(String what, List<Long> samples, long more) {
        List<Long> warm = samples.subList(samples.size() / 5, samples.size());
        if (warm.size() < 6) {
            System.out.println("soak: too short to see whether the " + what + " grows");
            return;
        }
        int third = warm.size() / 3;
        double first = mean(warm.subList(0, third));
        double last = mean(warm.subList(warm.size() - third, warm.size()));
        double middle = (warm.size() - 1) / 2.0;
        double slope = 0;
        double weight = 0;
        for (int i = 0; i < warm.size(); i++) {
            slope += (i - middle) * warm.get(i);
            weight += (i - middle) * (i - middle);
        }
        System.out.printf(
                "soak: %s: %.1f MiB, at the end %.1f MiB, %+.3f MiB a minute, %d samples%n",
                what,
                first / (1 << 20),
                last / (1 << 20),
                slope / weight * 60 / SAMPLE_SECONDS / (1 << 20),
                warm.size());
        note(last - first <= more, what + " has grown by " + (long) (last - first) + " bytes");
    }

    private static double mean(List<Long> samples) {
        return samples.stream().mapToLong(Long::longValue).average().orElseThrow();
    }
}
