package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Lists the entries of a directory of a tree, except the names that shardkit reserves for itself. Immutable. */
record DirectoryListing(StoreDirectory tree) {
    void run(String prefix, Consumer<Entry> entries) {
        Path path = tree.directory(prefix);
        try (DirectoryStream<Path> children = DirectoryOpener.open(tree.real(path))) {
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (!OwnNames.isOwn(name)) {
                    Optional<Entry> entry = isName(prefix, name, child)
                            ? entry(name, child, path)
                            : Optional.of(new Entry(name, Entry.Kind.OTHER));
                    entry.ifPresent(entries);
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

    /**
     * Returns whether the child can be opened by its name. This fails for names that no key may contain, such as names
     * of periods only, and for names that Java cannot decode: encoded again, such a name is that of another file.
     *
     * @throws StoreException if this JVM's encoding cannot decode the name, so another JVM may see other keys
     */
    private boolean isName(String prefix, String name, Path child) {
        try {
            Keys.check(name);
            if (child.getFileSystem().getPath(name).equals(child.getFileName())) {
                return true;
            }
        } catch (InvalidPathException e) {
            // The name contains replacement characters in place of undecodable bytes. They cannot be encoded again.
        } catch (IllegalArgumentException e) {
            return false;
        }
        String encoding = System.getProperty("sun.jnu.encoding", "");
        if (!encoding.equalsIgnoreCase("UTF-8")) {
            throw new StoreException("listing " + (prefix.isEmpty() ? "the root" : prefix) + " in " + tree.describe()
                    + ": expected names in the encoding of this JVM (sun.jnu.encoding is " + encoding + "), found \""
                    + name + "\"; start Java with the environment LC_ALL=C.UTF-8");
        }
        return false;
    }

    /**
     * Returns an entry with its kind and size; empty if the file was deleted meanwhile.
     *
     * @param path the file, whose directory is a real path
     * @param directory the path of its directory in the tree, which may lead through links
     */
    private Optional<Entry> entry(String name, Path path, Path directory) throws IOException {
        boolean link = false;
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            link = file.isSymbolicLink();
            if (link) {
                file = Files.readAttributes(
                        tree.real(directory.resolve(path.getFileName())), BasicFileAttributes.class);
            }
            if (file.isRegularFile()) {
                return Optional.of(new Entry(name, Entry.Kind.OBJECT, OptionalLong.of(file.size()), Optional.empty()));
            }
            return Optional.of(new Entry(name, file.isDirectory() ? Entry.Kind.PREFIX : Entry.Kind.OTHER));
        } catch (NoSuchFileException e) {
            // a dangling link, or deleted meanwhile
            return link ? Optional.of(new Entry(name, Entry.Kind.OTHER)) : Optional.empty();
        } catch (StoreException e) {
            return Optional.of(new Entry(name, Entry.Kind.OTHER)); // a link that leads out of the root
        } catch (FileSystemException e) {
            if (link) {
                return Optional.of(new Entry(name, Entry.Kind.OTHER)); // a link that leads to itself
            }
            throw e;
        }
    }
}
