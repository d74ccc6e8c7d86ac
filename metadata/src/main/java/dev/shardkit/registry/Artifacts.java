package dev.shardkit.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The artifacts of shardkit that hold its plug-ins, for errors about missing ones. Stateless. */
final class Artifacts {
    /** Each line has the service, the name of the plug-in and the artifact. A test compares it with the plug-ins. */
    private static final String LIST = "artifacts.txt";

    private Artifacts() {}

    /** Returns the artifact that holds the plug-in of this name; empty if shardkit has no such plug-in. */
    static Optional<String> of(Plugin.Kind kind, String name) {
        String prefix = kind.service().getSimpleName() + " " + name + " ";
        try (InputStream in = Artifacts.class.getResourceAsStream(LIST)) {
            return in == null
                    ? Optional.empty()
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.startsWith(prefix))
                            .map(line -> line.substring(prefix.length()))
                            .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(LIST, e); // our own jar is damaged
        }
    }
}
