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
class UnfinishedPutsTest {
    @TempDir
    Path dir;

    @Test
    void putThatBeginsAfterTheEnd_isRefused_andMakesNoFile() {
        UnfinishedPuts puts = new UnfinishedPuts();
        puts.end(0);
        assertThrows(CancellationException.class, () -> puts.begin(dir.resolve("t")));
    }

    @Test
    void end_waitsForAPutUnderWay() throws Exception {
        UnfinishedPuts puts = new UnfinishedPuts();
        Path file = Files.createFile(dir.resolve("t"));
        puts.begin(file);
        CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> puts.end(Long.MAX_VALUE / 1_000_000));
        while (true) {
            Path other = dir.resolve("other");
            try {
                puts.begin(other);
                puts.ended(other);
            } catch (CancellationException e) {
                break; // the end has begun
            }
        }
        assertFalse(ending.isDone());
        assertTrue(Files.exists(file), "the put may still move its file");
        Files.delete(file);
        puts.ended(file);
        ending.get(60, TimeUnit.SECONDS);
    }

    @Test
    void end_removesTheFileOfAPutThatLastsLonger() throws Exception {
        UnfinishedPuts puts = new UnfinishedPuts();
        Path file = Files.createFile(dir.resolve("t"));
        puts.begin(file);
        puts.end(0);
        assertFalse(Files.exists(file));
    }
}
