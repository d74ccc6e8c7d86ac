package dev.shardkit.store.zip;

import dev.shardkit.store.keys.NestedLocation;
import dev.shardkit.store.keys.ObjectAddress;
import java.net.URI;
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
        ObjectAddress archive = ObjectAddress.of(location.outer(), EXPECTED);
        return new ZipLocation(archive.folder(), archive.name(), location.inner(), option.isPresent());
    }
}
