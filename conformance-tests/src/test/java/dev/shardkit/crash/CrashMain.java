package dev.shardkit.crash;

import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The long round, on demand: {@code crash.sh [ROUNDS] [SEED]}. A second, short one has no durability and very large
 * inner chunks: a write in place without a journal, which is documented as unsafe, so its count shows that torn shards
 * are seen. It is only counted.
 */
final class CrashMain {
    private CrashMain() {}

    public static void main(String[] args) throws IOException {
        int rounds = Integer.parseInt(args[0]);
        long seed = args.length > 1 ? Long.parseLong(args[1]) : new Random().nextInt(1_000_000);
        PrintStream out = System.out;
        out.printf("crash: %d rounds, seed %d%n", rounds, seed);
        Path dir = Files.createTempDirectory("shardkit-crash");
        try {
            List<Setup> setups = new ArrayList<>();
            for (int i = 0; i < Setup.COUNT; i++) {
                setups.add(Setup.of(i));
            }
            Collections.shuffle(setups, new Random(seed));
            Tally forced = run("forced", dir, seed, rounds, setups, Durability.FORCED, out);
            List<Setup> unsafe = Setup.all(Size.HUGE).stream()
                    .filter(s -> s.strategy() == Strategy.IN_PLACE && s.packing() == Setup.Packing.RAW)
                    .toList();
            run(
                    "without a journal (unsafe, counted)",
                    dir,
                    seed,
                    Math.max(3, Math.min(30, rounds / 10)),
                    unsafe.subList(0, 2),
                    Durability.NONE,
                    out);
            if (forced.broken() + forced.errors() > 0) {
                System.exit(1);
            }
        } finally {
            remove(dir);
        }
    }

    private static Tally run(
            String name, Path dir, long seed, int rounds, List<Setup> setups, Durability durability, PrintStream out) {
        long start = System.nanoTime();
        try (CrashRun run =
                new CrashRun(dir.resolve(durability.name().toLowerCase(Locale.ROOT)), seed, setups, durability)) {
            for (int i = 1; i <= rounds; i++) {
                run.round();
                if (i % 50 == 0 && i < rounds) {
                    out.printf(
                            "crash: %s: %s (%d s)%n", name, run.tally(), (System.nanoTime() - start) / 1_000_000_000);
                }
            }
            out.printf("crash: %s: %s (%d s)%n", name, run.tally(), (System.nanoTime() - start) / 1_000_000_000);
            run.tally().problems().forEach(p -> out.println("crash:   " + p));
            return run.tally();
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
