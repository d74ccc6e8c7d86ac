package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.function.Consumer;

/** Lists the entries of a directory of a tree, except names that begin with {@code __}. Immutable. */
record Listing(Tree tree) {
    void run(String prefix, Consumer<Entry> entries) {
        Path path = tree.directory(prefix);
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder(path))) {
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (!name.startsWith("__")) {
                    kind(child).ifPresent(kind -> entries.accept(new Entry(name, kind)));
                }
            }
        } catch (NotDirectoryException e) {
            return;
        } catch (DirectoryIteratorException e) {
            throw tree.failed("listing", prefix, e.getCause());
        } catch (IOException e) {
            if (!tree.isAbsent(path, e)) {
                throw tree.failed("listing", prefix, e);
            }
        }
    }

    /** Returns the real path of a directory. Java would wait for a writer if it opened a pipe as one. */
    private Path folder(Path path) throws IOException {
        Path real = tree.real(path);
        if (!Files.isDirectory(real) && Files.exists(real)) {
            throw new NotDirectoryException(real.toString());
        }
        return real;
    }

    private Optional<Entry.Kind> kind(Path path) throws IOException {
        boolean link = false;
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            link = file.isSymbolicLink();
            if (link) {
                file = Files.readAttributes(tree.real(path), BasicFileAttributes.class);
            }
            if (file.isRegularFile()) {
                return Optional.of(Entry.Kind.OBJECT);
            }
            return Optional.of(file.isDirectory() ? Entry.Kind.PREFIX : Entry.Kind.OTHER);
        } catch (NoSuchFileException e) {
            return link ? Optional.of(Entry.Kind.OTHER) : Optional.empty(); // a dangling link, or deleted meanwhile
        } catch (StoreException e) {
            return Optional.of(Entry.Kind.OTHER); // a link that leads out of the root
        } catch (FileSystemException e) {
            if (link) {
                return Optional.of(Entry.Kind.OTHER); // a link that leads to itself
            }
            throw e;
        }
    }
}
