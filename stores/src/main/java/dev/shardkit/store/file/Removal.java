package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Removes directories with all that is in them. Links are removed, never followed. */
final class Removal extends SimpleFileVisitor<Path> {
    private static final int TRIES = 10;

    private final Optional<Path> kept;

    private Removal(Optional<Path> kept) {
        this.kept = kept;
    }

    /** Removes {@code path} itself too. */
    static void all(Path path) throws IOException {
        remove(path, new Removal(Optional.empty()));
    }

    /** Removes what is in {@code directory}. */
    static void below(Path directory) throws IOException {
        remove(directory, new Removal(Optional.of(directory)));
    }

    private static void remove(Path path, Removal removal) throws IOException {
        for (int i = 1; ; i++) {
            try {
                Files.walkFileTree(path, removal);
                return;
            } catch (DirectoryNotEmptyException e) {
                if (i == TRIES) {
                    throw e; // somebody goes on writing
                }
            }
        }
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (kept.filter(directory::equals).isEmpty()) {
            Files.deleteIfExists(directory);
        }
        return FileVisitResult.CONTINUE;
    }
}
