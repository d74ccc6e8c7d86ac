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
 *   <li>An object that replaces an object of the same key gets the access rights of its predecessor.
 *   <li>Otherwise, an object that replaces objects of other keys ({@link Content#replaced}) gets the rights that all of
 *       them allow.
 *   <li>Otherwise, group and others get at most the rights that they have on the nearest document of a node, in the
 *       object's directory or above.
 * </ul>
 *
 * @param out the open temporary file
 * @param finalRights the access rights to give to the file after it is written; empty if it already has them
 */
record CreatedFile(SeekableByteChannel out, Optional<FileAccessRights> finalRights) {
    /** The documents of nodes, and the file that replaces them while a node is copied. */
    private static final List<String> DOCUMENTS =
            List.of("zarr.json", ".zarray", ".zgroup", "attributes.json", "__access");

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);

    /** Creates {@code temporary} for an object at {@code target}. */
    static CreatedFile of(Path temporary, Path target, Content content, StoreDirectory tree) throws IOException {
        Optional<FileAccessRights> replaced = FileAccessRights.of(target);
        if (replaced.isEmpty()) {
            replaced = rightsOfReplaced(content, tree);
        }
        if (replaced.isPresent()) {
            return new CreatedFile(open(temporary, replaced.get().atFirst()), replaced);
        }
        Optional<FileAccessRights> documentRights = rightsOfDocument(target, tree);
        return documentRights.isPresent()
                ? createBelow(documentRights.get(), temporary)
                : new CreatedFile(open(temporary), Optional.empty());
    }

    /** Returns the rights that all replaced objects allow; empty if the content replaces none. */
    private static Optional<FileAccessRights> rightsOfReplaced(Content content, StoreDirectory tree)
            throws IOException {
        Common intersection = new Common(tree);
        content.replaced(intersection::add);
        if (intersection.failure != null) {
            throw intersection.failure;
        }
        return Optional.ofNullable(intersection.access);
    }

    /** Collects the access rights that all replaced objects allow. */
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
                Optional<FileAccessRights> rights = FileAccessRights.of(tree.real(path));
                access = access == null
                        ? rights.orElse(null)
                        : rights.map(access::and).orElse(access);
            } catch (IOException e) {
                if (!tree.isAbsent(path, e)) {
                    failure = e;
                }
            }
        }
    }

    /** Returns the rights of the nearest document; empty if there is none or the file system has no POSIX modes. */
    private static Optional<FileAccessRights> rightsOfDocument(Path target, StoreDirectory tree) throws IOException {
        if (!target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Optional.empty();
        }
        Path root = tree.realRoot();
        for (Path folder = target.getParent(); folder != null && folder.startsWith(root); folder = folder.getParent()) {
            for (String name : DOCUMENTS) {
                Path document = folder.resolve(name);
                if (Files.isRegularFile(document)) {
                    return rightsOf(document);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<FileAccessRights> rightsOf(Path document) throws IOException {
        try {
            return FileAccessRights.of(document.toRealPath());
        } catch (NoSuchFileException e) {
            return Optional.empty(); // deleted in the meantime
        }
    }

    /**
     * Creates a file with the rights of a document above it. A new file may belong to another group than the document.
     * If so, and the document favours its group, the file is created again with the owner's rights only. It gets the
     * others later, together with the document's group.
     */
    private static CreatedFile createBelow(FileAccessRights document, Path temporary) throws IOException {
        SeekableByteChannel channel = open(temporary, document.ofNew());
        Optional<FileAccessRights> rights = document.favoursGroup() ? FileAccessRights.of(temporary) : Optional.empty();
        if (rights.isEmpty() || rights.get().group().equals(document.group())) {
            return new CreatedFile(channel, Optional.empty());
        }
        channel.close(); // nothing was written yet
        Files.delete(temporary);
        FileAccessRights corrected = rights.get().with(rights.get().mode(), document.group());
        return new CreatedFile(open(temporary, corrected.atFirst()), Optional.of(corrected));
    }

    private static SeekableByteChannel open(Path path, FileAttribute<?>... attributes) throws IOException {
        try {
            return FileChannel.open(path, NEW, attributes);
        } catch (UnsupportedOperationException e) {
            return Files.newByteChannel(path, NEW, attributes);
        }
    }
}
