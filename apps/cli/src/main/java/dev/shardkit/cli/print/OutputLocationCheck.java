package dev.shardkit.cli.print;

import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Checks the location of an output file or node: it must not belong to the node that is read. Stateless. */
public final class OutputLocationCheck {
    private static final String FILE = "file:";
    private static final Set<String> STANDARD_OUTPUT = Set.of("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");
    private static final Set<String> DOCUMENTS = Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

    private OutputLocationCheck() {}

    /**
     * Refuses an output file in the folder of the node, an output file that is the node's archive, and any existing
     * metadata document. Resolves symbolic links.
     */
    public static void requireOutside(Path file, ZarrNode source) throws IOException {
        if (isStream(file)) {
            return; // a pipe or a device is no part of the node, and the real path of a shell's pipe does not exist
        }
        Path target = LocalFolders.real(file);
        Optional<Path> nodePath = nodePath(source.location());
        if (nodePath.isPresent() && isSame(target, nodePath.get())) {
            throw new UsageException("the output file " + file + " is " + source.location()
                    + " itself, which is read; choose another file");
        } else if (nodePath.isPresent() && LocalFolders.isWithin(target, nodePath.get())) {
            throw new UsageException("the output file " + file + " lies in the folder of " + source.location()
                    + ", which is read; choose a file outside this folder");
        } else if (Files.exists(target) && DOCUMENTS.contains(String.valueOf(target.getFileName()))) {
            throw new UsageException("the output file " + file
                    + " is the metadata document of an array or group; choose " + "another file");
        }
    }

    /** Refuses a source and a target that overlap, because {@code --overwrite} would delete the source. */
    public static void refuseOverlap(String source, String target) throws IOException {
        Optional<Path> sourceFolder = folder(source);
        Optional<Path> targetFolder = folder(target);
        if (sourceFolder.isPresent()
                && targetFolder.isPresent()
                && LocalFolders.overlap(sourceFolder.get(), targetFolder.get())) {
            throw new UsageException("source and target overlap: " + source + ", " + target);
        }
    }

    /** Whether a path names standard output. */
    public static boolean isStandardOutput(String file) {
        return STANDARD_OUTPUT.contains(file);
    }

    /** Whether a path names a pipe or a device. */
    public static boolean isStream(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static boolean isSame(Path target, Path nodePath) throws IOException {
        return target.equals(nodePath)
                || Files.exists(target) && Files.exists(nodePath) && Files.isSameFile(target, nodePath);
    }

    /** Returns the folder of a store of local files; empty for other stores. */
    public static Optional<Path> folder(Store store) {
        String location = store.describe();
        return location.startsWith(FILE) ? Optional.of(Path.of(location.substring(FILE.length()))) : Optional.empty();
    }

    /**
     * Returns the real folder of a local node ({@code file:FOLDER}), or the file of its archive
     * ({@code zip:file:ARCHIVE!PATH}).
     */
    private static Optional<Path> nodePath(String location) throws IOException {
        int start = location.indexOf(FILE);
        if (start < 0) {
            return Optional.empty();
        }
        String path = location.substring(start + FILE.length());
        boolean isFolder = start == 0;
        int archiveEnd = path.indexOf('!');
        try {
            return realPath(Path.of(isFolder || archiveEnd < 0 ? path : path.substring(0, archiveEnd)), isFolder);
        } catch (InvalidPathException e) {
            return Optional.empty(); // not a valid path on this system
        }
    }

    /**
     * Returns the real path of the file at or above {@code path}, or of the folder {@code path} itself if it must be a
     * folder. Empty if there is none: other folders above a path do not belong to the node.
     */
    private static Optional<Path> realPath(Path path, boolean isFolder) throws IOException {
        Path candidate = path;
        while (candidate != null && !Files.exists(candidate)) {
            candidate = candidate.getParent();
        }
        return candidate == null || Files.isDirectory(candidate) && !(isFolder && candidate.equals(path))
                ? Optional.empty()
                : Optional.of(candidate.toRealPath());
    }

    /**
     * Parses the URL. Java's exception repeats the whole URL, so the message shows it only if it cannot contain a
     * password.
     */
    private static Path parseUrl(String url) {
        try {
            return Path.of(new URI(url));
        } catch (URISyntaxException e) {
            throw new UsageException("not a valid file: URL: " + e.getReason() + " at index " + e.getIndex());
        }
    }

    /** Returns the real folder of a path or {@code file:} URL. Symbolic links are resolved as far as folders exist. */
    public static Optional<Path> folder(String url) throws IOException {
        String path = url.replaceFirst("(?s)^file:(?!/)", ""); // stores describe themselves in this form: file:C:\data
        boolean isFile = path.startsWith(FILE);
        // Locations of other stores: a scheme has at least two characters, since C: is a drive. zarr_v2: has a "_".
        if (!isFile && path.matches("(?s)(?:[A-Za-z][A-Za-z0-9+.-]+|zarr_v[0-9][a-z_]*):.*")) {
            return Optional.empty();
        }
        return Optional.of(LocalFolders.real(isFile ? parseUrl(path) : Path.of(path)));
    }
}
