package dev.shardkit.crash;

import dev.shardkit.crash.Setup.Size;
import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Power losses of many writers: all setups in turn, any point of each, the unforced lost in any way. */
final class PowerStates {
    /** How many states of one writer are looked at. */
    private static final int OF_ONE = 100;

    private final Path dir;
    private final Random random;
    private final Tally tally = new Tally();
    private final List<Setup> setups;
    private long states;
    private int runs;

    /** States of writers below {@code dir}. */
    PowerStates(Path dir, long seed) {
        this.dir = dir;
        this.random = new Random(seed);
        this.setups = new ArrayList<>(Setup.all(Size.SMALL));
        Collections.shuffle(setups, random);
    }

    Tally tally() {
        return tally;
    }

    long states() {
        return states;
    }

    /** Looks at {@code count} more states of writers with that durability. */
    void look(long count, Durability durability, Forces forces) throws IOException {
        long end = states + count;
        while (states < end) {
            Path root = Files.createDirectory(dir.resolve("power-" + runs));
            Setup setup = setups.get(runs++ % setups.size());
            try (PowerRun run = new PowerRun(setup, durability, forces, random.nextLong(), root, tally)) {
                for (int i = 0; i < OF_ONE && states < end; i++) {
                    run.look();
                    states++;
                }
            }
        }
    }
}
