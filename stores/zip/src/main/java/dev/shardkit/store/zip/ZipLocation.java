package dev.shardkit.store.zip;

import dev.shardkit.store.internal.NestedLocation;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A parsed {@code zip:URL!path}. Immutable.
 *
 * @param folder the store that holds the archive
 * @param name the archive's key there
 * @param path the path in the archive
 * @param lastOfDuplicates whether the last of several entries with the same name is used
 */
record ZipLocation(URI folder, String name, String path, boolean lastOfDuplicates) {
    private static final String EXPECTED = "expected zip:URL!PATH, the URL or path of a ZIP archive and a path in it,"
            + " such as zip:https://host/image.zip!labels or zip:data/image.ozx; found ";
    private static final String LAST = "duplicates=last";

    static ZipLocation of(URI uri) {
        if (!ZipStoreFactory.SCHEME.equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException(EXPECTED + "the scheme " + uri.getScheme());
        }
        Optional<String> option = Optional.ofNullable(uri.getRawFragment());
        if (option.isPresent() && !option.get().equals(LAST)) {
            throw new IllegalArgumentException(
                    "expected nothing or #" + LAST + " after the location of a ZIP archive, found another option");
        }
        NestedLocation location = NestedLocation.of(uri);
        String archive = location.outer();
        String path = location.inner().replaceAll("^/+|/+$", "");
        return NestedLocation.isUrl(archive)
                ? ofUrl(archive, path, option.isPresent())
                : ofPath(archive, path, option.isPresent());
    }

    private static ZipLocation ofPath(String archive, String path, boolean last) {
        Path file = Path.of(NestedLocation.decoded(archive)).toAbsolutePath().normalize();
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
        String name = NestedLocation.decoded(plain.substring(cut + 1));
        boolean hasPlace = cut > 0
                && (plain.startsWith("file:") || !plain.substring(0, cut + 1).matches("[^:]+://?"));
        if (name.isEmpty() || !hasPlace) {
            throw new IllegalArgumentException(EXPECTED + "a URL that begins with "
                    + plain.substring(0, plain.indexOf(':') + 1) + " and names no file");
        }
        // a slash ends a folder; the name of an archive in an archive follows the '!', which stays
        String folder = plain.substring(0, cut + 1) + (query < 0 ? "" : archive.substring(query));
        return new ZipLocation(NestedLocation.url(folder, EXPECTED), name, path, last);
    }
}
