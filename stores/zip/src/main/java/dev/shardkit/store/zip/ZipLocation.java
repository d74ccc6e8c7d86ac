package dev.shardkit.store.zip;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code zip:URL!path} means. Immutable.
 *
 * @param folder the store in which the archive is
 * @param name the archive's key there
 * @param path the path in the archive
 * @param lastOfDuplicates whether the last of several entries of one name counts
 */
record ZipLocation(URI folder, String name, String path, boolean lastOfDuplicates) {
    private static final String EXPECTED = "expected zip:URL!PATH, the URL or path of a ZIP archive and a path in it,"
            + " such as zip:https://host/image.zip!labels or zip:data/image.ozx; found ";
    private static final String LAST = "duplicates=last";

    static ZipLocation of(URI uri) {
        String text = uri.getRawSchemeSpecificPart();
        if (!ZipStoreFactory.SCHEME.equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException(EXPECTED + "the scheme " + uri.getScheme());
        }
        Optional<String> option = Optional.ofNullable(uri.getRawFragment());
        if (option.isPresent() && !option.get().equals(LAST)) {
            throw new IllegalArgumentException(
                    "expected nothing or #" + LAST + " behind the location of a ZIP archive, found another option");
        }
        int bang = text.lastIndexOf('!');
        String archive = bang < 0 ? text : text.substring(0, bang);
        String path = bang < 0 ? "" : decoded(text.substring(bang + 1)).replaceAll("^/+|/+$", "");
        return isUrl(archive) ? ofUrl(archive, path, option.isPresent()) : ofPath(archive, path, option.isPresent());
    }

    private static boolean isUrl(String text) {
        return text.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+:.*");
    }

    private static ZipLocation ofPath(String archive, String path, boolean last) {
        Path file = Path.of(decoded(archive)).toAbsolutePath().normalize();
        if (archive.isEmpty() || archive.endsWith("/") || file.getFileName() == null) {
            throw new IllegalArgumentException(EXPECTED + "a location without the name of a file");
        }
        return new ZipLocation(file.getParent().toUri(), file.getFileName().toString(), path, last);
    }

    private static ZipLocation ofUrl(String archive, String path, boolean last) {
        int query = archive.startsWith("zip:") ? -1 : archive.indexOf('?');
        String plain = query < 0 ? archive : archive.substring(0, query);
        int slash = plain.lastIndexOf('/');
        int bang = plain.lastIndexOf('!');
        int cut = Math.max(slash, bang);
        String name = decoded(plain.substring(cut + 1));
        boolean hasPlace = cut > 0
                && (plain.startsWith("file:") || !plain.substring(0, cut + 1).matches("[^:]+://?"));
        if (name.isEmpty() || !hasPlace) {
            throw new IllegalArgumentException(EXPECTED + "a URL that begins with "
                    + plain.substring(0, plain.indexOf(':') + 1) + " and names no file");
        }
        // a slash ends a folder; an archive in an archive is named behind the '!', which stays
        String folder = plain.substring(0, cut + 1) + (query < 0 ? "" : archive.substring(query));
        try {
            return new ZipLocation(new URI(folder), name, path, last);
        } catch (URISyntaxException e) { // its message repeats the text, which may hold a password
            throw new IllegalArgumentException(EXPECTED + "a text that begins with "
                    + plain.substring(0, plain.indexOf(':') + 1) + " and is no URL: " + e.getReason() + " at index "
                    + e.getIndex());
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
