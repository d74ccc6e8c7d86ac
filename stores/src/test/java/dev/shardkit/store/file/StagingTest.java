package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StagingTest {
    @TempDir
    Path dir;

    @Test
    void putThatBeginsAfterTheEnd_isRefused_andMakesNoFile() {
        Staging staging = new Staging();
        staging.end(0);
        assertThrows(CancellationException.class, () -> staging.begin(dir.resolve("t")));
    }

    @Test
    void end_waitsForAPutUnderWay() throws Exception {
        Staging staging = new Staging();
        Path file = Files.createFile(dir.resolve("t"));
        staging.begin(file);
        CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> staging.end(Long.MAX_VALUE / 1_000_000));
        while (true) {
            Path other = dir.resolve("other");
            try {
                staging.begin(other);
                staging.ended(other);
            } catch (CancellationException e) {
                break; // the end has begun
            }
        }
        assertFalse(ending.isDone());
        assertTrue(Files.exists(file), "the put may still move its file");
        Files.delete(file);
        staging.ended(file);
        ending.get(60, TimeUnit.SECONDS);
    }

    @Test
    void end_removesTheFileOfAPutThatLastsLonger() throws Exception {
        Staging staging = new Staging();
        Path file = Files.createFile(dir.resolve("t"));
        staging.begin(file);
        staging.end(0);
        assertFalse(Files.exists(file));
    }
}
