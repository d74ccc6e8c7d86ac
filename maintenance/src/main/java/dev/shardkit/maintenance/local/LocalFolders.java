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
 * Finds the local folder or archive that a location names, and checks whether two locations overlap. Locations are
 * those by which stores describe themselves: {@code file:FOLDER} for local files, {@code zip:file:ARCHIVE!PATH} for a
 * path in an archive. Stateless.
 */
public final class LocalFolders {
    private static final String FILE = "file:";
    private static final String ARCHIVE = "zip:file:";

    private LocalFolders() {}

    /** Returns the folder of a store of local files; empty for other stores. */
    public static Optional<Path> of(Store store) {
        return of(store.describe());
    }

    /** Returns the folder that a location of local files names; empty for other locations. */
    public static Optional<Path> of(String location) {
        return location.startsWith(FILE) ? Optional.of(Path.of(location.substring(FILE.length()))) : Optional.empty();
    }

    /**
     * A location of local files.
     *
     * @param file a folder, or the file of an archive
     * @param pathInside the path in the archive; "" for a folder
     */
    private record LocalLocation(Path file, String pathInside) {}

    private static Optional<LocalLocation> parse(String location) {
        if (!location.startsWith(ARCHIVE)) {
            return of(location).map(folder -> new LocalLocation(folder, ""));
        }
        String path = location.substring(ARCHIVE.length());
        for (int end = path.indexOf('!'); end >= 0; end = path.indexOf('!', end + 1)) {
            Path archive = Path.of(path.substring(0, end));
            if (Files.isRegularFile(archive)) { // the names of folders and archives may contain exclamation marks too
                return Optional.of(new LocalLocation(archive, path.substring(end + 1)));
            }
        }
        return Optional.of(new LocalLocation(Path.of(path), ""));
    }

    /** Returns the local folder of a location, or the file of its archive; empty for other locations. */
    public static Optional<Path> folderOrArchive(String location) {
        return parse(location).map(LocalLocation::file);
    }

    /**
     * Returns whether two locations overlap: they are the same, or one lies within the other. Local folders and
     * archives are compared by their identity in the file system.
     */
    public static boolean overlap(String one, String other) {
        Optional<LocalLocation> first = parse(one);
        Optional<LocalLocation> second = parse(other);
        if (first.isEmpty() || second.isEmpty()) {
            return isBelow(one, other) || isBelow(other, one);
        }
        String inFirst = first.get().pathInside();
        String inSecond = second.get().pathInside();
        boolean areApartInside = !isBelow(inFirst, inSecond) && !isBelow(inSecond, inFirst);
        return overlap(first.get().file(), second.get().file())
                && !(areApartInside && isWithin(first.get().file(), second.get().file()));
    }

    /** Returns whether a path is {@code outer} or lies within it, by its text. */
    private static boolean isBelow(String inner, String outer) {
        return inner.equals(outer)
                || outer.isEmpty()
                || inner.startsWith(outer.endsWith("/") || outer.endsWith("!") ? outer : outer + "/");
    }

    /**
     * Returns whether two local paths are the same, or one lies within the other. Follows links. The paths need not
     * exist.
     *
     * @throws StoreException if a folder above them cannot be read
     */
    public static boolean overlap(Path one, Path other) {
        return isWithin(one, other) || isWithin(other, one);
    }

    /**
     * Returns whether a local path is {@code outer} or lies within it. Follows links. The paths need not exist.
     * Compares each existing folder above the path by its identity, because one folder can have several names: in a
     * file system that ignores case, or that is mounted twice.
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

    /** Returns a path with all links resolved, as far as the path exists. */
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

    /**
     * Returns whether a path is a symbolic link, or a junction of Windows, for which Java reports "directory, other".
     */
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
