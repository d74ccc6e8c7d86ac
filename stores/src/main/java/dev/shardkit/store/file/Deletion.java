package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/** Deletes objects of a tree, and what belongs to them: journals, locks, empty folders. Immutable. */
record Deletion(Tree tree) {
    /** Deletes an object; returns whether it existed. */
    boolean of(String key) {
        Path path = tree.path(key);
        return tree.call(path, "deleting", key, false, () -> {
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            BasicFileAttributes file = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean deleted = !file.isDirectory() && Files.deleteIfExists(real);
            if (deleted) {
                PatchPlace.of(real).clear();
            }
            return deleted;
        });
    }

    /** Deletes all objects below {@code prefix}, if the locks there are released within {@code patience}. */
    void below(String prefix, Duration patience) {
        Path path = tree.directory(prefix);
        try {
            if (prefix.isEmpty()) {
                Removal.below(tree.real(path), patience);
                return;
            }
            Path real = tree.real(path.getParent()).resolve(path.getFileName());
            if (Files.readAttributes(real, BasicFileAttributes.class).isDirectory()) {
                Removal.all(real, patience);
            }
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("deleting all below", prefix, e);
            }
        }
    }
}
