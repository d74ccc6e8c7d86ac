package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.EncodedChunks;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.internal.Rounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of layout that are killed at random moments (SIGKILL) leave the complete old or new array, and rerunning them
 * completes the change.
 */
@Timeout(180)
@Tag("one-jdk")
class RelayoutCrashTest {
    private static final int KILLS = Rounds.of(3);
    private static final int MAX_SPINS = 3_000_000;
    private static final List<ShardLayout> LAYOUTS = List.of(
            ShardLayout.chunksPerShard(4),
            ShardLayout.unsharded(),
            ShardLayout.chunksPerShard(2, 3),
            ShardLayout.chunksPerShard(1));

    @TempDir
    Path dir;

    private static ZarrOptions options() {
        return ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    }

    /** The process that is killed: changes an array from layout to layout, and prints each layout before it begins. */
    static final class Relayer {
        private Relayer() {}

        public static void main(String[] args) throws IOException {
            ZarrOptions options = options();
            System.out.println("ready");
            System.out.flush();
            BufferedReader input = Child.input();
            int first = Integer.parseInt(input.readLine());
            for (int i = first; ; i++) {
                System.out.println(i % LAYOUTS.size());
                System.out.flush();
                try (ZarrArray array = Zarr.openArray(args[0], options)) {
                    Relayout.of(array, LAYOUTS.get(i % LAYOUTS.size())).run(Mode.APPLY, change -> {});
                }
            }
        }
    }

    @Test
    void killed_leavesOneArrayWhole_andTheSameCallEndsIt() {
        String place = dir.resolve("a").toString();
        Random random = new Random(8);
        ArraySpec spec = ArraySpec.of("int32", 100, 90)
                .withChunkShape(10, 9)
                .withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(1));
        int[] values = random.ints(9000).toArray();
        TreeMap<String, Integer> encoded;
        try (ZarrArray array = Zarr.createArray(place, spec, IfExists.REFUSE, options())) {
            array.write(array.domain(), values, 0);
            encoded = EncodedChunks.of(array);
        }
        int changed = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            int layout = killed(place, kill, random);
            try (ZarrArray array = Zarr.openArray(place, options())) {
                assertArrayEquals(values, array.read().ints(), "kill " + kill + " in layout " + layout);
            }
            try (ZarrArray array = Zarr.openArray(place, options())) {
                changed += (int) Relayout.of(array, LAYOUTS.get(layout))
                        .run(Mode.APPLY, change -> {})
                        .changed();
            }
            try (ZarrArray array = Zarr.openArray(place, options())) {
                assertArrayEquals(values, array.read().ints());
                assertEquals(encoded, EncodedChunks.of(array));
                assertEquals(layout != 1, array.isSharded());
                List<Finding> findings = new ArrayList<>();
                Verification.of(array).run(findings::add);
                assertEquals(List.of(), findings);
            }
        }
        assertTrue(changed > 0 || KILLS < 8, "no kill hit a change");
    }

    /** Kills the process some time after it has begun a layout. Returns the last layout that it had begun. */
    private static int killed(String place, int first, Random random) {
        try (Child child = Child.start(Relayer.class, "256m", place)) {
            child.expect("ready");
            child.say(String.valueOf(first));
            int last = -1;
            for (int begun = 1 + random.nextInt(3); begun > 0; begun--) {
                last = Integer.parseInt(child.line().orElseThrow());
            }
            for (int spins = random.nextInt(MAX_SPINS); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            child.kill();
            for (Optional<String> line = child.line(); line.isPresent(); line = child.line()) {
                last = Integer.parseInt(line.get());
            }
            return last;
        }
    }
}
