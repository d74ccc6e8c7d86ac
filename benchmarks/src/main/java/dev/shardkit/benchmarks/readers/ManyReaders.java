package dev.shardkit.benchmarks.readers;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures the rate and the latency of reads of random inner chunks of one open array, by 1, 8 and 64 threads and by
 * 1,000 coroutines. Reads from files, and over HTTP from the lab's server if its program is given. Checks every value.
 * Prints a table.
 *
 * <pre>ManyReaders FOLDER SECONDS [SERVER]
 *
 * FOLDER    the folder in which the array is created
 * SECONDS   the time of each measurement
 * SERVER    the program of the lab's server</pre>
 */
public final class ManyReaders {
    private static final int[] THREADS = {1, 8, 64};
    private static final int COROUTINES = 1000;

    private final Sample sample = new Sample();
    private final double seconds;

    private ManyReaders(double seconds) {
        this.seconds = seconds;
    }

    /** Runs the benchmark. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createDirectories(Path.of(args[0]));
        ManyReaders readers = new ManyReaders(Double.parseDouble(args[1]));
        String name = readers.sample.write(folder);
        System.out.println("| readers | reads a second | median us | p99 us |\n|---|---|---|---|");
        readers.levels("file", folder.resolve(name).toString());
        if (args.length > 2) {
            try (LabServer server = new LabServer(Path.of(args[2]), folder)) {
                readers.levels("HTTP", server.at(0, name));
                readers.levels("HTTP, +20 ms", server.at(20, name));
            }
        }
    }

    /** Measures all levels of concurrency on one array, after a warm-up with two threads. */
    private void levels(String way, String location) throws Exception {
        try (ZarrArray array = Zarr.openArray(location)) {
            run(array, 2, seconds);
            for (int threads : THREADS) {
                print(
                        way + ", " + threads + (threads == 1 ? " thread" : " threads"),
                        () -> run(array, threads, seconds));
            }
            print(way + ", " + COROUTINES + " coroutines", () -> {
                Latencies all = new Latencies();
                CoroutineReaders.run(array, sample, COROUTINES, seconds).forEach(all::addAll);
                return all;
            });
        }
    }

    /** Reads with a certain number of threads or coroutines. */
    private interface Level {
        Latencies run() throws InterruptedException, ExecutionException;
    }

    private static void print(String name, Level level) throws InterruptedException, ExecutionException {
        long begun = System.nanoTime();
        Latencies all = level.run();
        System.out.println(all.row(name, (System.nanoTime() - begun) / 1e9));
    }

    private Latencies run(ZarrArray array, int threads, double seconds)
            throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Latencies>> readers = new ArrayList<>();
            long end = System.nanoTime() + (long) (seconds * 1e9);
            for (int i = 0; i < threads; i++) {
                Random random = new Random(i);
                readers.add(executor.submit(() -> readUntil(array, random, end)));
            }
            Latencies all = new Latencies();
            for (Future<Latencies> reader : readers) {
                all.addAll(reader.get());
            }
            return all;
        } finally {
            executor.shutdown();
        }
    }

    private Latencies readUntil(ZarrArray array, Random random, long end) {
        Latencies own = new Latencies();
        while (System.nanoTime() < end) {
            int number = random.nextInt(sample.count());
            long begun = System.nanoTime();
            NdArray read = array.read(sample.box(number));
            own.add(begun);
            sample.check(number, read);
        }
        return own;
    }
}
