package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.keys.NestedLocation;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Targets that references name by URLs. Maps a URL to a store and a key, and checks whether the document may read it.
 * Opens one store for each allowed folder (of files) and for each host. Thread-safe: the monitor guards the open
 * stores.
 */
final class UrlTargets implements Targets {
    /** The maximum number of open stores, which bounds the hosts that a document makes this process contact. */
    private static final int MAX_STORES = 256;

    private final URI document;
    private final AllowedUrls allowed;
    private final Function<URI, Store> opener;
    /** The open stores, by the URLs of their roots. */
    private final Map<URI, Store> open = new HashMap<>();

    UrlTargets(URI document, AllowedUrls allowed, Function<URI, Store> opener) {
        this.document = document;
        this.allowed = allowed;
        this.opener = opener;
    }

    /**
     * Returns the object at {@code text}, a URL in the document, absolute or relative.
     *
     * @throws StoreException if the document may not lead there
     * @throws MetadataException if it is not a URL
     */
    @Override
    public Target at(String text) {
        URI url = resolve(text);
        Optional<URI> folder = allowed.folderOf(url);
        if (folder.isEmpty() && !(allowed.anywhere() && isPlace(url))) {
            throw new StoreException("a reference leads to " + shown(url) + ", which is not below "
                    + allowed.folders().stream().map(UrlTargets::shown).toList()
                    + "; to allow it, open the document with #allow=URL (of a folder or a host) after its location");
        }
        URI root = root(url, folder.orElse(null));
        String key = AllowedUrls.path(url).substring(AllowedUrls.path(root).length());
        try {
            Keys.check(key);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "a reference leads to " + shown(url) + ", which is not an object: " + e.getMessage(), e);
        }
        return new Target(store(root), key, Optional.empty());
    }

    /** Returns the URL of a target without credentials, even if the document may not read it. */
    @Override
    public Optional<ObjectLocations.Location> place(String text) {
        return Optional.of(new ObjectLocations.Location(open(resolve(text)), 0));
    }

    /** Returns a URL without credentials. */
    static URI open(URI url) {
        return url.getRawUserInfo() == null ? url : URI.create(url.toString().replaceFirst("//[^/]*@", "//"));
    }

    /** Returns whether a URL may be read at all: it has a path, and is not again a document of references. */
    private static boolean isPlace(URI url) {
        return url.getPath() != null && !AllowedUrls.scheme(url).equals(ReferenceStoreFactory.SCHEME);
    }

    /** Returns a key as the path of a URL: percent-encoded except for slashes. */
    static String escaped(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /** Returns whether {@code text} is a URL with another scheme than {@code document}. */
    static boolean isForeign(String text, URI document) {
        return NestedLocation.isUrl(text)
                && !text.substring(0, text.indexOf(':')).equalsIgnoreCase(document.getScheme());
    }

    /** Resolves a URL in the document. In a document that is a file, paths are not percent-encoded. */
    private URI resolve(String text) {
        try {
            URI url;
            if (File.separatorChar == '\\' && text.matches("(?s)(?:[A-Za-z]:|\\\\)[/\\\\].*")) {
                url = Path.of(text).toUri(); // a drive or a share of Windows
            } else if (NestedLocation.isUrl(text)) {
                url = parse(text);
            } else if (AllowedUrls.scheme(document).equals("file")) {
                String path = File.separatorChar == '\\' ? text.replace('\\', '/') : text;
                url = document.resolve(new URI(null, null, path.startsWith("/") ? path : "./" + path, null));
            } else {
                url = document.resolve(text);
            }
            if (url.getRawFragment() != null) {
                throw new MetadataException(
                        "a reference: expected a URL without a fragment, found " + Template.shown(text));
            }
            return url.normalize();
        } catch (URISyntaxException | IllegalArgumentException e) {
            // Without its message, which repeats the text: it may contain a password.
            throw new MetadataException("a reference: expected a URL, found " + Template.shown(text));
        }
    }

    /** Parses a URL, or encodes it if that is needed: URLs in documents are often not percent-encoded. */
    private static URI parse(String text) throws URISyntaxException {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            int colon = text.indexOf(':');
            return new URI(text.substring(0, colon), text.substring(colon + 1), null);
        }
    }

    /** Returns the URL of the root of the store for {@code url}: the allowed folder, or the host. */
    private static URI root(URI url, @Nullable URI folder) {
        if (AllowedUrls.scheme(url).equals("file")) {
            return folder == null ? fileRoot(url) : folder;
        }
        String query = Optional.ofNullable(url.getRawQuery())
                .map(parameters -> "?" + parameters)
                .orElse("");
        return URI.create(url.getScheme() + "://"
                + Optional.ofNullable(url.getRawAuthority()).orElse("") + "/" + query);
    }

    /** Returns the root of a file's path; on Windows that is a drive or a share. */
    private static URI fileRoot(URI url) {
        int end = File.separatorChar == '\\' ? url.getRawPath().indexOf('/', 1) : 0;
        String share = Optional.ofNullable(url.getRawAuthority()).orElse("");
        return end <= 0
                ? URI.create("file:///")
                : URI.create("file://" + share + url.getRawPath().substring(0, end + 1));
    }

    /**
     * Returns a URL without its secrets, for messages. If its host cannot be parsed, the reason may be a password that
     * contains a slash and so extends into the path.
     */
    static String shown(URI uri) {
        if (uri.isOpaque()) {
            return uri.getScheme() + ":...";
        }
        String authority = Optional.ofNullable(uri.getRawAuthority())
                .map(raw -> "//" + raw.replaceFirst(".*@", "***@"))
                .orElse("");
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        if (!authority.isEmpty() && uri.getHost() == null && path.contains("@")) {
            authority = "//";
            path = path.replaceFirst(".*@", "***@");
        }
        return uri.getScheme() + ":" + authority + path + (uri.getRawQuery() == null ? "" : "?***");
    }

    /** Returns the open store with this root, or opens it. */
    private synchronized Store store(URI root) {
        Optional<Store> opened = Optional.ofNullable(open.get(root));
        if (opened.isPresent()) {
            return opened.get();
        } else if (open.size() >= MAX_STORES) {
            throw new StoreException("expected references to at most " + MAX_STORES + " hosts, found more");
        }
        try {
            Store store = opener.apply(root);
            open.put(root, store);
            return store;
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "a reference leads to " + shown(root) + ", which cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized int maxRequests() {
        return open.values().stream()
                .mapToInt(store -> store.reads() instanceof RemoteReads remote ? remote.maxRequests() : 0)
                .max()
                .orElse(0);
    }

    /** Closes the open stores. */
    @Override
    public synchronized void close() {
        open.values().forEach(Store::close);
        open.clear();
    }
}
