package dev.shardkit.registry;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Composes the advice in the error for a name that no plug-in has. Immutable.
 *
 * @param kind the kind of plug-in that was looked for
 * @param candidates the plug-ins of all kinds
 * @param failures the plug-ins that could not be loaded
 */
record UnknownName(Plugin.Kind kind, List<Candidate> candidates, List<Plugin> failures) {
    private static final int MAX_NAMES = 5;

    /** Returns a suggestion or, without one, the nearest known names. Adds the plug-ins that could not be loaded. */
    String advice(String name) {
        String suggestion = suggestion(name);
        return (suggestion.isEmpty() ? nearestNames(name) : suggestion) + failuresText();
    }

    /** Returns a question that suggests a known name: {@code did you mean "zstd"?}; empty if no name is similar. */
    String suggestion(String name) {
        return Suggestion.of(kind, name, names())
                .map(meant -> "did you mean \"" + meant + "\"?")
                .orElse("");
    }

    private TreeSet<String> names() {
        TreeSet<String> names = new TreeSet<>();
        candidates.stream().filter(c -> c.kind() == kind || isPrefix(c)).forEach(c -> {
            names.add(c.name());
            names.addAll(c.aliases());
        });
        return names;
    }

    /**
     * Returns whether {@code c} is a node format and the unknown name a URI scheme: a location may begin with the name
     * of a format.
     */
    private boolean isPrefix(Candidate c) {
        return kind == Plugin.Kind.STORE && c.kind() == Plugin.Kind.NODE_FORMAT;
    }

    private String missingArtifact(String name) {
        return Artifacts.of(kind, name)
                .map(artifact -> "it is in the artifact " + artifact + ", which is missing")
                .orElse("is the jar of its plug-in missing?");
    }

    /** Returns the known names or the nearest of them, and the artifact that may be missing. */
    private String nearestNames(String name) {
        if (candidates.isEmpty()) {
            return "no plug-in at all was found: if jars were merged into one (shaded), META-INF/services was not"
                    + " merged with them; otherwise the jars of shardkit's codecs and stores are missing";
        }
        TreeSet<String> names = names();
        if (names.isEmpty()) {
            return "no " + kind + " is known: " + missingArtifact(name);
        }
        String list = names.size() <= MAX_NAMES
                ? "known are " + String.join(", ", names)
                : "the nearest of " + names.size() + " known names are "
                        + String.join(", ", Suggestion.nearest(name, names, MAX_NAMES))
                        + " (Registry.plugins() lists all)";
        return list + "; " + missingArtifact(name);
    }

    private String failuresText() {
        String list = failures.stream()
                .filter(f -> f.kind() == kind)
                .map(f -> f.className() + " (" + f.jar() + ") " + f.state())
                .collect(Collectors.joining("; "));
        return list.isEmpty() ? "" : " Plug-ins that could not be loaded: " + list;
    }
}
