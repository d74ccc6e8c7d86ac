package dev.shardkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Locks.Lock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
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

    @Test
    @SuppressWarnings("try")
    void deletion_waitsForALockThatItsHolderTakesBeforeItReleasesAnother() throws Exception {
        MemoryLocks locks = new MemoryLocks("memory");
        Lock first = locks.acquire("a", "a/c/0", Duration.ZERO, place -> "");
        AtomicBoolean deleted = new AtomicBoolean();
        Thread deletion = new Thread(() -> locks.deleteBelow("a", Duration.ofMinutes(5), () -> deleted.set(true)));
        deletion.start();
        Object waitsForFirst = LockSupport.getBlocker(deletion);
        while (waitsForFirst == null) {
            Thread.onSpinWait();
            waitsForFirst = LockSupport.getBlocker(deletion);
        }
        Lock second = locks.acquire("a", "a/c/1", Duration.ZERO, place -> "");
        first.close();
        for (Object waits = waitsForFirst; deletion.isAlive() && (waits == null || waits == waitsForFirst); ) {
            Thread.onSpinWait();
            waits = LockSupport.getBlocker(deletion);
        }
        assertFalse(deleted.get(), "the second lock is held");
        second.close();
        deletion.join();
        assertTrue(deleted.get());
    }
}
