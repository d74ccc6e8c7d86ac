package dev.shardkit.store.composed;

import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.SystemErrorText;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.keys.NestedLocation;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Opens {@code composed:FILE!PATH}: the composed store that a local file describes ({@link Composition}, the JSON form
 * of the Python library shardedstore), below {@code PATH}. Relative paths of parts begin at the file's folder. All
 * parts must exist, and lie in that folder or in one that {@code #allow=FOLDER} names. Thread-safe.
 */
public final class ComposedStoreFactory implements StoreFactory {
    private static final String SCHEME = "composed";

    /** Creates the factory; called by {@link java.util.ServiceLoader}. */
    public ComposedStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Throws always: only a registry can open the stores of the parts. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a composed store with a registry");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> opener) throws IOException {
        NestedLocation location = NestedLocation.of(uri);
        if (!SCHEME.equalsIgnoreCase(uri.getScheme()) || location.outer().isEmpty()) {
            throw new IllegalArgumentException("expected composed:FILE!PATH, found " + uri.getScheme() + ":...");
        }
        Keys.checkPrefix(location.inner());
        Path file = local(location.outer()).toRealPath();
        List<Path> allowed = new ArrayList<>(List.of(file.getParent()));
        for (String allow :
                NestedLocation.allowed(uri, "expected #allow=FOLDER after the location of a composed store")) {
            allowed.add(local(allow).toRealPath());
        }
        Composition parts = Composition.parse(read(file));
        return new Opening(SCHEME + ":" + file, file.getParent(), allowed, opener).open(parts, location.inner());
    }

    private static byte[] read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) { // opening a pipe would wait for its writer
            throw new StoreException(
                    "expected the description of a composed store, found another kind of file: " + file);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Composition.MAX_BYTES + 1);
            if (bytes.length > Composition.MAX_BYTES) {
                throw new StoreException("expected at most " + Composition.MAX_BYTES + " bytes, found more: " + file);
            }
            return bytes;
        }
    }

    private static Path local(String text) {
        URI uri = NestedLocation.urlOrPath(text, "expected the path of a local file, found ");
        if (!"file".equals(uri.getScheme())) {
            throw new UnsupportedException(
                    "a composed store is described by a local file, found the scheme " + uri.getScheme());
        }
        return Path.of(uri);
    }

    /**
     * Opens the stores of one composed store. Used once.
     *
     * @param folder the folder of the document
     * @param allowed the folders in which parts may lie
     * @param opened the parts that have been opened so far, by their real paths
     * @param ancestors all folders above the parts that have been opened so far
     */
    private record Opening(
            String name,
            Path folder,
            List<Path> allowed,
            Function<URI, Store> opener,
            Map<Path, Store> opened,
            Set<Path> ancestors) {
        Opening(String name, Path folder, List<Path> allowed, Function<URI, Store> opener) {
            this(name, folder, allowed, opener, new HashMap<>(), new HashSet<>());
        }

        Store open(Composition parts, String prefix) throws IOException {
            boolean isOpened = false;
            try {
                Store base = open(parts.base());
                Map<String, Store> mounts = open(parts.mounts());
                Map<String, Map<String, Store>> arrays = new LinkedHashMap<>();
                for (var array : parts.arrayParts().entrySet()) {
                    arrays.put(array.getKey(), withSeparators(open(array.getValue()), base, array.getKey()));
                }
                Store store = ComposedStore.of(name, prefix, new Routes(base, mounts, arrays));
                isOpened = true;
                return store;
            } finally {
                if (!isOpened) {
                    opened.values().forEach(Store::close);
                }
            }
        }

        /**
         * Appends the separator of chunk keys to each part's indices, as {@link Routes} needs it. Several indices
         * contain the separator; for a single index it is looked up in the array's document.
         */
        private static Map<String, Store> withSeparators(Map<String, Store> parts, Store base, String array)
                throws IOException {
            String defaultSeparator = SeparatorDetection.of(base, array);
            Map<String, Store> separated = new LinkedHashMap<>();
            parts.forEach((indices, part) -> {
                String separator = indices.contains("/") ? "/" : indices.contains(".") ? "." : defaultSeparator;
                separated.put(indices + separator, part);
            });
            return separated;
        }

        private Map<String, Store> open(Map<String, Composition.StoredPart> parts) {
            Map<String, Store> stores = new LinkedHashMap<>();
            parts.forEach((path, part) -> stores.put(path, open(part)));
            return stores;
        }

        private Store open(Composition.StoredPart part) {
            Path folder = realPath(part.path());
            if (allowed.stream().noneMatch(folder::startsWith)) {
                throw new UnsupportedException("a part of " + name + " lies outside its folder: " + part.path()
                        + "; #allow=FOLDER allows another one");
            }
            refuseNested(folder);
            boolean zip = part.kind() == Composition.Kind.ZIP;
            if (zip == Files.isDirectory(folder)) {
                throw new StoreException("a part of " + name + ": expected " + (zip ? "an archive" : "a folder")
                        + ", found another file: " + part.path());
            }
            Store store = opener.apply(zip ? URI.create("zip:" + folder.toUri()) : folder.toUri());
            opened.put(folder, store);
            return store;
        }

        /** Refuses a part that is, contains or lies in another one: two stores would then hold the same files. */
        private void refuseNested(Path folder) {
            boolean nested = ancestors.contains(folder);
            for (Path current = folder; current != null; current = current.getParent()) {
                nested |= opened.containsKey(current);
            }
            if (nested) {
                throw new UnsupportedException("parts of " + name + " lie in one another: one of them is " + folder);
            }
            for (Path current = folder.getParent(); current != null && ancestors.add(current); ) {
                current = current.getParent();
            }
        }

        private Path realPath(String path) {
            try {
                return folder.resolve(path).toRealPath();
            } catch (IOException | IllegalArgumentException e) {
                throw new StoreException(
                        "a part of " + name + " cannot be opened: " + path + ": " + SystemErrorText.of(e), e);
            }
        }
    }
}
