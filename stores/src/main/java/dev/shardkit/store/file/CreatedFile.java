package dev.shardkit.store.file;

import dev.shardkit.store.Content;
import dev.shardkit.store.file.disk.FileAccessRights;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file for an object that is being put. Its access rights never exceed the rights that the object will
 * have.
 *
 * <ul>
 *   <li>An object that replaces one under its own key gets its access.
 *   <li>Otherwise an object that replaces others ({@link Content#replaced}) gets what all of them allow.
 *   <li>Otherwise group and others get at most the rights that they have on the nearest document of a node, in the
 *       object's directory or above.
 * </ul>
 *
 * @param out the open file
 * @param later the access to give to the file when it is written; empty if it has its access
 */
record CreatedFile(SeekableByteChannel out, Optional<FileAccessRights> later) {
    /** The documents of nodes, and the file that replaces them while a node is copied. */
    private static final List<String> DOCUMENTS =
            List.of("zarr.json", ".zarray", ".zgroup", "attributes.json", "__access");

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** Creates {@code temporary} for an object at {@code target}. */
    static CreatedFile of(Path temporary, Path target, Content content, StoreDirectory tree) throws IOException {
        Optional<FileAccessRights> replaced = FileAccessRights.of(target);
        if (replaced.isEmpty()) {
            replaced = common(content, tree);
        }
        if (replaced.isPresent()) {
            return new CreatedFile(open(temporary, replaced.get().atFirst()), replaced);
        }
        Optional<FileAccessRights> document = document(target, tree);
        return document.isPresent()
                ? below(document.get(), temporary)
                : new CreatedFile(open(temporary), Optional.empty());
    }

    /** Returns what all objects allow that the content replaces; empty if there is none. */
    private static Optional<FileAccessRights> common(Content content, StoreDirectory tree) throws IOException {
        Common common = new Common(tree);
        content.replaced(common::add);
        if (common.failure != null) {
            throw common.failure;
        }
        return Optional.ofNullable(common.access);
    }

    private static final class Common {
        private final StoreDirectory tree;
        private @Nullable FileAccessRights access;
        private @Nullable IOException failure;

        Common(StoreDirectory tree) {
            this.tree = tree;
        }

        void add(String key) {
            Path path = tree.path(key);
            try {
                Optional<FileAccessRights> one = FileAccessRights.of(tree.real(path));
                access =
                        access == null ? one.orElse(null) : one.map(access::and).orElse(access);
            } catch (IOException e) {
                if (!tree.isAbsent(path, e)) {
                    failure = e;
                }
            }
        }
    }

    /** Returns the access of the nearest document; empty without one, or if the file system has no modes. */
    private static Optional<FileAccessRights> document(Path target, StoreDirectory tree) throws IOException {
        if (!target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Optional.empty();
        }
        Path root = tree.realRoot();
        for (Path p = target.getParent(); p != null && p.startsWith(root); p = p.getParent()) {
            for (String name : DOCUMENTS) {
                Path document = p.resolve(name);
                if (Files.isRegularFile(document)) {
                    return access(document);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<FileAccessRights> access(Path document) throws IOException {
        try {
            return FileAccessRights.of(document.toRealPath());
        } catch (NoSuchFileException e) {
            return Optional.empty(); // deleted in the meantime
        }
    }

    /** Creates a file below a document. The rights of the document's group are for no other group. */
    private static CreatedFile below(FileAccessRights document, Path temporary) throws IOException {
        SeekableByteChannel first = open(temporary, document.ofNew());
        Optional<FileAccessRights> found = document.favoursGroup() ? FileAccessRights.of(temporary) : Optional.empty();
        if (found.isEmpty() || found.get().group().equals(document.group())) {
            return new CreatedFile(first, Optional.empty());
        }
        first.close(); // nothing was written yet
        Files.delete(temporary);
        FileAccessRights wanted = found.get().with(found.get().mode(), document.group());
        return new CreatedFile(open(temporary, wanted.atFirst()), Optional.of(wanted));
    }

    private static SeekableByteChannel open(Path path, FileAttribute<?>... attributes) throws IOException {
        try {
            return FileChannel.open(path, NEW, attributes);
        } catch (UnsupportedOperationException e) {
            return Files.newByteChannel(path, NEW, attributes);
        }
    }
}
