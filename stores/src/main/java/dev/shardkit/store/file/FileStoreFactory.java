package dev.shardkit.store.file;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.keys.NestedLocation;
import dev.shardkit.store.policy.SymbolicLinks;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Function;

/** Opens {@code file:/absolute/path}: a {@link FileStore}. Thread-safe. */
public final class FileStoreFactory implements StoreFactory {
    /** Creates the factory; called by {@link java.util.ServiceLoader}. */
    public FileStoreFactory() {}

    @Override
    public String name() {
        return "file";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        return open(uri, SymbolicLinks.REFUSE, other -> {
            throw new IllegalStateException("a file store does not open other stores");
        });
    }

    @Override
    public Store open(URI uri, SymbolicLinks links, Function<URI, Store> others) {
        if (!"file".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException(
                    "expected file:/absolute/path, found another scheme: " + uri.getScheme());
        }
        return FileStore.at(path(uri), links == SymbolicLinks.FOLLOW ? LinkPolicy.ANYWHERE : LinkPolicy.INSIDE_ROOT);
    }

    private static Path path(URI uri) {
        if (uri.isOpaque()) {
            return NestedLocation.path(uri.getScheme() + ":" + uri.getRawSchemeSpecificPart())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "expected file:/absolute/path, found file: and " + "another scheme"));
        }
        // Path.of rejects hosts (except on Windows), queries and fragments.
        return Path.of(withoutHost(uri, File.separatorChar));
    }

    /**
     * Removes the host {@code localhost} from a URL. On Windows, the host stays if the path has no drive letter: then
     * the path begins with the name of a share ({@code \\localhost\share}).
     *
     * @param separator the separator of file paths, which tells Windows from other systems
     */
    static URI withoutHost(URI uri, char separator) {
        boolean isShare = separator == '\\' && !uri.getPath().matches("/[A-Za-z]:.*");
        return "localhost".equals(uri.getAuthority()) && !isShare ? URI.create("file://" + uri.getRawPath()) : uri;
    }
}
