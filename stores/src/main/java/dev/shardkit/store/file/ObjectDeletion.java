package dev.shardkit.store.file;

import dev.shardkit.store.OwnNames;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.function.Consumer;

/** Deletes objects of a tree, with their journals, and whole trees, with their lock files and folders. Immutable. */
record ObjectDeletion(StoreDirectory tree) {
    /** Deletes an object; returns whether it existed. */
    boolean delete(String key, Duration patience) {
        Path path = tree.path(key);
        return tree.call(path, "deleting", key, false, () -> {
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            BasicFileAttributes file = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (file.isDirectory()) {
                return false;
            }
            OpenFileReplacement.change(real, patience, () -> Files.delete(real));
            JournalDirectory.of(real).removeJournals();
            return true;
        });
    }

    /** Passes to {@code consumer} the files below {@code prefix} whose path has a reserved name. Follows no links. */
    void reserved(String prefix, Consumer<String> consumer) {
        Path path = tree.directory(prefix);
        try {
            Path folder = tree.real(path);
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                    return ReservedFiles.isJunction(attributes) && !inner.equals(folder)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = folder.relativize(file).toString().replace('\\', '/');
                    if (OwnNames.isBelowOwn(name)) {
                        consumer.accept(name);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // deleted in the meantime
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("listing all below", prefix, e);
            }
        }
    }

    /** Deletes all objects below {@code prefix}. Fails if a lock there is not released within {@code patience}. */
    void deleteBelow(String prefix, Duration patience) {
        Path path = tree.directory(prefix);
        try {
            if (prefix.isEmpty()) {
                TreeRemoval.removeContents(tree.real(path), patience);
                return;
            }
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            if (Files.readAttributes(real, BasicFileAttributes.class).isDirectory()) {
                TreeRemoval.removeTree(real, patience);
            }
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("deleting all below", prefix, e);
            }
        }
    }
}
