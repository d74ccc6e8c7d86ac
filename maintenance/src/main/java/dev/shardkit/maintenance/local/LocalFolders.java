package dev.shardkit.maintenance.local;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Finds the local folder or archive that a location names, and checks whether two locations overlap. A store of local
 * files describes itself by {@code file:} and its folder, an archive by {@code zip:file:}, its file, and {@code !}
 * before a path in it. Stateless.
 */
public final class LocalFolders {
    private static final String FILE = "file:";
    private static final String ARCHIVE = "zip:file:";

    private LocalFolders() {}

    /** Returns the folder of a store of local files. */
    public static Optional<Path> of(Store store) {
        return of(store.describe());
    }

    /** Returns the folder that a location of local files names. */
    public static Optional<Path> of(String location) {
        return location.startsWith(FILE) ? Optional.of(Path.of(location.substring(FILE.length()))) : Optional.empty();
    }

    /** A local folder with the path "", or an archive with a path in it. */
    private record LocalLocation(Path file, String pathInside) {}

    private static Optional<LocalLocation> parse(String location) {
        if (!location.startsWith(ARCHIVE)) {
            return of(location).map(folder -> new LocalLocation(folder, ""));
        }
        String path = location.substring(ARCHIVE.length());
        for (int end = path.indexOf('!'); end >= 0; end = path.indexOf('!', end + 1)) {
            Path archive = Path.of(path.substring(0, end));
            if (Files.isRegularFile(archive)) { // names of files may have exclamation marks too
                return Optional.of(new LocalLocation(archive, path.substring(end + 1)));
            }
        }
        return Optional.of(new LocalLocation(Path.of(path), ""));
    }

    /** Returns the local folder of a location, or the file of its archive. */
    public static Optional<Path> folderOrArchive(String location) {
        return parse(location).map(LocalLocation::file);
    }

    /**
     * Whether one of two locations is the other, or lies within it. Local folders and archives are compared by their
     * file identity.
     */
    public static boolean overlap(String one, String other) {
        Optional<LocalLocation> first = parse(one);
        Optional<LocalLocation> second = parse(other);
        if (first.isEmpty() || second.isEmpty()) {
            return isBelow(one, other) || isBelow(other, one);
        }
        String inFirst = first.get().pathInside();
        String inSecond = second.get().pathInside();
        boolean apart = !isBelow(inFirst, inSecond) && !isBelow(inSecond, inFirst);
        return overlap(first.get().file(), second.get().file())
                && !(apart && isWithin(first.get().file(), second.get().file()));
    }

    private static boolean isBelow(String inner, String outer) {
        return inner.equals(outer)
                || outer.isEmpty()
                || inner.startsWith(outer.endsWith("/") || outer.endsWith("!") ? outer : outer + "/");
    }

    /**
     * Whether one of two local paths is the other, or lies within it, through links too. Neither need exist.
     *
     * @throws StoreException if a folder above them cannot be read
     */
    public static boolean overlap(Path one, Path other) {
        return isWithin(one, other) || isWithin(other, one);
    }

    /**
     * Whether a local path is {@code outer} or lies within it, through links too. Neither need exist. Each existing
     * folder above is compared by its identity, because names may differ where a file system ignores case, or where it
     * is mounted twice.
     *
     * @throws StoreException if a folder above them cannot be read
     */
    public static boolean isWithin(Path path, Path outer) {
        try {
            Path realPath = real(path);
            Path realOuter = real(outer);
            if (realPath.startsWith(realOuter)) {
                return true;
            }
            for (Path above = realPath; above != null && Files.exists(realOuter); above = above.getParent()) {
                if (Files.exists(above) && Files.isSameFile(above, realOuter)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new StoreException("cannot find out whether " + path + " lies in " + outer + ": " + e, e);
        }
    }

    /** Returns the real form of a path, resolving the part that exists. */
    public static Path real(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path existing = absolute;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing == null
                ? absolute.normalize()
                : existing.toRealPath().resolve(existing.relativize(absolute)).normalize();
    }

    /** Whether a path is a symbolic link, or a junction of Windows, which Java calls a directory. */
    public static boolean isLink(Path path) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isSymbolicLink() || found.isDirectory() && found.isOther();
        } catch (IOException e) {
            return false;
        }
    }
}
