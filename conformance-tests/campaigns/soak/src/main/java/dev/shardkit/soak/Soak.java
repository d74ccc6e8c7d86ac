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
 * Runs readers, writers, cancels and interrupts over files and HTTP for some minutes, then checks that no value was
 * wrong, nothing failed or hung, and that heap, descriptors and threads are what they were after the first fifth of the
 * time. Usage: {@code Soak MINUTES [SEED]}. Ends with the line {@code soak: N checks, N wrong}.
 */
public final class Soak {
    private static final int WRITERS = 4;
    private static final int READERS = 4;
    private static final long MORE_HEAP = 8 << 20;
    private static final int MORE_DESCRIPTORS = 16;
    private static final int MORE_THREADS = 8;
    /** Reads that may give up on a stalled change; more are a fault. */
    private static final int MAX_STALLED = 20;

    private final long seed;
    private final long end;
    private final Counts counts = new Counts();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean paused;
    private int idle;

    private Soak(long seed, long nanos) {
        this.seed = seed;
        this.end = System.nanoTime() + nanos;
    }

    /** Runs the soak; the status is 1 if anything is wrong. */
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
                SoakArray scene = SoakArray.create(folder, strategy);
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    start(Work.writer(
                            scene,
                            IntStream.range(0, SoakArray.INNER_CHUNKS)
                                    .filter(c -> c % WRITERS == writer)
                                    .boxed()
                                    .toList(),
                            counts));
                }
                for (int i = 0; i < READERS; i++) {
                    start(Work.reader(scene, counts));
                }
                start(Work.canceller(scene, counts));
                start(Work.interrupter(scene, counts));
                if (strategy == ShardWritePolicy.Strategy.REWRITE) { // the others change files under the server's hands
                    start(Work.remoteReader(scene, server.uri(), counts));
                    start(Work.remoteReader(scene, server.uri(), counts));
                }
            }
            ResourceUsage before = measuredAt(System.nanoTime() + nanos / 5, server);
            ResourceUsage after = measuredAt(end, server);
            boolean stuck = !joined();
            return report(before, after, stuck);
        }
    }

    private void start(Work work) {
        Random random = new Random(seed * 31 + threads.size());
        Thread thread = new Thread(
                () -> {
                    while (System.nanoTime() < end && counts.unexpected().isEmpty()) {
                        rest();
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

    /** Waits as long as resources are measured. */
    private synchronized void rest() {
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

    /** A thread that has ended counts as one that rests. */
    private synchronized void ended() {
        idle++;
        notifyAll();
    }

    /** Restarts the server now and then until {@code time}; then measures while no worker works. */
    private ResourceUsage measuredAt(long time, RestartingServer server) throws Exception {
        Random random = new Random(seed);
        while (System.nanoTime() < time && counts.unexpected().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1500));
            server.restart();
            counts.add("restarts of the server", 1);
        }
        paused = true;
        synchronized (this) {
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(Work.PATIENCE_SECONDS);
            while (idle < threads.size() && System.nanoTime() < patience) {
                wait(1000);
            }
        }
        TimeUnit.SECONDS.sleep(8); // files that nobody used for five seconds are closed
        ResourceUsage now = ResourceUsage.now();
        System.out.printf("soak: %s; %s%n", now, counts);
        synchronized (this) {
            paused = false;
            notifyAll();
        }
        return now;
    }

    private boolean joined() throws InterruptedException {
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

    private int report(ResourceUsage before, ResourceUsage after, boolean stuck) {
        counts.unexpected().ifPresent(e -> e.printStackTrace(System.out));
        List<Boolean> checks = List.of(
                counts.of("wrong values") == 0,
                counts.unexpected().isEmpty(),
                counts.of(Counts.STALLED) <= MAX_STALLED,
                !stuck,
                counts.of("writes") > 0 && counts.of("reads of files") > 0 && counts.of("reads over HTTP") > 0,
                counts.of("interrupted reads") > 0 && counts.of("cancelled reads") > 0,
                after.heap() <= before.heap() + MORE_HEAP,
                after.descriptors() <= before.descriptors() + MORE_DESCRIPTORS,
                after.threads() <= before.threads() + MORE_THREADS);
        int wrong = (int) checks.stream().filter(c -> !c).count();
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
