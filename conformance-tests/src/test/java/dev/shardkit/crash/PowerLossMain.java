package dev.shardkit.crash;

import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The long round of power losses, on demand: {@code power-loss.sh [STATES] [SEED]}. */
final class PowerLossMain {
    private static final int BATCH = 10_000;

    private PowerLossMain() {}

    public static void main(String[] args) throws IOException {
        long count = Long.parseLong(args[0]);
        long seed = args.length > 1 ? Long.parseLong(args[1]) : new Random().nextInt(1_000_000);
        System.out.printf("power: %d states, seed %d%n", count, seed);
        Path dir = Files.createTempDirectory("shardkit-power");
        boolean broken = false;
        try {
            for (Durability durability : List.of(Durability.FORCED, Durability.ATOMIC, Durability.NONE)) {
                long part = durability == Durability.FORCED ? count - count / 5 * 2 : count / 5;
                Path own = Files.createDirectory(dir.resolve(durability.name()));
                PowerStates states = new PowerStates(own, seed);
                long start = System.nanoTime();
                while (states.states() < part) {
                    states.look(Math.min(BATCH, part - states.states()), durability, Forces.HONOURED);
                    System.out.printf(
                            "power: %s: %d states; %s (%d s)%n",
                            durability, states.states(), states.tally(), (System.nanoTime() - start) / 1_000_000_000);
                }
                states.tally().problems().forEach(p -> System.out.println("power:   " + p));
                broken |= !states.tally().problems().isEmpty();
            }
        } finally {
            remove(dir);
        }
        if (broken) {
            System.exit(1);
        }
    }

    private static void remove(Path dir) throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path p : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        }
    }
}
