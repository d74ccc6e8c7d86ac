package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.testing.Child;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several writers and readers of one shard, in this process and others. */
@Timeout(180)
class WritersTest {
    private static final int ROUNDS = Rounds.of(20);
    private static final int CHUNK = 16;

    @TempDir
    Path dir;

    /** What the other processes do: the first argument names it, the second is the root. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            ZarrArray array = Versions.open(Path.of(args[1]));
            BufferedReader input = Child.input();
            System.out.println("ready");
            switch (args[0]) {
                case "own" -> {
                    input.readLine();
                    for (int c : new int[] {Integer.parseInt(args[2]), Integer.parseInt(args[3])}) {
                        writeOwn(array, c);
                    }
                    System.out.println("done");
                }
                case "pong" -> {
                    for (String line = input.readLine(); line != null; line = input.readLine()) {
                        int version = Integer.parseInt(line);
                        System.out.println(Versions.read(array, 3, 20));
                        Versions.write(array, version, 20, 30);
                        System.out.println("written");
                    }
                }
                case "read" -> {
                    for (int last = 0; last < ROUNDS; ) {
                        int version = Versions.read(array, 0, 2 * CHUNK + 5);
                        assertTrue(version >= last, () -> "back to " + version);
                        last = version;
                    }
                    System.out.println("done");
                }
                default -> {
                    int version = Versions.read(array, 0, (int) array.shape()[0]);
                    while (true) {
                        Versions.write(array, ++version, 0, (int) array.shape()[0]);
                        System.out.println(version);
                    }
                }
            }
        }
    }

    private static void writeOwn(ZarrArray array, int chunk) {
        Box own = Versions.chunk(array, chunk);
        for (int round = 1; round <= ROUNDS; round++) {
            array.write(own, Values.all(array, own, round));
            assertArrayEquals(
                    Values.all(array, own, round).ints(), array.read(own).ints());
        }
    }

    private static void assertAllWritten(ZarrArray array) {
        assertEquals(Values.all(array, array.domain(), ROUNDS), array.read());
    }

    @Test
    void eightThreads_ofDifferentInnerChunks_loseNothing() throws Exception {
        Path root = dir.resolve("root");
        ZarrArray shared = Versions.create(root, 8, CHUNK);
        List<Runnable> jobs = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            ZarrArray array = t < 4 ? shared : Versions.open(t % 2 == 0 ? root : dir.resolve("x/../root"));
            int chunk = t;
            jobs.add(() -> writeOwn(array, chunk));
        }
        Threads.runEach(jobs);
        assertAllWritten(shared);
        assertAllWritten(Versions.open(root));
    }

    @Test
    void twoProcessesAndThisOne_ofDifferentInnerChunks_loseNothing() throws Exception {
        ZarrArray array = Versions.create(dir, 6, CHUNK);
        try (Child first = Child.start(Other.class, "256m", "own", dir.toString(), "0", "3");
                Child second = Child.start(Other.class, "256m", "own", dir.toString(), "1", "4")) {
            first.expect("ready");
            second.expect("ready");
            first.say("go");
            second.say("go");
            Threads.runEach(List.of(() -> writeOwn(array, 2), () -> writeOwn(Versions.open(dir), 5)));
            first.expect("done");
            second.expect("done");
        }
        assertAllWritten(array);
    }

    @Test
    void reads_besideARewritingWriter_seeOneVersion_andNeverAnOlderOne() throws Exception {
        ZarrArray array = Versions.create(dir, 4, CHUNK);
        Versions.write(array, 1, 0, 4 * CHUNK);
        try (Child other = Child.start(Other.class, "256m", "read", dir.toString())) {
            other.expect("ready");
            AtomicBoolean stop = new AtomicBoolean();
            Runnable reader = () -> {
                ZarrArray mine = Versions.open(dir);
                int last = 0;
                while (!stop.get()) {
                    int version = Versions.read(mine, 0, 2 * CHUNK + 5);
                    assertTrue(version >= last, "back to an older version");
                    last = version;
                }
            };
            Runnable writer = () -> {
                try {
                    for (int version = 2; version <= ROUNDS; version++) {
                        Versions.write(array, version, 0, version % 2 == 0 ? 4 * CHUNK : 2 * CHUNK + 5);
                    }
                } finally {
                    stop.set(true);
                }
            };
            Threads.runEach(List.of(writer, reader, reader));
            other.expect("done");
        }
    }

    @Test
    void read_begunAfterAWriteReturned_seesIt_throughAnotherHandleThatKeepsIndexes() {
        ZarrArray writer = Versions.create(dir, 4, CHUNK);
        ZarrArray reader = Versions.open(dir);
        for (int round = 1; round <= 3 * ROUNDS; round++) {
            int version =
                    round % 10 == 0 ? 0 : round; // nothing but fill: the shard goes, and the next one may get its inode
            Versions.write(writer, version, 0, 4 * CHUNK);
            assertEquals(version, Versions.read(reader, 0, 4 * CHUNK), "round " + round);
            Versions.write(writer, round + 1, CHUNK + 3, 3 * CHUNK);
            assertEquals(round + 1, Versions.read(reader, CHUNK + 3, 3 * CHUNK), "round " + round);
        }
    }

    @Test
    void read_begunAfterAWriteReturned_seesIt_inAnotherProcess() {
        ZarrArray array = Versions.create(dir, 4, CHUNK);
        try (Child other = Child.start(Other.class, "256m", "pong", dir.toString())) {
            other.expect("ready");
            for (int version = 1; version <= 2 * ROUNDS; version++) {
                Versions.write(array, version, 3, 20);
                other.say(Integer.toString(version + 7));
                other.expect(Integer.toString(version));
                other.expect("written");
                assertEquals(version + 7, Versions.read(array, 20, 30));
            }
        }
    }

    @Test
    void writerKilledInMidWrite_leavesTheOldShardOrTheNew() throws IOException {
        int count = 1 << 19;
        ZarrArray array = Versions.create(dir, 8, count / 8);
        Versions.write(array, 1, 0, count);
        Random random = new Random(3);
        for (int round = 0; round < Rounds.of(2); round++) {
            int reported;
            try (Child writer = Child.start(Other.class, "256m", "write", dir.toString())) {
                writer.expect("ready");
                reported = Versions.read(array, 0, count);
                int lines = 1 + random.nextInt(3);
                for (int i = 0; i < lines; i++) {
                    reported = Integer.parseInt(writer.line().orElseThrow());
                }
                for (int spins = random.nextInt(2_000_000); spins > 0; spins--) {
                    Thread.onSpinWait(); // into the middle of the next write
                }
            }
            int version = Versions.read(Versions.open(dir), 0, count);
            assertTrue(version >= reported, "version " + version + " after " + reported + " was written");
            assertEquals(version, Versions.read(array, 0, count));
        }
        assertSwept();
    }

    /** What killed writers leave is not seen, and goes. */
    private void assertSwept() throws IOException {
        Path folder = dir.resolve("a/c");
        List<String> listed = new ArrayList<>();
        FileStore.at(dir).list("a/c", e -> listed.add(e.name()));
        assertEquals(List.of("0"), listed);
        Path stray = Files.write(folder.resolve("__shardkit-tmp-stray"), new byte[10]);
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        try (var files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("__"))
                    .toList()) {
                Files.setLastModifiedTime(file, old);
            }
        }
        assertTrue(Files.exists(stray));
        Versions.write(Versions.open(dir), 1, 0, 10);
        try (var files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("0")), files.toList());
        }
    }
}
