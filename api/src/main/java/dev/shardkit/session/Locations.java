package dev.shardkit.session;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses locations. A location is a file path, or a URI whose path may contain characters that are illegal in URIs. The
 * name of a ZIP archive ({@code .zip}, {@code .ozx}) means the contents of the archive, that of a frame of Blosc2
 * ({@code .b2nd}) the array in it, and that of an HDF5 or NetCDF4 file its root group. Stateless, thread-safe.
 */
public final class Locations {
    private static final Set<String> WITH_FILES = Set.of("file", "http", "https", "s3", "gs", "az", "abfs", "abfss");

    private static final Pattern OLDER_ZARR = Pattern.compile("zarr_v[0-9][a-z_]*:");
    private static final List<String> HDF5 = List.of(".h5", ".hdf5", ".he5", ".nc", ".nc4");
    private static final byte[] HDF5_SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

    private Locations() {}

    /** Returns the URI of a location. */
    public static URI uri(String location) {
        if (location.isBlank()) {
            throw new IllegalArgumentException(
                    "expected a path or a URL, found an empty text; the current folder is \".\"");
        }
        String resolved = Pipelines.resolved(zarrFormat(location), Locations::base);
        URI uri = plain(resolved);
        if (isArchive(uri)) {
            return URI.create("zip:" + uri);
        } else if (isFrame(uri)) {
            return URI.create("b2nd:" + uri);
        }
        return isHdf5(uri) ? URI.create("hdf5:" + uri) : uri;
    }

    /** Writes the name of an older format of Zarr before a location, such as {@code zarr_v2:}, as a scheme. */
    private static String zarrFormat(String location) {
        Matcher name = OLDER_ZARR.matcher(location);
        return name.lookingAt() ? name.group().replace('_', '-') + location.substring(name.end()) : location;
    }

    /** Whether this is an HDF5 file: by its name, and for a local file by its first bytes. */
    private static boolean isHdf5(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").toLowerCase(Locale.ROOT);
        return WITH_FILES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                && uri.getRawFragment() == null
                && HDF5.stream().anyMatch(path::endsWith)
                && (!uri.getScheme().equalsIgnoreCase("file") || beginsAsHdf5(uri));
    }

    /** The signature may come later too, behind a block of another program; then the prefix hdf5: is needed. */
    private static boolean beginsAsHdf5(URI uri) {
        try (InputStream in = Files.newInputStream(Path.of(uri))) {
            return Arrays.equals(in.readNBytes(HDF5_SIGNATURE.length), HDF5_SIGNATURE);
        } catch (IOException | IllegalArgumentException e) {
            return false; // a folder, or nothing: the file store says so
        }
    }

    /** Whether this is the name of a frame of Blosc2, {@code .b2nd}: a file, or a folder that holds one. */
    private static boolean isFrame(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").replaceAll("/+$", "");
        if (!WITH_FILES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                || uri.getRawFragment() != null
                || !path.toLowerCase(Locale.ROOT).endsWith(".b2nd")) {
            return false;
        }
        return !uri.getScheme().equalsIgnoreCase("file")
                || !isFolder(uri)
                || Files.exists(Path.of(uri).resolve("chunks.b2frame"));
    }

    private static URI plain(String location) {
        if (hasScheme(location)) {
            return parsed(location.matches("(?s)[^:]+://.*") ? location : escaped(location));
        }
        Path path = Path.of(location).toAbsolutePath().normalize();
        if (location.matches("(?s)[/\\\\]{2}[^/\\\\]*:[^/\\\\]*@.*") && !Files.exists(path)) {
            throw new IllegalArgumentException("expected a path or a URL, found a text that begins with // and a user "
                    + "name; put a scheme such as https: before it (the text is not shown, since it may hold a "
                    + "password)");
        }
        return path.toUri();
    }

    private static String base(String location) {
        return hasScheme(location) ? location : plain(location).toString();
    }

    static boolean hasScheme(String location) {
        return location.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*");
    }

    /** A folder may have such a name too: a local one is looked at, others are meant by a slash at the end. */
    private static boolean isArchive(URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").toLowerCase(Locale.ROOT);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals("cache") && uri.getRawFragment() == null) {
            return isArchive(plain(uri.getRawSchemeSpecificPart()));
        }
        boolean isNamedSo = WITH_FILES.contains(scheme)
                && uri.getRawFragment() == null
                && (path.endsWith(".zip") || path.endsWith(".ozx"));
        return isNamedSo && !(scheme.equals("file") && isFolder(uri));
    }

    private static boolean isFolder(URI uri) {
        try {
            return Files.isDirectory(Path.of(uri));
        } catch (IllegalArgumentException e) {
            return true; // no path of this system: the file store says so
        }
    }

    /**
     * Parses a URI. The exception of the JDK repeats the text, which may contain a password, so it is neither a cause
     * nor part of the message.
     */
    private static URI parsed(String text) {
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
    private static String escaped(String location) {
        StringBuilder out = new StringBuilder();
        boolean brackets = location.indexOf('/') == location.indexOf(':') + 1; // otherwise brackets may enclose a host
        for (char c : location.toCharArray()) {
            boolean illegal =
                    c <= ' ' || c == 0x7f || "\"<>\\^`{|}".indexOf(c) >= 0 || brackets && (c == '[' || c == ']');
            out.append(illegal ? String.format("%%%02X", (int) c) : String.valueOf(c));
        }
        return out.toString();
    }
}
