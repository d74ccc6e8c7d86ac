package dev.shardkit.registry;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The advice in the error for an unknown name. Immutable.
 *
 * @param kind the kind of plug-in
 * @param candidates the plug-ins of all kinds
 * @param failures the plug-ins that could not be loaded
 */
record UnknownName(Plugin.Kind kind, List<Candidate> candidates, List<Plugin> failures) {
    /** The artifacts of stores that the artifact {@code shardkit} does not bring. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "s3", "shardkit-store-s3",
            "gs", "shardkit-store-gcs",
            "az", "shardkit-store-azure",
            "abfs", "shardkit-store-azure",
            "abfss", "shardkit-store-azure",
            "hdfs", "shardkit-store-hadoop",
            "hadoop", "shardkit-store-hadoop",
            "hdf5", "shardkit-hdf5");

    /** Returns a suggestion, otherwise the known names; and the plug-ins that could not be loaded. */
    String advice(String name) {
        String suggestion = suggestion(name);
        return (suggestion.isEmpty() ? known(missing(name)) : suggestion) + failed();
    }

    /** Returns the question for a usual misspelling of a known name; empty for any other name. */
    String suggestion(String name) {
        return Suggestion.of(kind, name, names())
                .map(meant -> "did you mean \"" + meant + "\"?")
                .orElse("");
    }

    private TreeSet<String> names() {
        TreeSet<String> names = new TreeSet<>();
        candidates.stream().filter(c -> c.kind() == kind).forEach(c -> {
            names.add(c.name());
            names.addAll(c.aliases());
        });
        return names;
    }

    private String missing(String name) {
        String artifact = kind == Plugin.Kind.STORE ? ARTIFACTS.get(name) : null;
        return artifact == null
                ? "is the jar of its plug-in missing?"
                : "it is in the artifact " + artifact + ", which is missing";
    }

    private String known(String missing) {
        if (candidates.isEmpty()) {
            return "no plug-in at all was found: if jars were merged into one (shaded), META-INF/services was not"
                    + " merged with them; otherwise the jars of shardkit's codecs and stores are missing";
        }
        TreeSet<String> names = names();
        return names.isEmpty()
                ? "no " + kind + " is known: is a jar missing?"
                : "known are " + String.join(", ", names) + "; " + missing;
    }

    private String failed() {
        String list = failures.stream()
                .filter(f -> f.kind() == kind)
                .map(f -> f.className() + " (" + f.jar() + ") " + f.state())
                .collect(Collectors.joining("; "));
        return list.isEmpty() ? "" : " Plug-ins that could not be loaded: " + list;
    }
}
