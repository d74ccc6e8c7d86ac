package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.util.Optional;

/**
 * Walks a tree whose arrays and groups have lock files. Other threads and processes may remove the tree at the same
 * time, so files that disappear are skipped.
 */
abstract class LockFileWalk extends SimpleFileVisitor<Path> {
    /** Returns the lock file of the array or group in a directory; empty if there is none. */
    static Optional<Path> lockFile(Path directory) throws IOException {
        Path reserved = directory.resolve(Keys.RESERVED);
        Path lock = reserved.resolve("lock");
        return ReservedFiles.isDirectory(reserved) && ReservedFiles.isFile(lock) ? Optional.of(lock) : Optional.empty();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException || isBeingDeleted(file, failure)) {
            return FileVisitResult.CONTINUE; // another thread or process removed it
        }
        throw failure;
    }

    /** Returns whether Windows still lists a deleted file, because a program has it open, but denies access to it. */
    private static boolean isBeingDeleted(Path file, IOException failure) {
        return failure instanceof AccessDeniedException
                && OpenFileReplacement.hinder(file)
                && !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }
}
