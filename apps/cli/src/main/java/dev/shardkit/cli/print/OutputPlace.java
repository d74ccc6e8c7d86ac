package dev.shardkit.cli.print;

import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.base.LocalFolders;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The place of an output file, which must not be a file of the node that is read. Stateless. */
public final class OutputPlace {
    private static final String FILE = "file:";
    private static final Set<String> STANDARD_OUTPUT = Set.of("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");
    private static final Set<String> DOCUMENTS = Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

    private OutputPlace() {}

    /**
     * Refuses a file in the folder of the node or in place of its archive, also through links, and any existing
     * metadata document.
     */
    public static void check(Path file, ZarrNode read) throws IOException {
        if (isStream(file)) {
            return; // a pipe of a shell has a name that leads to no file
        }
        Path target = LocalFolders.real(file);
        Optional<Path> own = place(read.location());
        if (own.isPresent() && isSame(target, own.get())) {
            throw new WrongUse("the output file " + file + " is " + read.location()
                    + " itself, which is read; choose another file");
        } else if (own.isPresent() && LocalFolders.isWithin(target, own.get())) {
            throw new WrongUse("the output file " + file + " lies in the folder of " + read.location()
                    + ", which is read; choose a file outside this folder");
        } else if (Files.exists(target) && DOCUMENTS.contains(String.valueOf(target.getFileName()))) {
            throw new WrongUse("the output file " + file + " is the metadata document of an array or group; choose "
                    + "another file");
        }
    }

    /** Whether this is a name of standard output. */
    public static boolean isStandardOutput(String file) {
        return STANDARD_OUTPUT.contains(file);
    }

    /** Whether this is a pipe or a device, which is written from its start to its end. */
    public static boolean isStream(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static boolean isSame(Path target, Path own) throws IOException {
        return target.equals(own) || Files.exists(target) && Files.exists(own) && Files.isSameFile(target, own);
    }

    /** Returns the folder of a store of local files. */
    public static Optional<Path> folder(Store store) {
        String place = store.describe();
        return place.startsWith(FILE) ? Optional.of(Path.of(place.substring(FILE.length()))) : Optional.empty();
    }

    /** Returns the real folder of a local node, or the file of its archive. */
    private static Optional<Path> place(String location) throws IOException {
        int file = location.indexOf(FILE);
        if (file < 0) {
            return Optional.empty();
        }
        String path = location.substring(file + FILE.length());
        int inside = path.indexOf('!');
        try {
            return real(Path.of(file == 0 || inside < 0 ? path : path.substring(0, inside)), file == 0);
        } catch (InvalidPathException e) {
            return Optional.empty(); // no path of this system
        }
    }

    private static Optional<Path> real(Path path, boolean isFolder) throws IOException {
        Path there = path;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there == null || Files.isDirectory(there) && !(isFolder && there.equals(path))
                ? Optional.empty()
                : Optional.of(there.toRealPath());
    }

    /**
     * Parses the URL. Java's exception repeats the whole URL, so the message shows it only if it cannot contain a
     * password.
     */
    private static Path path(String url) {
        try {
            return Path.of(new URI(url));
        } catch (URISyntaxException e) {
            throw new WrongUse("not a valid file: URL: " + e.getReason() + " at index " + e.getIndex());
        }
    }

    /** Returns the real folder of a path or {@code file:} URL, resolving the part that exists. */
    public static Optional<Path> folder(String url) throws IOException {
        boolean isFile = url.startsWith("file:");
        if (!isFile && url.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return Optional.empty();
        }
        return Optional.of(LocalFolders.real(isFile ? path(url) : Path.of(url)));
    }
}
