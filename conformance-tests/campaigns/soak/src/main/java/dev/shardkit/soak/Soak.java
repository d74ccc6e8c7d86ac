package dev.shardkit.soak;

import dev.shardkit.spi.codec.ShardWritePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A soak test: reads, writes, cancels and interrupts for some minutes, over files and HTTP. Then checks that all values
 * were right, that nothing failed or hung, and that the process uses no more heap, file descriptors and threads than
 * after the first fifth of the time. The last line of its output is {@code soak: N checks, N wrong}.
 *
 * <pre>Soak MINUTES [SEED]</pre>
 */
public final class Soak {
    /** The number of writers and of readers for each array. */
    private static final int WRITERS = 4;

    private static final int READERS = 4;
    /** The growth of heap bytes, descriptors and threads that is tolerated as noise. */
    private static final long MORE_HEAP = 8 << 20;

    private static final int MORE_DESCRIPTORS = 16;
    private static final int MORE_THREADS = 8;
    /** The number of reads that may give up on a stalled change in place; more are an error. */
    private static final int MAX_STALLED = 20;

    private final long seed;
    private final long end;
    private final Counts counts = new Counts();
    private final List<Thread> threads = new ArrayList<>();
    /** Whether workers must pause before their next call, because resources are measured. */
    private volatile boolean paused;
    /** The number of workers that pause or have ended. Guarded by this object. */
    private int idle;

    private Soak(long seed, long nanos) {
        this.seed = seed;
        this.end = System.nanoTime() + nanos;
    }

    /** Runs the soak test. The exit status is 1 if anything is wrong. */
    public static void main(String[] args) throws Exception {
        long nanos = (long) (Double.parseDouble(args[0]) * TimeUnit.MINUTES.toNanos(1));
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime() & 0xffff;
        System.out.printf("soak: seed %d%n", seed);
        Path folder = Files.createTempDirectory("shardkit-soak");
        int wrong;
        try {
            wrong = new Soak(seed, nanos).run(folder, nanos);
        } finally {
            remove(folder);
        }
        System.exit(wrong == 0 ? 0 : 1);
    }

    private int run(Path folder, long nanos) throws Exception {
        try (RestartingServer server = new RestartingServer(folder)) {
            for (ShardWritePolicy.Strategy strategy : ShardWritePolicy.Strategy.values()) {
                SoakArray array = SoakArray.create(folder, strategy);
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    start(Work.writer(
                            array,
                            IntStream.range(0, SoakArray.INNER_CHUNKS)
                                    .filter(innerChunk -> innerChunk % WRITERS == writer)
                                    .boxed()
                                    .toList(),
                            counts));
                }
                for (int i = 0; i < READERS; i++) {
                    start(Work.reader(array, counts));
                }
                start(Work.canceller(array, counts));
                start(Work.interrupter(array, counts));
                // The other strategies change files in place, so that the server could send a mixture of versions.
                if (strategy == ShardWritePolicy.Strategy.REWRITE) {
                    start(Work.remoteReader(array, server.uri(), counts));
                    start(Work.remoteReader(array, server.uri(), counts));
                }
            }
            ResourceUsage before = measureAt(System.nanoTime() + nanos / 5, server);
            ResourceUsage after = measureAt(end, server);
            boolean hangs = !joinThreads();
            return report(before, after, hangs);
        }
    }

    /** Starts a worker: a thread that repeats the work until the time is up or something has failed. */
    private void start(Work work) {
        Random random = new Random(seed * 31 + threads.size());
        Thread thread = new Thread(
                () -> {
                    while (System.nanoTime() < end && counts.unexpected().isEmpty()) {
                        pauseIfAsked();
                        try {
                            work.once(random);
                        } catch (Throwable e) {
                            counts.unexpected(e);
                        }
                    }
                    ended();
                },
                "soak-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Waits while resources are measured. */
    private synchronized void pauseIfAsked() {
        idle++;
        notifyAll();
        while (paused) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts workers", e);
            }
        }
        idle--;
    }

    /** Counts a worker that has ended as idle. */
    private synchronized void ended() {
        idle++;
        notifyAll();
    }

    /** Restarts the server now and then until {@code time}. Then pauses all workers, and measures resources. */
    private ResourceUsage measureAt(long time, RestartingServer server) throws Exception {
        Random random = new Random(seed);
        while (System.nanoTime() < time && counts.unexpected().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1500));
            server.restart();
            counts.add("restarts of the server", 1);
        }
        paused = true;
        synchronized (this) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Work.PATIENCE_SECONDS);
            while (idle < threads.size() && System.nanoTime() < deadline) {
                wait(1000);
            }
        }
        TimeUnit.SECONDS.sleep(8); // the store closes files that were not used for five seconds
        ResourceUsage now = ResourceUsage.now();
        System.out.printf("soak: %s; %s%n", now, counts);
        synchronized (this) {
            paused = false;
            notifyAll();
        }
        return now;
    }

    /** Waits until all threads have ended. Returns false, and prints a stack trace, if one of them hangs. */
    private boolean joinThreads() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(Work.PATIENCE_SECONDS));
            if (thread.isAlive()) {
                System.out.println("soak: hangs: " + thread.getName());
                for (StackTraceElement at : thread.getStackTrace()) {
                    System.out.println("    " + at);
                }
                return false;
            }
        }
        return true;
    }

    /** Prints the result, and returns the number of failed checks. */
    private int report(ResourceUsage before, ResourceUsage after, boolean hangs) {
        counts.unexpected().ifPresent(e -> e.printStackTrace(System.out));
        List<Boolean> checks = List.of(
                counts.of("wrong values") == 0,
                counts.unexpected().isEmpty(),
                counts.of(Counts.STALLED) <= MAX_STALLED,
                !hangs,
                counts.of("writes") > 0 && counts.of("reads of files") > 0 && counts.of("reads over HTTP") > 0,
                counts.of("interrupted reads") > 0 && counts.of("cancelled reads") > 0,
                after.heap() <= before.heap() + MORE_HEAP,
                after.descriptors() <= before.descriptors() + MORE_DESCRIPTORS,
                after.threads() <= before.threads() + MORE_THREADS);
        int wrong = (int) checks.stream().filter(holds -> !holds).count();
        System.out.printf(Locale.ROOT, "soak: %d checks, %d wrong%n", checks.size(), wrong);
        return wrong;
    }

    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
