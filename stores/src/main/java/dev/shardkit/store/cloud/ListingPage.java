package dev.shardkit.store.cloud;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing. Immutable.
 *
 * @param objects the objects
 * @param prefixes the common prefixes, each with a slash at its end
 * @param next the continuation token of the next page; null on the last page
 */
public record ListingPage(
        List<Named> objects,
        List<String> prefixes,
        @Nullable String next) {
    /** The maximum size in bytes of the response with a page. */
    public static final int LARGEST = 16 << 20;

    /** An object by its name in the bucket or container. */
    public record Named(String name, OptionalLong size, Optional<String> version) {}

    /** Parses the size of an object in a response; empty if {@code text} is not a number. */
    public static OptionalLong size(String text) {
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
