package dev.shardkit.maintenance.base;

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
 * Keeps a copy of private files private, where both places are local files: while it is open, new files in the target's
 * folder give group and others at most the rights that they have on the documents of all sources. The folder has no
 * document before the copy is complete, so an empty file with these rights takes its place; the store of files looks
 * for it ({@code Creation}). Used by one thread.
 */
public final class CopyPermissions implements AutoCloseable {
    /** The name of the file, which the store of files knows too. */
    private static final String MARK = "__access";

    private static final List<String> DOCUMENTS = List.of("zarr.json", ".zarray", ".zgroup", "attributes.json");
    private static final Set<PosixFilePermission> OF_OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> OF_GROUP = PosixFilePermissions.fromString("---rwx---");

    private final @Nullable Path mark;

    private CopyPermissions(@Nullable Path mark) {
        this.mark = mark;
    }

    /**
     * Begins a copy.
     *
     * @param sources the locations of the nodes that are copied
     * @param target the location of the copy
     */
    public static CopyPermissions between(List<String> sources, String target) {
        Optional<Path> folder = LocalFolders.of(target);
        if (folder.isEmpty()
                || !folder.get().getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new CopyPermissions(null);
        }
        try {
            Set<PosixFilePermission> rights = EnumSet.allOf(PosixFilePermission.class);
            Set<Object> groups = new HashSet<>();
            for (String source : sources) {
                Optional<Path> document = LocalFolders.of(source).flatMap(CopyPermissions::document);
                if (document.isPresent()) {
                    rights.retainAll(Files.getPosixFilePermissions(document.get()));
                    groups.add(Files.getAttribute(document.get(), "posix:group"));
                }
            }
            return new CopyPermissions(rights.containsAll(PUBLIC) ? null : mark(folder.get(), rights, groups));
        } catch (IOException e) {
            throw new StoreException("cannot give the copy at " + target + " the rights of its source: " + e, e);
        }
    }

    private static Optional<Path> document(Path folder) {
        return DOCUMENTS.stream()
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static Path mark(Path folder, Set<PosixFilePermission> rights, Set<Object> groups) throws IOException {
        Files.createDirectories(folder);
        Path mark = folder.resolve(MARK);
        try {
            Files.createFile(mark, PosixFilePermissions.asFileAttribute(OF_OWNER));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            return mark; // an interrupted run made it
        }
        Set<PosixFilePermission> all = EnumSet.copyOf(OF_OWNER);
        boolean sameGroup = groups.equals(Set.of(Files.getAttribute(mark, "posix:group")));
        rights.stream().filter(right -> sameGroup || !OF_GROUP.contains(right)).forEach(all::add);
        Files.setPosixFilePermissions(mark, all);
        return mark;
    }

    /** Ends the copy, whose documents now have these rights. */
    @Override
    public void close() {
        if (mark != null) {
            try {
                Files.deleteIfExists(mark);
            } catch (IOException e) {
                throw new StoreException("cannot remove " + mark + ": " + e, e);
            }
        }
    }
}
