package dev.shardkit.crash;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.disk.Disk;
import dev.shardkit.crash.disk.PowerLog;
import dev.shardkit.crash.disk.PowerLoss;
import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.crash.disk.PowerLoss.Kept;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A writer whose changes are recorded, and the states that a device may be in if the power goes off at any of them:
 * each is put on a file system in memory and opened, read, repaired or written to, and compared with a model. Not
 * thread-safe.
 */
final class PowerRun implements AutoCloseable {
    private static final int STEPS = 4;

    private final Setup setup;
    private final Durability durability;
    private final Random random;
    private final Tally tally;
    private final PowerLoss losses;
    private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());
    private final List<Done> done = new ArrayList<>();
    private final int created;
    private final int points;
    private int made;

    /** A step, what was in the array before it, and the point at which it returned. */
    private record Done(Step step, Model before, int returned) {}

    /** Writes an array below the empty directory {@code dir}. */
    PowerRun(Setup setup, Durability durability, Forces forces, long seed, Path dir, Tally tally) throws IOException {
        this.setup = setup;
        this.durability = durability;
        this.random = new Random(seed);
        this.tally = tally;
        Disk disk = new Disk();
        Model model = new Model(setup);
        Step all = new Step(setup, 1, Box.of(setup.shape()), false);
        boolean fresh = random.nextInt(3) == 0; // then the array is made by the writer, its directories too
        if (!fresh) {
            try (ZarrArray clean = setup.create(FileStore.at(dir), Durability.ATOMIC)) {
                all.write(clean);
                model.apply(all);
            }
        }
        PowerLog log = disk.record(dir);
        FileStore store = FileStore.at(disk.path(dir.toRealPath()));
        try (ZarrArray array = fresh ? setup.create(store, durability) : setup.open(store, durability)) {
            this.created = log.size();
            for (int version = 2; version < 2 + STEPS; version++) {
                Step step = fresh && version == 2
                        ? new Step(setup, version, Box.of(setup.shape()), false)
                        : random.nextInt(3) == 0
                                ? Step.of(setup, seed, version)
                                : Step.chunk(
                                        setup, version, random.nextInt((int) (setup.cells()[0] * setup.cells()[1])));
                step.write(array);
                done.add(new Done(step, model.copy(), log.size()));
                model.apply(step);
            }
        }
        this.points = log.size();
        done.add(new Done(done.get(STEPS - 1).step(), model, Integer.MAX_VALUE)); // all of them have returned
        this.losses = new PowerLoss(log, forces);
    }

    /** Looks at one state after some changes; what is unforced is lost at random in every other one. */
    void look() throws IOException {
        Kept[] kinds = Kept.values();
        look(random.nextInt(points + 1), random.nextBoolean() ? Kept.ANY : kinds[random.nextInt(kinds.length)]);
    }

    private void look(int point, Kept kept) throws IOException {
        Path root = Files.createDirectory(memory.getPath("/" + made++));
        losses.make(point, kept, random, root);
        Done under = done.stream().filter(d -> d.returned() > point).findFirst().orElseThrow();
        boolean promised = point >= created && (durability == Durability.FORCED || kept == Kept.ALL && isKept());
        String what = durability + " " + kept + " point " + point + " of " + points;
        try (FileStore store = FileStore.at(root)) {
            if (promised) {
                promised(store, under, kept, what);
            } else {
                unpromised(store, what);
            }
        }
        tally.killed();
        remove(root);
    }

    /** Whether a killed process leaves what the page on durability promises; not if there is no journal. */
    private boolean isKept() {
        return durability == Durability.ATOMIC || setup.strategy() == Strategy.REWRITE;
    }

    private void promised(FileStore store, Done under, Kept kept, String what) {
        List<Step> touches = List.of(Step.touch(setup, 100, 0, 1), Step.touch(setup, 101, 1, 2));
        try (ZarrArray array = setup.open(store, Durability.NONE)) {
            boolean unread = false;
            if (!isDue(store)) {
                try {
                    under.before().copy().check(array, under.step(), List.of(), tally);
                } catch (ZarrException e) {
                    unread = isEndLost(kept);
                    if (!unread) {
                        tally.failed(setup + " " + what + " read at once: " + e);
                    }
                }
            }
            boolean repaired = unread || random.nextBoolean();
            if (repaired) {
                Repair.of(array).run(Mode.APPLY, step -> {});
                under.before().copy().check(array, under.step(), List.of(), tally);
            }
            try {
                touches.forEach(t -> t.write(array));
                under.before().copy().check(array, under.step(), touches, tally);
            } catch (ZarrException e) { // a journal of another shard may have kept this one from being read at once
                if (repaired || !isEndLost(kept)) {
                    throw e;
                }
                Repair.of(array).run(Mode.APPLY, step -> {});
                touches.forEach(t -> t.write(array));
                under.before().copy().check(array, under.step(), touches, tally);
            }
        } catch (RuntimeException e) {
            tally.failed(setup + " " + what + ": " + e);
        }
    }

    private static boolean isDue(FileStore store) {
        boolean[] due = {false};
        store.leftovers("", left -> due[0] |= left.kind() == Leftover.Kind.JOURNAL);
        return due[0];
    }

    /** Whether readers may fail until repair: the journal of an append that is found by its index is never forced. */
    private boolean isEndLost(Kept kept) {
        return kept != Kept.ALL
                && setup.strategy() != Strategy.REWRITE
                && setup.location() == IndexLocation.END
                && setup.checksum() == Setup.Checksum.CRC32C;
    }

    /** Values are not promised; that all fails by errors that are declared is. */
    private void unpromised(FileStore store, String what) {
        List<Runnable> all = List.of(
                () -> Zarr.find(store, "a", ZarrOptions.defaults()),
                () -> with(store, array -> Repair.of(array).run(Mode.APPLY, step -> {})),
                () -> with(store, array -> {
                    if (!isDue(store)) { // a reader would wait for five seconds
                        array.read();
                    }
                }),
                () -> with(store, array -> Step.touch(setup, 100, 0, 1).write(array)));
        for (Runnable one : all) {
            try {
                one.run();
            } catch (ZarrException e) {
                continue;
            } catch (RuntimeException e) {
                tally.failed(setup + " " + what + ": " + e);
            }
        }
    }

    private interface Using {
        void use(ZarrArray array);
    }

    private void with(FileStore store, Using using) {
        try (ZarrArray array = setup.open(store, Durability.NONE)) {
            using.use(array);
        }
    }

    private static void remove(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path p : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        }
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
