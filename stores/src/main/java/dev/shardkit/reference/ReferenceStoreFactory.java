package dev.shardkit.reference;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens {@code reference:DOCUMENT!PATH#allow=URL&allow=URL}: a {@link ReferenceStore} of the document (a URL or a
 * path), below {@code PATH} (default: all of it). Its references may lead to its own folder or host, and below each
 * {@code URL} ({@code *}: anywhere). Thread-safe.
 */
public final class ReferenceStoreFactory implements StoreFactory {
    static final String SCHEME = "reference";

    /** For {@link java.util.ServiceLoader}. */
    public ReferenceStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Always throws: the stores of the references come from a registry. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a store of references with a registry or with ReferenceStore");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        String text = uri.getRawSchemeSpecificPart();
        int bang = text.lastIndexOf('!');
        String document = bang < 0 ? text : text.substring(0, bang);
        if (!SCHEME.equalsIgnoreCase(uri.getScheme()) || document.isEmpty()) {
            throw new IllegalArgumentException("expected reference:DOCUMENT!PATH, found " + uri.getScheme() + ":...");
        }
        ReferenceStore.Builder builder = ReferenceStore.builder(document(document), others)
                .below(bang < 0 ? "" : decoded(text.substring(bang + 1)));
        for (String option :
                Optional.ofNullable(uri.getRawFragment()).map(f -> f.split("&")).orElse(new String[0])) {
            if (!option.startsWith("allow=")) {
                throw new IllegalArgumentException(
                        "expected #allow=URL after the document's location, found another option");
            }
            String url = option.substring("allow=".length());
            if (url.equals(Allowed.ANYWHERE)) {
                builder.allowAnywhere();
            } else {
                builder.allow(document(url));
            }
        }
        return builder.open();
    }

    private static URI document(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return Path.of(decoded(text)).toAbsolutePath().normalize().toUri();
        }
        try {
            return new URI(text);
        } catch (URISyntaxException e) { // the exception's message repeats the text, which may contain a password
            throw new IllegalArgumentException("expected the URL of a document, found an invalid URL that begins with "
                    + text.substring(0, text.indexOf(':') + 1) + ": " + e.getReason() + " at index "
                    + e.getIndex());
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
