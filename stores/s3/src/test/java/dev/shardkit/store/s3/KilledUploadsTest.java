package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Leftover;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.s3.UploadWriter.Kind;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.VersityServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills writers amid uploads in parts (SIGKILL). The object is old or new for every reader, and the uploads that stay
 * behind are found and aborted. The long form is {@code conformance-tests/tools/s3-kills.sh}.
 */
@Timeout(3600)
@Tag("one-jdk")
class KilledUploadsTest {
    private static final int KILLS = Rounds.of(1);
    private static final long SEED = Long.getLong("shardkit.s3.seed", 11);
    private static final int MAX_WRITES = 4;
    private static final int MAX_SPINS = 3_000_000;

    private final URI location = Versity.fresh();

    @ParameterizedTest
    @EnumSource
    void killedUpload_leavesTheOldObjectOrTheNewOne_andItsPartsAreFound(Kind kind) throws Exception {
        Random random = new Random(SEED);
        int committed = 0;
        int left = 0;
        AtomicBoolean over = new AtomicBoolean();
        try (S3Store store = UploadWriter.store(VersityServer.server(), location)) {
            UploadWriter.begin(store);
            CompletableFuture<Integer> reads = reader(store, over);
            try {
                for (int kill = 0; kill < KILLS; kill++) {
                    committed = killed(kind, committed, random);
                    int found = read(store);
                    int old = UploadWriter.stored(kind, committed);
                    assertTrue(
                            found == old || found == UploadWriter.stored(kind, committed + 1),
                            "kill " + kill + ": committed " + committed + ", found version " + found);
                    committed += kind == Kind.PUT && found != old ? 1 : 0;
                    left += aborted(store);
                    assertFalse(reads.isDone() && reads.get() >= 0, "the reader ends with a failure only");
                }
            } finally {
                over.set(true);
            }
            System.out.println("killed uploads: " + kind + ", seed " + SEED + ": " + KILLS + " kills, " + committed
                    + " versions, " + left + " uploads left behind, " + reads.get() + " reads beside them");
        }
    }

    /** Starts a writer and kills it; returns the last version that it has confirmed. */
    private int killed(Kind kind, int committed, Random random) throws IOException, InterruptedException {
        int last = committed;
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        UploadWriter.class.getName(),
                        VersityServer.server().toString(),
                        location.toString(),
                        kind.name(),
                        Integer.toString(committed + 1))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = writer.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("ready", said.readLine());
            for (int writes = random.nextInt(MAX_WRITES); writes > 0; writes--) {
                last = Integer.parseInt(said.readLine());
            }
            for (int spins = random.nextInt(MAX_SPINS); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            writer.toHandle().destroyForcibly(); // the process's own method would close the pipe as well
            writer.waitFor();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = Integer.parseInt(line);
            }
            return last;
        } finally {
            writer.destroyForcibly();
        }
    }

    private static CompletableFuture<Integer> reader(S3Store store, AtomicBoolean over) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int reads = 0;
                    try {
                        while (!over.get()) {
                            reads += isRead(store) ? 1 : 0;
                        }
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                    return reads;
                },
                task -> new Thread(task, "reader").start());
    }

    /** Reads the object, again if the server meanwhile completes the last request of the killed writer. */
    private static int read(S3Store store) throws IOException {
        while (true) {
            try {
                return UploadWriter.read(store);
            } catch (ObjectChangedException e) {
                continue; // no other writer is there, so this ends
            }
        }
    }

    /** Whether the object could be read; not if it was replaced meanwhile, as the engine would read it again. */
    private static boolean isRead(S3Store store) throws IOException {
        try {
            UploadWriter.read(store);
            return true;
        } catch (ObjectChangedException e) {
            return false;
        }
    }

    /** Aborts the uploads that were left behind, as repair does; returns their number. */
    private static int aborted(S3Store store) throws IOException {
        List<Leftover> found = new ArrayList<>();
        store.leftovers("", found::add);
        for (Leftover leftover : found) {
            assertEquals(UploadWriter.KEY, leftover.key().orElseThrow());
            assertEquals(Leftover.Kind.TEMPORARY, leftover.kind());
            store.remove(leftover);
        }
        List<Leftover> rest = new ArrayList<>();
        store.leftovers("", rest::add);
        assertEquals(List.of(), rest);
        return found.size();
    }
}
