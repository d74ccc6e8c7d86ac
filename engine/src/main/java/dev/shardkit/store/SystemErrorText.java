package dev.shardkit.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes, for messages, why a system call failed: in words, without names of Java classes where possible. */
public final class SystemErrorText {
    private static final String FULL = "No space left on device";

    private SystemErrorText() {}

    /** Returns the reason of a failure of the system or a store. */
    public static String of(Throwable failure) {
        if (failure instanceof FileSystemException file) {
            return ofFile(file);
        }
        return text(failure);
    }

    private static String ofFile(FileSystemException failure) {
        String file = failure.getFile() == null ? "" : ": " + failure.getFile();
        if (failure instanceof AccessDeniedException) {
            return "permission denied" + file;
        } else if (failure.getReason() != null) {
            return words(failure.getReason());
        } else if (failure instanceof NoSuchFileException) {
            return "no such file" + file;
        } else if (failure instanceof FileAlreadyExistsException) {
            return "a file is in the way" + file;
        } else if (failure instanceof DirectoryNotEmptyException) {
            return "the folder is not empty" + file;
        }
        return failure.getClass().getSimpleName() + file;
    }

    /** Explains the operating system's words for a full disk; returns other reasons unchanged. */
    private static String words(String reason) {
        return reason.equals(FULL) ? "the disk is full (" + FULL + ")" : reason;
    }

    /** Describes a foreign exception, even if it cannot describe itself. */
    private static String text(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        try {
            String message = failure.getMessage();
            if (message == null) {
                return name;
            }
            boolean isPlain = failure.getClass() == IOException.class; // its name adds nothing to the message
            return isPlain ? words(message) : name + ": " + message;
        } catch (RuntimeException e) {
            return name;
        }
    }
}
