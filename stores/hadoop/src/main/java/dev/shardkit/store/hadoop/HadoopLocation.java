package dev.shardkit.store.hadoop;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.keys.Keys;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a {@link HadoopStore}: maps keys to paths. Immutable.
 *
 * @param scheme the scheme of the file system
 * @param authority the authority of the file system, such as {@code namenode:8020}; empty for none
 * @param path the folder, decoded, without a slash at its end; empty for the root
 */
record HadoopLocation(String scheme, String authority, String path) {
    /**
     * Returns the location at a URL.
     *
     * @param resolved the URL of the opened file system, which has an authority even if only the settings name it
     * @throws IllegalArgumentException if the URL is not that of a folder
     */
    static HadoopLocation of(URI location, URI resolved) {
        String path = location.getPath();
        boolean plain = location.getRawQuery() == null && location.getRawFragment() == null;
        if (path == null || !plain || !(path.isEmpty() || path.startsWith("/"))) {
            throw new IllegalArgumentException("expected " + location.getScheme()
                    + "://" + ("hdfs".equals(location.getScheme()) ? "NAMENODE" : "AUTHORITY")
                    + "/PATH without query or fragment, found another URL");
        }
        String inner = path.replaceAll("/+$", "");
        if (!inner.isEmpty()) {
            Keys.check(inner.substring(1));
        }
        String authority = Optional.ofNullable(resolved.getAuthority()).orElse("");
        return new HadoopLocation(resolved.getScheme(), authority, inner);
    }

    /**
     * Returns the file system's path of a key or prefix.
     *
     * @param key the key or prefix; empty for the root
     * @throws IllegalArgumentException if the key is not valid
     */
    Path of(String key) {
        Keys.checkPrefix(key);
        return inside(key);
    }

    /**
     * Returns the file system's path of a name, like {@link #of(String)}, but without its checks: some names that the
     * store itself makes, such as those of temporary files, are not valid keys.
     */
    Path inside(String name) {
        String joined = StoreKeys.join(path, name);
        String absolute = joined.isEmpty() ? "/" : joined;
        // Not parsed from text, because Hadoop takes the text before a colon for a scheme.
        return new Path(scheme, authority.isEmpty() ? null : authority, absolute);
    }

    /** Returns the location for messages. Some file systems accept a password in the authority. */
    String describe() {
        String shown = authority.matches("(?s)[^@]*:.*@.*") ? authority.replaceAll("(?s)^.*@", "***@") : authority;
        return scheme + "://" + shown + (path.isEmpty() ? "/" : path);
    }
}
