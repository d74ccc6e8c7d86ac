package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.registry.Plugin;
import dev.shardkit.registry.Registry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list of artifacts that errors about missing plug-ins name. */
class ArtifactListTest {
    private static final String LIST = "/dev/shardkit/registry/artifacts.txt";
    private static final Pattern ARTIFACT =
            Pattern.compile("</parent>.*?<artifactId>([^<]+)</artifactId>", Pattern.DOTALL);

    /** Modules that this one does not depend on. */
    private static final String OTHERS = "(?m)^.* shardkit-store-hadoop\n";

    @Test
    void list_namesTheArtifactOfEachPlugin() throws IOException {
        TreeSet<String> lines = new TreeSet<>();
        for (Plugin plugin : Registry.load().plugins()) {
            if (plugin.className().startsWith("dev.shardkit.")
                    && !plugin.className().contains("Test")
                    && plugin.name().isPresent()) {
                lines.add(plugin.kind().service().getSimpleName() + " "
                        + plugin.name().get() + " " + artifact(Path.of(plugin.jar())));
            }
        }
        try (InputStream in = Objects.requireNonNull(Registry.class.getResourceAsStream(LIST))) {
            String list = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll(OTHERS, "");
            assertEquals(lines.stream().map(line -> line + "\n").collect(Collectors.joining()), list);
        }
    }

    /** Returns the artifact of a jar or of a folder of classes. */
    private static String artifact(Path place) throws IOException {
        Path pom = place;
        while (!Files.exists(pom.resolve("pom.xml"))) {
            pom = Objects.requireNonNull(pom.getParent(), () -> "no pom.xml above " + place);
        }
        Matcher name = ARTIFACT.matcher(Files.readString(pom.resolve("pom.xml")));
        if (!name.find()) {
            throw new IOException("no artifactId in " + pom);
        }
        return name.group(1);
    }
}
