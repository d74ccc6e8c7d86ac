package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ZarrArray;
import dev.shardkit.crash.Setup.Size;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The short round of killed writers (the long one: {@code tools/crash.sh}), and whether it would see what it must. */
@Timeout(180)
@Tag("one-jdk")
class CrashTest {
    private static final int ROUNDS = Rounds.of(2);
    private static final long SEED = 4;

    @TempDir
    Path dir;

    private static void assertSound(CrashRun run) {
        System.out.println("crash: " + run.tally());
        assertEquals(List.of(), run.tally().problems());
        assertEquals(ROUNDS, run.tally().kills());
        assertTrue(run.tally().commits() > ROUNDS, run.tally().toString());
    }

    @Test
    void killedWriters_ofEveryStrategy_loseNothingCommitted_andTearNothing() {
        List<Setup> setups = new ArrayList<>(Setup.all(Size.SMALL));
        setups.addAll(Setup.all(Size.LARGE).subList(0, 12));
        Collections.shuffle(setups, new Random(SEED));
        try (CrashRun run = new CrashRun(dir, SEED, setups, Durability.FORCED)) {
            for (int i = 0; i < ROUNDS; i++) {
                run.round();
            }
            assertSound(run);
        }
    }

    @Test
    void model_seesTornInnerChunks_andLostOnes() throws IOException {
        Setup setup = new Setup(
                dev.shardkit.spi.codec.ShardWritePolicy.Strategy.REWRITE,
                IndexLocation.END,
                Setup.Checksum.CRC32C,
                Setup.Packing.RAW,
                Setup.Nesting.FLAT,
                Size.SMALL);
        ZarrArray array = setup.create(FileStore.at(dir), Durability.ATOMIC);
        Model model = new Model(setup);
        Step all = new Step(setup, 1, Box.of(setup.shape()), false);
        all.write(array);
        model.apply(all);
        Path shard = dir.resolve("a/c/0/0");
        byte[] before = Files.readAllBytes(shard);

        Step first = Step.chunk(setup, 2, 0);
        Step second = Step.chunk(setup, 4, 1);
        Tally sound = new Tally();
        model.check(array, first, List.of(), sound);
        assertEquals(0, sound.broken());

        second.write(array);
        model.apply(second);
        Files.write(shard, before); // the committed write of inner chunk 1 is undone
        try (FileChannel file = FileChannel.open(shard, StandardOpenOption.WRITE)) {
            file.write(
                    ByteBuffer.allocate(setup.rows() * setup.columns() * 2),
                    0); // half of inner chunk 0, the first there
        }
        Tally tally = new Tally();
        model.check(setup.open(FileStore.at(dir), Durability.ATOMIC), first, List.of(), tally);
        assertEquals(2, tally.broken(), tally.problems().toString());
        assertTrue(tally.problems().get(0).startsWith("torn"), tally.problems().toString());
        assertTrue(tally.problems().get(1).startsWith("lost"), tally.problems().toString());
    }
}
