package dev.shardkit.registry;

import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Describes the jar, folder or module from which a class or resource was loaded, for messages. */
final class ClassOrigin {
    private ClassOrigin() {}

    /** Returns the jar or folder of {@code type}, otherwise its module. */
    static String of(Class<?> type) {
        CodeSource source;
        try {
            source = type.getProtectionDomain().getCodeSource();
        } catch (SecurityException e) {
            return "a place that may not be known";
        }
        if (source != null && source.getLocation() != null) {
            return readable(source.getLocation().toString());
        }
        return type.getModule().isNamed() ? "module " + type.getModule().getName() : "unknown place";
    }

    /** Returns the jar or folder that contains the resource at {@code url}. */
    static String ofResource(URL url, String resource) {
        String text = url.toString();
        String root = text.endsWith(resource) ? text.substring(0, text.length() - resource.length()) : text;
        root = root.startsWith("jar:") ? root.substring(4) : root;
        return readable(root.endsWith("!/") ? root.substring(0, root.length() - 2) : root);
    }

    /** Returns the version of the module of {@code type}, otherwise that of its package. */
    static Optional<String> version(Class<?> type) {
        Optional<String> module =
                Optional.ofNullable(type.getModule().getDescriptor()).flatMap(d -> d.rawVersion());
        return module.isPresent()
                ? module
                : Optional.ofNullable(type.getPackage())
                        .flatMap(p -> Optional.ofNullable(p.getImplementationVersion()));
    }

    /** Returns the path of a file URL; other locations are returned unchanged. */
    private static String readable(String location) {
        if (location.startsWith("file:")) {
            try {
                return Path.of(java.net.URI.create(location)).toString();
            } catch (RuntimeException e) {
                return location; // an unusual URL is still a name
            }
        }
        return location;
    }
}
