package dev.shardkit.store.file.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LockHoldersTest {
    @TempDir
    Path dir;

    @Test
    void last_isWhoTookThatLock() {
        LockHolders holders = new LockHolders(dir.resolve("holders"));
        assertEquals(Optional.empty(), holders.lastHolder(5));
        holders.recordHolder(5);
        String text = holders.lastHolder(5).orElseThrow();
        assertTrue(text.contains("process " + ProcessHandle.current().pid() + " on host"), text);
        assertTrue(text.contains(Thread.currentThread().getName()), text);
        assertEquals(Optional.empty(), holders.lastHolder(6));
        holders.recordHolder(5 + 1024);
        assertEquals(Optional.empty(), holders.lastHolder(5), "overwritten by another lock's");
        assertTrue(holders.lastHolder(5 + 1024).isPresent());
    }

    @Test
    void content_isNeverTrusted() throws IOException {
        LockHolders holders = new LockHolders(dir.resolve("holders"));
        holders.recordHolder(0);
        byte[] right = Files.readAllBytes(holders.path());
        for (int i = 0; i < right.length; i++) {
            byte[] wrong = right.clone();
            wrong[i] ^= 1;
            Files.write(holders.path(), wrong);
            assertEquals(Optional.empty(), holders.lastHolder(0), "byte " + i);
        }
        Files.write(holders.path(), new byte[100]);
        assertEquals(Optional.empty(), holders.lastHolder(0));
    }

    /** Another program may have put a file of any size there. */
    @Test
    @Timeout(60)
    void hugeFile_isNotReadToItsEnd() throws IOException {
        LockHolders holders = new LockHolders(dir.resolve("holders"));
        try (RandomAccessFile file = new RandomAccessFile(holders.path().toFile(), "rw")) {
            file.setLength(1L << 40); // no blocks are stored
        }
        SharedLockFile lock = SharedLockFile.open(dir.resolve("lock"));
        try {
            assertEquals(Optional.empty(), holders.anyOf(lock));
        } finally {
            lock.close();
        }
    }

    @Test
    void fileThatCannotBeWritten_isNoMatter() throws IOException {
        Files.createDirectory(dir.resolve("holders"));
        LockHolders holders = new LockHolders(dir.resolve("holders"));
        holders.recordHolder(0);
        assertEquals(Optional.empty(), holders.lastHolder(0));
    }
}
