package dev.shardkit.store.reference;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The URLs to which references of a document may lead: those below one of these folders. A document may come from an
 * untrusted party, and must not make this process read arbitrary files or contact arbitrary hosts. Immutable.
 *
 * @param folders URLs whose paths end with a slash
 * @param anywhere whether all other URLs are allowed too
 */
record AllowedUrls(List<URI> folders, boolean anywhere) {
    /** Stands for {@link #anywhere} in the option {@code #allow=} of a location. */
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

    /** Returns the innermost folder that contains {@code url}, a normalized URL; empty if none does. */
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
