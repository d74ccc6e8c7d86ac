package dev.shardkit.registry;

import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A loaded plug-in with its name, aliases and priority. The plug-in is asked for them once. */
record Candidate(Plugin.Kind kind, Extension extension, String name, Set<String> aliases, int priority) {

    /** Reads the properties of {@code extension} once. Any exception means that it failed to load. */
    static Candidate of(Plugin.Kind kind, Extension extension) {
        String name = Objects.requireNonNull(extension.name(), "name() gave null");
        if (name.isBlank()) {
            throw new IllegalStateException("name() is blank");
        }
        return new Candidate(kind, extension, name, Set.copyOf(extension.aliases()), extension.priority());
    }

    boolean claims(String requested) {
        if (extension instanceof DataTypeFactory family && !requested.equals(name) && !aliases.contains(requested)) {
            try {
                return family.claims(requested);
            } catch (RuntimeException | Error e) {
                Fatal.rethrow(e);
                return false; // a failing plug-in claims no name and does not affect others
            }
        }
        return requested.equals(name) || aliases.contains(requested);
    }

    String origin() {
        return ClassOrigin.of(extension.getClass());
    }

    /** Returns the class and jar, for messages. */
    String described() {
        return extension.getClass().getName() + " (" + origin() + ")";
    }

    Plugin toPlugin(Plugin.State state) {
        return new Plugin(
                kind,
                Optional.of(name),
                extension.getClass().getName(),
                origin(),
                ClassOrigin.version(extension.getClass()),
                priority,
                state);
    }
}
