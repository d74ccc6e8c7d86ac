package dev.shardkit.store.reference;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The URLs that references of a document may lead to: those below one of these folders. A document comes from another
 * party and must not make this process read any file or contact any host. Immutable.
 *
 * @param folders URLs whose paths end with a slash
 * @param anywhere whether all other URLs are allowed too
 */
record AllowedUrls(List<URI> folders, boolean anywhere) {
    /** The word for {@link #anywhere} in a URL. */
    static final String ANYWHERE = "*";

    /** Returns a folder as a URL that ends with a slash. */
    static URI folder(URI uri) {
        String text = uri.toString();
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        if (path.isEmpty() && uri.getRawAuthority() == null) {
            throw new IllegalArgumentException(
                    "expected a URL with a path or a host, found one without: " + uri.getScheme() + ":...");
        }
        return path.endsWith("/") ? uri.normalize() : URI.create(text + "/").normalize();
    }

    /** Returns the innermost folder that allows {@code url}, which is normalized. */
    Optional<URI> folderOf(URI url) {
        Optional<URI> best = Optional.empty();
        for (URI folder : folders) {
            boolean isBelow = scheme(folder).equals(scheme(url))
                    && authority(folder).equals(authority(url))
                    && path(url).startsWith(path(folder))
                    && path(url).length() > path(folder).length();
            if (isBelow
                    && (best.isEmpty()
                            || path(best.get()).length() < path(folder).length())) {
                best = Optional.of(folder);
            }
        }
        return best;
    }

    static String scheme(URI uri) {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }

    private static String authority(URI uri) {
        String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        return scheme(uri).equals("file") && authority.equals("localhost") ? "" : authority.toLowerCase(Locale.ROOT);
    }

    /** Returns the path with its escapes decoded. */
    static String path(URI uri) {
        return Optional.ofNullable(uri.getPath()).orElse("");
    }
}
