package dev.shardkit.crash;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks through a store that is in use: it removes empty directories of its own in the background, so what is gone when
 * the walk gets there is no failure.
 */
final class Walk extends SimpleFileVisitor<Path> {
    private final Path root;
    private final What what;
    private final List<Path> files = new ArrayList<>();

    private enum What {
        LIST,
        DELETE
    }

    private Walk(Path root, What what) {
        this.root = root;
        this.what = what;
    }

    /** The regular files below {@code root}. */
    static List<Path> files(Path root) throws IOException {
        Walk walk = new Walk(root, What.LIST);
        Files.walkFileTree(root, walk);
        return walk.files;
    }

    /** Removes all that lies below {@code root}. */
    static void clear(Path root) throws IOException {
        Files.walkFileTree(root, new Walk(root, What.DELETE));
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (what == What.DELETE) {
            Files.deleteIfExists(file);
        } else if (attributes.isRegularFile()) {
            files.add(file);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        return goOn(failure);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
        if (what == What.DELETE && failure == null && !directory.equals(root)) {
            Files.deleteIfExists(directory);
        }
        return failure == null ? FileVisitResult.CONTINUE : goOn(failure);
    }

    private static FileVisitResult goOn(IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }
}
