package dev.shardkit.session.location;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses locations. A location is a file path, or a URI whose path may contain characters that are illegal in URIs. A
 * location may also name a file that holds nodes: a ZIP archive ({@code .zip}, {@code .ozx}) means its contents, a
 * frame of Blosc2 ({@code .b2nd}) the array in it, and an HDF5 or NetCDF4 file its root group. A local HDF5 file is
 * recognised by its first bytes, a remote one by its name. {@code FILE!PATH} means a node in an archive or HDF5 file.
 * Stateless, thread-safe.
 */
public final class Locations {
    private static final Set<String> FILE_SCHEMES = Set.of("file", "http", "https", "s3", "gs", "az", "abfs", "abfss");

    private static final Pattern OLDER_ZARR = Pattern.compile("zarr_v[0-9][a-z_]*:");
    private static final List<String> HDF5 = List.of(".h5", ".hdf5", ".he5", ".nc", ".nc4");
    /**
     * The length of a block of another program that may precede the signature. After longer blocks, the file is not
     * recognised, so its location needs the prefix hdf5:.
     */
    private static final int HDF5_BLOCK = 512;

    /** The documents of nodes that may lie in the folder of a frame. */
    private static final List<String> DOCUMENTS =
            List.of(NodePath.DOCUMENT, ".zarray", ".zgroup", "attributes.json", "info", "header.wkw");

    private static final byte[] HDF5_SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    /** The prefix of the description of a file store; its folder follows. */
    private static final String FILE = "file:";

    private Locations() {}

    /** Returns the folder of a store of local files; empty for other stores. */
    public static Optional<Path> localFolder(Store store) {
        String description = store.describe();
        try {
            return description.startsWith(FILE)
                    ? Optional.of(Path.of(description.substring(FILE.length())))
                    : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty(); // no path of this system
        }
    }

    /**
     * Returns the URI of a location. That of a file that holds nodes gets the scheme of its format: {@code zip:},
     * {@code hdf5:} or {@code b2nd:}.
     */
    public static URI uri(String location) {
        if (location.isBlank()) {
            throw new IllegalArgumentException(
                    "expected a path or a URL, found an empty text; the current folder is \".\"");
        }
        String resolved = PipelineLocations.resolved(zarrFormat(location), Locations::baseUrl);
        URI uri = parsePlain(resolved);
        // FILE!PATH: the format is that of FILE
        String scheme = containerFile(uri).map(Locations::containerScheme).orElse("");
        if (scheme.isEmpty()) {
            scheme = containerScheme(uri); // no FILE!PATH: the location is a file itself
            if (!scheme.isEmpty() && uri.toString().contains("!")) {
                return URI.create(scheme + uri + "!"); // the file's name has a !, so another one marks its end
            }
        }
        scheme = scheme.isEmpty() && isFrame(uri) ? "b2nd:" : scheme;
        return scheme.isEmpty() ? uri : URI.create(scheme + uri);
    }

    /** Returns the scheme of a file that holds several nodes, such as {@code zip:}; empty for other locations. */
    private static String containerScheme(URI uri) {
        return isArchive(uri) ? "zip:" : isHdf5(uri) ? "hdf5:" : "";
    }

    /**
     * Returns the location of the file in {@code FILE!PATH}; empty if a local file has the whole name, or if FILE is a
     * folder.
     */
    private static Optional<URI> containerFile(URI uri) {
        String text = uri.toString();
        int bang = text.lastIndexOf('!');
        if (bang < 0
                || !uri.getScheme().equalsIgnoreCase("cache")
                        && !FILE_SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                || uri.getRawFragment() != null) {
            return Optional.empty();
        }
        try {
            URI outer = new URI(text.substring(0, bang));
            boolean isFile = !outer.getScheme().equalsIgnoreCase("file")
                    || !Files.exists(Path.of(uri)) && !Files.isDirectory(Path.of(outer));
            return isFile ? Optional.of(outer) : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty(); // not a path of this system: the store reports that
        }
    }

    /** Writes a prefix of an older Zarr format, such as {@code zarr_v2:}, with hyphens: schemes have no underscores. */
    private static String zarrFormat(String location) {
        Matcher name = OLDER_ZARR.matcher(location);
        return name.lookingAt() ? name.group().replace('_', '-') + location.substring(name.end()) : location;
    }

    /** Returns whether this is an HDF5 file: a local file by its first bytes, others by the name. */
    private static boolean isHdf5(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").toLowerCase(Locale.ROOT);
        return FILE_SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                && uri.getRawFragment() == null
                && (uri.getScheme().equalsIgnoreCase("file")
                        ? beginsAsHdf5(uri)
                        : HDF5.stream().anyMatch(path::endsWith));
    }

    /** Returns whether the signature is at the start, or after a block of 512 bytes as in MATLAB files. */
    private static boolean beginsAsHdf5(URI uri) {
        try {
            Path file = Path.of(uri);
            if (!Files.isRegularFile(file)) {
                return false; // opening a named pipe would wait
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] firstBytes = in.readNBytes(HDF5_BLOCK + HDF5_SIGNATURE.length);
                return hasHdf5Signature(firstBytes, 0) || hasHdf5Signature(firstBytes, HDF5_BLOCK);
            }
        } catch (IOException | IllegalArgumentException e) {
            return false; // unreadable: the file store reports that
        }
    }

    private static boolean hasHdf5Signature(byte[] firstBytes, int offset) {
        int end = offset + HDF5_SIGNATURE.length;
        return end <= firstBytes.length
                && Arrays.equals(firstBytes, offset, end, HDF5_SIGNATURE, 0, HDF5_SIGNATURE.length);
    }

    /** Returns whether this is the name of a frame of Blosc2, {@code .b2nd}: a file, or a folder that holds one. */
    private static boolean isFrame(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").replaceAll("/+$", "");
        if (!FILE_SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                || uri.getRawFragment() != null
                || !path.toLowerCase(Locale.ROOT).endsWith(".b2nd")) {
            return false;
        }
        if (!uri.getScheme().equalsIgnoreCase("file") || !isFolder(uri)) {
            return true;
        }
        Path folder = Path.of(uri);
        boolean isFrame = Files.exists(folder.resolve("chunks.b2frame"));
        if (isFrame) {
            refuseSecondFormat(folder);
        }
        return isFrame;
    }

    /** Refuses a folder of a frame that holds a node of a format with documents too. */
    private static void refuseSecondFormat(Path folder) {
        for (String document : DOCUMENTS) {
            if (Files.isRegularFile(folder.resolve(document))) {
                throw new MetadataException("the folder " + folder + " holds two formats: a frame of Blosc2 "
                        + "(chunks.b2frame) and a node that " + document + " describes; put b2nd: before the location "
                        + "to open the frame");
            }
        }
    }

    private static URI parsePlain(String location) {
        if (location.matches("(?s)(?i:file):[^/\\\\].*")) {
            return parsePlain(location.substring("file:".length())); // a relative path
        }
        if (hasScheme(location)) { // a URL with // is taken as it is; after other schemes follows a path
            return parseUri(location.matches("(?s)[^:]+://.*") ? location : escape(location));
        }
        if (location.matches("(?s)[/\\\\]{2}[^/\\\\]*:[^/\\\\]*@.*") && !exists(location)) {
            throw new IllegalArgumentException("expected a path or a URL, found a text that begins with // and a user "
                    + "name; put a scheme such as https: before it (the text is not shown, since it may hold a "
                    + "password)");
        }
        return Path.of(location).toAbsolutePath().normalize().toUri();
    }

    private static boolean exists(String path) {
        try {
            return Files.exists(Path.of(path));
        } catch (InvalidPathException e) {
            return false; // its message repeats the text
        }
    }

    private static String baseUrl(String location) {
        return hasScheme(location) ? location : parsePlain(location).toString();
    }

    static boolean hasScheme(String location) {
        return location.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*");
    }

    /**
     * Returns whether this is the name of an archive. A folder may have such a name too: a local path is looked up, and
     * the location of a remote folder ends with a slash.
     */
    private static boolean isArchive(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").toLowerCase(Locale.ROOT);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals("cache") && uri.getRawFragment() == null) {
            return isArchive(parsePlain(uri.getRawSchemeSpecificPart()));
        }
        boolean hasArchiveName = FILE_SCHEMES.contains(scheme)
                && uri.getRawFragment() == null
                && (path.endsWith(".zip") || path.endsWith(".ozx"));
        return hasArchiveName && !(scheme.equals("file") && isFolder(uri));
    }

    private static boolean isFolder(URI uri) {
        try {
            return Files.isDirectory(Path.of(uri));
        } catch (IllegalArgumentException e) {
            return true; // not a path of this system: the file store reports that
        }
    }

    /**
     * Parses a URI. The exception of the JDK repeats the text, which may contain a password, so it is neither a cause
     * nor part of the message.
     */
    private static URI parseUri(String text) {
        if (text.matches("(?s)[^:/]+:/*")) {
            throw new IllegalArgumentException("expected a path or a name after " + text + ", found none");
        }
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("expected a URL, found a text that begins with "
                    + text.substring(0, text.indexOf(':') + 1) + " and is not a URL: " + e.getReason() + " at index "
                    + e.getIndex()
                    + " (the text is not shown, since it may hold a password)");
        }
    }

    /** Escapes illegal characters of a path after a scheme ({@code reference:a b}). */
    private static String escape(String location) {
        StringBuilder out = new StringBuilder();
        // Brackets are escaped in a path that follows the scheme directly. Elsewhere they may enclose a host.
        boolean brackets = location.indexOf('/') == location.indexOf(':') + 1;
        for (char c : location.toCharArray()) {
            boolean illegal =
                    c <= ' ' || c == 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0 || brackets && (c == '[' || c == ']');
            out.append(illegal ? String.format("%%%02X", (int) c) : String.valueOf(c));
        }
        return out.toString();
    }
}
