package dev.shardkit.crash;

import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.crash.disk.PowerLoss.Kept;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The long round of stops of streams with pyramids and of acquisitions, on demand: {@code stream-stops.sh [STOPS]
 * [SEED]}. One half of the stops kills the process, the other takes the power.
 */
final class StreamStopsMain {
    /** The stops after which a line is printed, and files are removed. */
    private static final int BATCH = 250;

    private StreamStopsMain() {}

    /** Looks at stops of one kind. */
    private interface Look {
        int look(Path folder, long seed, int stops, Durability durability, Forces forces, Kept... kinds)
                throws IOException;
    }

    public static void main(String[] args) throws IOException {
        int count = Integer.parseInt(args[0]);
        long seed = args.length > 1 ? Long.parseLong(args[1]) : new Random().nextInt(1_000_000);
        System.out.printf("stops: %d, seed %d%n", count, seed);
        look("streams with a pyramid, killed", StreamStopsTest::look, count / 4, seed, Durability.ATOMIC, Kept.ALL);
        look(
                "streams with a pyramid, power lost",
                StreamStopsTest::look,
                count / 4,
                seed,
                Durability.FORCED,
                Kept.values());
        look("acquisitions, killed", AcquisitionStopsTest::look, count / 4, seed, Durability.ATOMIC, Kept.ALL);
        look(
                "acquisitions, power lost",
                AcquisitionStopsTest::look,
                count - count / 4 * 3,
                seed,
                Durability.FORCED,
                Kept.values());
    }

    /** Looks at stops; the first one that breaks the promise ends the program. */
    private static void look(String what, Look look, int count, long seed, Durability durability, Kept... kinds)
            throws IOException {
        long start = System.nanoTime();
        for (int looked = 0; looked < count; ) {
            int stops = Math.min(BATCH, count - looked);
            Path folder = Files.createTempDirectory("shardkit-stops");
            try {
                look.look(folder, seed + looked, stops, durability, Forces.HONOURED, kinds);
            } finally {
                remove(folder);
            }
            looked += stops;
            System.out.printf(
                    "stops: %s: %d, none broke a promise (%d s)%n",
                    what, looked, (System.nanoTime() - start) / 1_000_000_000);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
