package dev.shardkit.crash;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Kills writers at random moments (SIGKILL) and looks at what they leave: opens the arrays for writing, which ends what
 * was cut short, and compares them with a model; the next writer goes on with the same arrays. Not thread-safe.
 */
final class CrashRun implements AutoCloseable {
    private static final int LANES = 6;
    private static final int MAX_COMMITS = 60;
    private static final int MAX_SPINS = 300_000;

    private final Path dir;
    private final long seed;
    private final Durability durability;
    private final Random random;
    private final Tally tally = new Tally();
    private final List<Kept> arrays = new ArrayList<>();
    private Optional<Child> next = Optional.empty();
    private int round;

    /** An array and what must be in it. */
    private static final class Kept {
        private final Setup setup;
        private final Path root;
        private final Model model;
        private int version;

        private Kept(Setup setup, Path root) {
            this.setup = setup;
            this.root = root;
            this.model = new Model(setup);
        }
    }

    /** Crashes of writers of arrays below {@code dir}, which are taken in turn. */
    CrashRun(Path dir, long seed, List<Setup> setups, Durability durability) {
        this.dir = dir;
        this.seed = seed;
        this.durability = durability;
        this.random = new Random(seed);
        for (Setup setup : setups) {
            Path root = dir.resolve(arrays.size() + "-" + setup);
            setup.create(FileStore.at(root), durability).close();
            arrays.add(new Kept(setup, root));
        }
    }

    Tally tally() {
        return tally;
    }

    /** One writer process of several arrays, killed at a random moment. */
    void round() {
        List<Kept> lanes = new ArrayList<>();
        for (int i = 0; i < Math.min(LANES, arrays.size()); i++) {
            lanes.add(arrays.get((round * LANES + i) % arrays.size()));
        }
        round++;
        try (Child writer = next.orElseGet(this::start)) {
            next = Optional.of(start()); // its start costs most, so it starts while this one writes
            writer.expect("ready");
            for (int i = 0; i < lanes.size(); i++) {
                Kept k = lanes.get(i);
                k.version++;
                writer.say(i + " " + k.setup.number() + " " + seed + " " + k.version + " " + durability + " " + k.root);
            }
            writer.say("go");
            int commits = random.nextInt(MAX_COMMITS);
            for (int i = 0; i < commits; i++) {
                heard(writer.line(), lanes);
            }
            for (int spins = random.nextInt(MAX_SPINS); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            writer.kill();
            tally.killed();
            for (Optional<String> line = writer.line(); line.isPresent(); line = writer.line()) {
                heard(line, lanes);
            }
        }
        lanes.forEach(this::look);
    }

    private Child start() {
        return Child.start(Writer.class, "512m");
    }

    private void heard(Optional<String> line, List<Kept> lanes) {
        String said = line.orElseThrow(() -> new AssertionError("the writer ended by itself"));
        if (said.startsWith("failed")) {
            tally.failed("in the writer: " + said);
            return;
        }
        String[] words = said.split(" ");
        Kept k = lanes.get(Integer.parseInt(words[0]));
        int version = Integer.parseInt(words[1]);
        if (version != k.version) {
            throw new AssertionError("expected version " + k.version + ", found " + said);
        }
        k.model.apply(Step.of(k.setup, seed, version));
        k.version++;
        tally.committed();
    }

    /** {@code version} is the one that may have been under way. */
    private void look(Kept k) {
        Step underway = Step.of(k.setup, seed, k.version);
        List<Step> touches = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            touches.add(Step.touch(k.setup, ++k.version, shard, random.nextInt(k.setup.rows())));
        }
        StoreListener listener = new StoreListener() {
            @Override
            public void onRecovered(String key) {
                tally.recovered();
            }
        };
        ZarrOptions options = k.setup.options(durability).withListener(listener);
        try (ZarrArray array = dev.shardkit.Zarr.openArray(FileStore.at(k.root), "a", options)) {
            touches.forEach(t -> t.write(array));
            k.model.check(array, underway, touches, tally);
        } catch (RuntimeException e) {
            tally.failed(k.setup + " version " + underway.version() + " " + underway.region() + ": " + e);
            renew(k);
        }
        leftovers(k);
    }

    /** What the store keeps for itself must be gone, but for the lock file and temporary files, which a sweep takes. */
    private void leftovers(Kept k) {
        try {
            OpenFileReplacement.retrying(k.root, () -> files(k.root)).stream()
                    .map(f -> k.root.relativize(f).toString().replace('\\', '/'))
                    .filter(f -> !isKnown(f))
                    .forEach(f -> tally.leftover(k.setup + " " + f));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On Windows, this may fail while a deleted folder still has its name. */
    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isKnown(String file) {
        return file.matches("a/zarr\\.json|a/c/0/[01]|a/__shardkit/lock.*|(.*/)?__shardkit-tmp-[^/]*");
    }

    private void renew(Kept k) {
        Path root = dir.resolve(k.root.getFileName() + "-after-" + round);
        k.setup.create(FileStore.at(root), durability).close();
        arrays.set(arrays.indexOf(k), new Kept(k.setup, root));
    }

    @Override
    public void close() {
        next.ifPresent(Child::close);
    }
}
