package dev.shardkit.cli.command.copy;

import dev.shardkit.registry.NamedFormat;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.regex.Pattern;

/** Detects targets that are named like N5 containers but lack the prefix {@code n5:}. Stateless. */
final class N5PrefixCheck {
    private static final Pattern N5 = Pattern.compile("(?i)(.*[/\\\\:])?[^/\\\\]+[.]n5([/\\\\].*)?");

    private N5PrefixCheck() {}

    /** Returns a note if {@code target} is in a folder named like {@code x.n5} and its location names no format. */
    static Optional<String> note(String target, Store store) {
        return NamedFormat.name(store).isEmpty() && N5.matcher(target).matches()
                ? Optional.of("note: the copy is Zarr v3; to write N5, give the target n5:" + target)
                : Optional.empty();
    }
}
