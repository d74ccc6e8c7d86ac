package dev.shardkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryLocksTest {
    @Test
    @SuppressWarnings("try")
    void errorWhileALockIsTaken_leavesItFree() throws IOException {
        MemoryLocks locks = new MemoryLocks("memory");
        OutOfMemoryError error = new OutOfMemoryError("made up");
        assertSame(
                error,
                assertThrows(
                        OutOfMemoryError.class,
                        () -> locks.acquire("a", "a/c/0", Duration.ZERO, place -> {
                            throw error;
                        })));
        locks.acquire("a", "a/c/0", Duration.ZERO, place -> "").close();
    }
}
