package dev.shardkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class SystemErrorTextTest {
    @Test
    void reasons_areWords() {
        String full = "the disk is full (No space left on device)";
        assertEquals(full, SystemErrorText.of(new IOException("No space left on device")));
        assertEquals(full, SystemErrorText.of(new FileSystemException("f", null, "No space left on device")));
        assertEquals(
                "Read-only file system",
                SystemErrorText.of(new FileSystemException("f", null, "Read-only file system")));
        assertEquals("permission denied: f", SystemErrorText.of(new AccessDeniedException("f")));
        assertEquals("no such file: f", SystemErrorText.of(new NoSuchFileException("f")));
        assertEquals("a file is in the way: f", SystemErrorText.of(new FileAlreadyExistsException("f")));
        assertEquals("the folder is not empty: f", SystemErrorText.of(new DirectoryNotEmptyException("f")));
    }

    @Test
    void otherFailures_keepTheNameThatSaysWhatTheyAre() {
        assertEquals("EOFException", SystemErrorText.of(new EOFException()));
        assertEquals("IllegalStateException: closed", SystemErrorText.of(new IllegalStateException("closed")));
        assertEquals("IOException", SystemErrorText.of(new IOException()));
    }
}
