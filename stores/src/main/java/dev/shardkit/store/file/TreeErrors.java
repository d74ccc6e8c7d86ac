package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.FailureReason;
import dev.shardkit.store.internal.DirectoryContents;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The errors of a directory of keys. They say what the system's exceptions leave out, such as the link that leads
 * nowhere.
 *
 * @param root the directory
 * @param described its description in messages
 */
record TreeErrors(Path root, String described) {
    private static final char REPLACEMENT = '\uFFFD';
    private static final String NEITHER = "neither a directory nor a file (such as a named pipe or a device)";

    /** Throws if the root cannot be made because it is, or lies below, a file or a symbolic link that leads nowhere. */
    void refuseNoFolder() {
        for (Path p = root; p != null; p = p.getParent()) {
            if (Files.isSymbolicLink(p) && Files.notExists(p)) {
                throw new StoreException("cannot make the folder " + root + ": the symbolic link " + p
                        + " leads to a place that does not exist" + target(p)
                        + "; make that folder, or remove the link");
            } else if (Files.isRegularFile(p)) {
                throw new StoreException("cannot make the folder " + root + ": " + p + " is a file" + inArchive(p));
            } else if (isNoDirectory(p)) {
                throw new StoreException((p.equals(root) ? "" : "cannot make the folder " + root + ": ")
                        + "expected a directory, found " + NEITHER + ": " + p);
            } else if (Files.exists(p)) {
                return;
            }
        }
    }

    private String inArchive(Path file) {
        return file.toString().matches("(?i).*\\.(zip|ozx)")
                ? "; a path in a ZIP archive is given as zip:" + file + "!" + file.relativize(root)
                : ", not a folder";
    }

    /** Whether an absent file may be a link that leads nowhere, or have a name that does not decode. */
    boolean mayBeOther(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS) || path.toString().indexOf(REPLACEMENT) >= 0;
    }

    void refuseDanglingLink(Path path) {
        for (Path p = path; p != null && !p.equals(root) && p.startsWith(root); p = p.getParent()) {
            if (Files.isSymbolicLink(p)) {
                if (Files.notExists(p)) {
                    throw new StoreException("the symbolic link " + root.relativize(p) + " in " + described
                            + " leads to a file that does not exist" + target(p));
                }
                return;
            } else if (Files.exists(p)) {
                return;
            }
        }
    }

    /**
     * Throws if a file has a name that does not decode. Listings show such a name with replacement characters, and no
     * path that is made of these leads to the file.
     */
    void refuseUndecodable(Path path) {
        for (Path p = path; p != null && !p.equals(root) && p.startsWith(root); p = p.getParent()) {
            if (p.getFileName().toString().indexOf(REPLACEMENT) >= 0 && Files.notExists(p)) {
                refuseUndecodable(p.getParent(), p.getFileName());
            }
        }
    }

    private void refuseUndecodable(Path directory, Path name) {
        try (DirectoryStream<Path> files = DirectoryContents.open(directory)) {
            for (Path file : files) {
                Path found = file.getFileName();
                if (found.toString().equals(name.toString()) && !found.equals(name)) {
                    throw new StoreException("expected names in UTF-8 in " + described + ", found " + encoded(file)
                            + " (percent-encoded) in " + directory + "; rename it");
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // there is no such directory, or the failure of another call says why
        }
    }

    /** Returns the name of a file with its bytes percent-encoded. */
    private static String encoded(Path file) {
        String path = file.toUri().getRawPath().replaceAll("/$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String target(Path link) {
        try {
            return ": " + Files.readSymbolicLink(link);
        } catch (IOException e) {
            return "";
        }
    }

    StoreException failed(String what, String key, IOException cause) {
        if (cause instanceof FileSystemException) {
            refuseNoFolder(); // says more than the system's reason
        }
        Optional<Path> blocked = notDirectory(key, cause);
        if (blocked.isPresent()) {
            return new StoreException(
                    what + " " + (key.isEmpty() ? "the root" : key) + " in " + described
                            + " failed: expected a directory, found "
                            + (Files.isRegularFile(blocked.get()) ? "a file" : NEITHER) + ": " + blocked.get(),
                    cause);
        }
        return new StoreException(
                what + " " + (key.isEmpty() ? "the root" : key) + " in " + described + " failed: "
                        + FailureReason.of(cause),
                cause);
    }

    /** Returns what lies in the place of a directory above a key, if that is the cause of a failure. */
    private Optional<Path> notDirectory(String key, IOException cause) {
        if (cause instanceof NotDirectoryException named && named.getFile() != null) {
            return Optional.of(root.getFileSystem().getPath(named.getFile()));
        } else if (cause instanceof FileSystemException) {
            // The system's exception for a path below a file has no type of its own.
            for (Path p = root.resolve(key).getParent(); p != null && p.startsWith(root); p = p.getParent()) {
                if (isNoDirectory(p)) {
                    return Optional.of(p);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether something else is there; a call that fails proves nothing. */
    private static boolean isNoDirectory(Path path) {
        try {
            return !Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
        } catch (IOException e) {
            return false;
        }
    }
}
