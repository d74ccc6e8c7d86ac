package dev.shardkit.crash;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testing.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * What other processes do beside a test, and threads of its own as well. In a process: one job a line of its input, one
 * answer a job, "done" or what went wrong.
 */
final class ConcurrentWorkload {
    private ConcurrentWorkload() {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = Child.input();
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] w = line.split(" ");
            FileStore store = FileStore.at(Path.of(w[1]));
            String answer = "done";
            try {
                switch (w[0]) {
                    case "own" ->
                        own(
                                store,
                                Setup.of(Integer.parseInt(w[2])),
                                WriteOwnership.valueOf(w[3]),
                                Integer.parseInt(w[4]),
                                Integer.parseInt(w[5]),
                                Integer.parseInt(w[6]));
                    case "read" -> {
                        System.out.println("reads");
                        try {
                            read(store, Setup.of(Integer.parseInt(w[2])), Long.parseLong(w[3]), () -> ready(input));
                        } finally {
                            input.readLine();
                        }
                    }
                    default -> hold(store, w[2], input);
                }
            } catch (RuntimeException | AssertionError e) {
                answer = e.toString().replace('\n', ' ');
            }
            System.out.println(answer);
        }
    }

    private static boolean ready(BufferedReader input) {
        try {
            return input.ready();
        } catch (IOException e) {
            return true;
        }
    }

    @SuppressWarnings("try") // a lock is held, not used
    private static void hold(FileStore store, String key, BufferedReader input) throws IOException {
        try (Locks.Lock lock = store.lock("a", key, Duration.ofSeconds(60))) {
            System.out.println("holds");
            input.readLine();
        }
    }

    /** Writes every inner chunk whose number is {@code which} modulo {@code of}, again and again, and reads it back. */
    static void own(Store store, Setup setup, WriteOwnership ownership, int which, int of, int rounds) {
        ZarrArray array =
                Zarr.openArray(store, "a", setup.options(Durability.ATOMIC).withOwnership(ownership));
        long chunks = setup.cells()[0] * setup.cells()[1];
        for (int round = 1; round <= rounds; round++) {
            long chunk = which + (long) round % (chunks / of) * of;
            Step step = Step.chunk(setup, version(round), chunk);
            step.write(array);
            check(setup, array.read(step.region()).ints(), step.region(), step.version());
        }
    }

    /** The last version of each inner chunk after {@link #own} by {@code of} writers. */
    static void assertOwned(ZarrArray array, Setup setup, int of, int rounds) {
        long chunks = setup.cells()[0] * setup.cells()[1];
        for (long chunk = 0; chunk < chunks; chunk++) {
            int last = 0;
            for (int round = 1; round <= rounds; round++) {
                last = (chunk - chunk % of) / of == round % (chunks / of) ? version(round) : last;
            }
            Box region = setup.chunk(chunk);
            check(setup, array.read(region).ints(), region, last);
        }
    }

    private static int version(int round) {
        return 1000 + round;
    }

    /** Reads inner chunks, a few neighbours at a time: each is of one version, and never goes back. */
    static int read(Store store, Setup setup, long seed, BooleanSupplier stop) {
        ZarrArray array = setup.open(store, Durability.ATOMIC);
        Random random = new Random(seed);
        int[] seen = new int[(int) (setup.cells()[0] * setup.cells()[1])];
        int reads = 0;
        for (; !stop.getAsBoolean(); reads++) {
            long row = random.nextInt((int) setup.cells()[0]);
            long column = random.nextInt((int) setup.cells()[1]);
            long rows = 1 + random.nextInt((int) (setup.cells()[0] - row));
            long columns = 1 + random.nextInt((int) (setup.cells()[1] - column));
            Box region = Box.of(
                            new long[] {row * setup.rows(), column * setup.columns()},
                            new long[] {rows * setup.rows(), columns * setup.columns()})
                    .intersect(array.domain());
            int[] values = array.read(region).ints();
            for (long r = row; r < row + rows; r++) {
                for (long c = column; c < column + columns; c++) {
                    Box chunk = setup.chunk(r, c);
                    int number = (int) (r * setup.cells()[1] + c);
                    int version = version(setup, values, region, chunk);
                    if (version < seen[number]) {
                        throw new AssertionError(setup + ": inner chunk " + number + " went back from " + seen[number]
                                + " to " + version);
                    }
                    seen[number] = version;
                }
            }
        }
        return reads;
    }

    private static int version(Setup setup, int[] values, Box region, Box chunk) {
        int[] part = new int[(int) chunk.count()];
        int i = 0;
        for (long r = chunk.origin(0); r < chunk.end(0); r++) {
            for (long c = chunk.origin(1); c < chunk.end(1); c++) {
                part[i++] = values[(int) ((r - region.origin(0)) * region.shape(1) + c - region.origin(1))];
            }
        }
        check(setup, part, chunk, part[0]);
        return part[0];
    }

    private static void check(Setup setup, int[] values, Box chunk, int version) {
        int i = 0;
        for (long r = chunk.origin(0); r < chunk.end(0); r++) {
            for (long c = chunk.origin(1); c < chunk.end(1); c++) {
                int expected = version == 0 ? 0 : Step.value(setup, version, r, c);
                if (values[i] != expected) {
                    throw new AssertionError(setup + ": inner chunk at " + chunk + ": expected version " + version
                            + " everywhere, found " + values[i] + " at its element " + i);
                }
                i++;
            }
        }
    }
}
