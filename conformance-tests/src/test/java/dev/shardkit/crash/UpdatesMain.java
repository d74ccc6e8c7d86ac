package dev.shardkit.crash;

import dev.shardkit.ZarrArray;
import dev.shardkit.crash.Setup.Checksum;
import dev.shardkit.crash.Setup.Nesting;
import dev.shardkit.crash.Setup.Packing;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Four processes update one shard beside a reader: {@code UpdatesMain [UPDATES]}. Each process has one row, which
 * crosses inner chunks that all of them change. An update sets the row to the next number; before, the process reads
 * the number of its last update there, else an update was lost. A row of an inner chunk that holds two numbers is torn.
 */
final class UpdatesMain {
    private static final int PROCESSES = 4;

    private UpdatesMain() {}

    public static void main(String[] args) throws IOException {
        if (args.length == 4) {
            update(Path.of(args[0]), Setup.of(Integer.parseInt(args[1])), Integer.parseInt(args[2]), args[3]);
            return;
        }
        int updates = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int each = updates / PROCESSES;
        int wrong = 0;
        Path dir = Files.createTempDirectory("shardkit-updates");
        for (Strategy strategy : Strategy.values()) {
            Setup setup =
                    new Setup(strategy, IndexLocation.END, Checksum.CRC32C, Packing.ZSTD, Nesting.FLAT, Size.SMALL);
            wrong += run(setup, dir.resolve(setup.toString()), each);
        }
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static int run(Setup setup, Path root, int each) {
        long start = System.nanoTime();
        ZarrArray array = setup.create(FileStore.at(root), Durability.ATOMIC);
        List<Child> children = new ArrayList<>();
        List<CompletableFuture<Optional<String>>> ends = new ArrayList<>();
        for (int row = 0; row < PROCESSES; row++) {
            Child child =
                    Child.start(UpdatesMain.class, "256m", root.toString(), "" + setup.number(), "" + row, "" + each);
            children.add(child);
            ends.add(CompletableFuture.supplyAsync(child::line));
        }
        CompletableFuture<Void> end = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
        int reads = 0;
        int torn = 0;
        for (; !end.isDone(); reads++) {
            torn += torn(setup, array.read(rows(setup, 0, PROCESSES)).ints());
        }
        int lost = 0;
        for (CompletableFuture<Optional<String>> answer : ends) {
            String text = answer.join().orElse("the process ended early");
            if (!text.matches("lost \\d+")) {
                System.out.println("updates:   " + text);
                lost++;
            } else {
                lost += Integer.parseInt(text.substring(5));
            }
        }
        int[] values = array.read(rows(setup, 0, PROCESSES)).ints();
        torn += torn(setup, values);
        for (int value : values) {
            lost += value == each ? 0 : 1;
        }
        children.forEach(Child::close);
        System.out.printf(
                "updates: %s: %d processes, %d updates, %d reads beside them: %d lost, %d torn (%d s)%n",
                setup, PROCESSES, PROCESSES * each, reads, lost, torn, (System.nanoTime() - start) / 1_000_000_000);
        return lost + torn;
    }

    private static Box rows(Setup setup, int first, int count) {
        return Box.of(new long[] {first, 0}, new long[] {count, setup.shard()[1]});
    }

    private static int torn(Setup setup, int[] values) {
        int torn = 0;
        for (int i = 0; i < values.length; i++) {
            if (i % setup.columns() != 0 && values[i] != values[i - 1]) {
                torn++;
            }
        }
        return torn;
    }

    /** The part of one process. */
    private static void update(Path root, Setup setup, int row, String updates) {
        int lost = 0;
        try {
            ZarrArray array = setup.open(FileStore.at(root), Durability.ATOMIC);
            Box region = rows(setup, row, 1);
            int[] values = new int[(int) region.count()];
            for (int number = 1; number <= Integer.parseInt(updates); number++) {
                for (int found : array.read(region).ints()) {
                    lost += found == number - 1 ? 0 : 1;
                }
                Arrays.fill(values, number);
                array.write(region, values, 0);
            }
            System.out.println("lost " + lost);
        } catch (RuntimeException e) {
            System.out.println(e.toString().replace('\n', ' '));
        }
    }
}
