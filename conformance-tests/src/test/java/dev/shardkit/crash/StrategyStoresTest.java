package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Arrays of every layout, written and updated by every strategy; left in {@code target/interop-stores} for those who
 * read them back in the interop check.
 */
public class StrategyStoresTest {
    private static final Path FOLDER =
            Path.of("target", "interop-stores", "strategies").toAbsolutePath();
    private static final int UPDATES = Rounds.of(4);
    private static final long SEED = 11;

    /** For JUnit, and for the interop check. */
    public StrategyStoresTest() {}

    /** Writes the arrays and compares what we read with what must be there. */
    @Test
    public void arrays_updatedByEveryStrategy_holdWhatWasWritten() throws IOException {
        clear();
        List<Json> rows = new ArrayList<>();
        for (Setup setup : Setup.all(Size.SMALL)) {
            Path root = FOLDER.resolve(setup + ".zarr");
            Tally tally = new Tally();
            Set<Strategy> taken = EnumSet.noneOf(Strategy.class);
            ZarrOptions options = setup.options(Durability.ATOMIC).withListener(new StoreListener() {
                @Override
                public void onWrite(String key, Strategy strategy, long bytes) {
                    synchronized (taken) {
                        taken.add(strategy);
                    }
                }
            });
            setup.create(FileStore.at(root), Durability.ATOMIC).close();
            try (ZarrArray array = Zarr.openArray(FileStore.at(root), "a", options)) {
                Model model = new Model(setup);
                Step whole = new Step(setup, 1, Box.of(setup.shape()), false);
                whole.write(array);
                model.apply(whole);
                for (int version = 2; version < 2 + UPDATES; version++) {
                    Step step = Step.of(setup, SEED, version);
                    step.write(array);
                    model.apply(step);
                    model.check(array, step, List.of(), tally);
                }
                assertEquals(List.of(), tally.problems());
                assertTrue(taken.contains(setup.strategy()), () -> setup + " was written by " + taken);
                Files.write(FOLDER.resolve(setup + ".bin"), bytes(array));
            }
            rows.add(Json.object()
                    .with("id", Json.of("strategies/" + setup))
                    .with("store", Json.of(setup + ".zarr"))
                    .with("array_path", Json.of("/a"))
                    .with("expected", Json.of(setup + ".bin"))
                    .with("selections", new Json.Arr(List.of())));
        }
        Files.writeString(FOLDER.resolve("manifest.json"), new Json.Arr(rows).toString());
    }

    /** What was compared with the model, as readers give it. */
    private static byte[] bytes(ZarrArray array) {
        int[] values = array.read().ints();
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    private static void clear() throws IOException {
        Files.createDirectories(FOLDER);
        try (Stream<Path> old = Files.walk(FOLDER)) {
            for (Path p : old.sorted(Comparator.reverseOrder())
                    .filter(p -> !p.equals(FOLDER))
                    .toList()) {
                Files.delete(p);
            }
        }
    }
}
