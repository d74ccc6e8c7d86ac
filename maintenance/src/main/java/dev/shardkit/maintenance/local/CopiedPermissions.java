package dev.shardkit.maintenance.local;

import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that a local copy of local files gives no user more permissions than the sources do. While this object is
 * open, new files in the target's folder give the group and others at most the permissions that they have on the
 * documents of all sources.
 *
 * <p>The file store takes the permissions of new files from the document in their folder, such as {@code zarr.json}. A
 * copy has no document before it is complete. Until then, the store takes the permissions of an empty marker file. Used
 * by one thread.
 */
public final class CopiedPermissions implements AutoCloseable {
    /** The name of the marker file; {@code OwnNames} and {@code CreatedFile} of the file store repeat it. */
    private static final String MARK = "__access";

    /** The names of documents whose permissions are those of the node, in the order of the search. */
    private static final List<String> DOCUMENTS =
            List.of("zarr.json", WorkKind.MOVED_DOCUMENT, ".zarray", ".zgroup", "attributes.json");

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> GROUP_RIGHTS = PosixFilePermissions.fromString("---rwx---");

    private final @Nullable Path markFile;

    private CopiedPermissions(@Nullable Path mark) {
        this.markFile = mark;
    }

    /**
     * Creates the marker file if the sources are not public.
     *
     * @param sources the locations of the nodes that are copied
     * @param target the location of the copy
     */
    public static CopiedPermissions restrict(List<String> sources, String target) {
        Optional<Path> folder = LocalFolders.of(target);
        if (folder.isEmpty()
                || !folder.get().getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new CopiedPermissions(null);
        }
        try {
            Set<PosixFilePermission> permissions = EnumSet.allOf(PosixFilePermission.class);
            Set<Object> groups = new HashSet<>();
            for (String source : sources) {
                Optional<Path> document = LocalFolders.of(source).flatMap(CopiedPermissions::findDocument);
                if (document.isPresent()) {
                    permissions.retainAll(Files.getPosixFilePermissions(document.get()));
                    groups.add(Files.getAttribute(document.get(), "posix:group"));
                }
            }
            return new CopiedPermissions(
                    permissions.containsAll(PUBLIC) ? null : markFile(folder.get(), permissions, groups));
        } catch (IOException e) {
            throw new StoreException("cannot give the copy at " + target + " the rights of its source: " + e, e);
        }
    }

    private static Optional<Path> findDocument(Path folder) {
        return DOCUMENTS.stream()
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** Creates the marker file. */
    private static Path markFile(Path folder, Set<PosixFilePermission> permissions, Set<Object> groups)
            throws IOException {
        Files.createDirectories(folder);
        Path mark = folder.resolve(MARK);
        try {
            Files.createFile(mark, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            return mark; // an interrupted run has created it
        }
        Set<PosixFilePermission> all = EnumSet.copyOf(OWNER_ONLY);
        // The rights of the sources' group are given only if new files belong to the same group.
        boolean isSameGroup = groups.equals(Set.of(Files.getAttribute(mark, "posix:group")));
        permissions.stream()
                .filter(right -> isSameGroup || !GROUP_RIGHTS.contains(right))
                .forEach(all::add);
        Files.setPosixFilePermissions(mark, all);
        return mark;
    }

    /** Deletes the marker file. Call it after the documents of the copy were written. */
    @Override
    public void close() {
        if (markFile != null) {
            try {
                Files.deleteIfExists(markFile);
            } catch (IOException e) {
                throw new StoreException("cannot remove " + markFile + ": " + e, e);
            }
        }
    }
}
