package dev.shardkit.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of services files with the jars that contain them, which {@link java.util.ServiceLoader} does not
 * reveal.
 */
final class ServicesFiles {
    private ServicesFiles() {}

    /**
     * A line of a services file.
     *
     * @param text the class name
     * @param jar the jar that contains it
     * @param problem why the line is invalid; null if it is valid
     */
    record Line(String text, String jar, @Nullable String problem) {}

    /** Reads the lines of all services files of a service. A file that cannot be read becomes a line with a problem. */
    static List<Line> read(ClassLoader loader, String service) {
        String resource = "META-INF/services/" + service;
        List<Line> lines = new ArrayList<>();
        try {
            for (URL url : Collections.list(loader.getResources(resource))) {
                String jar = ClassOrigin.ofResource(url, resource);
                try {
                    read(url, jar, lines);
                } catch (IOException e) {
                    lines.add(new Line(resource, jar, "unreadable: " + e));
                }
            }
        } catch (IOException e) {
            lines.add(new Line(resource, "class loader " + loader, "unreadable: " + e));
        }
        return lines;
    }

    private static void read(URL url, String jar, List<Line> lines) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String raw = in.readLine(); raw != null; raw = in.readLine()) {
                number++;
                int comment = raw.indexOf('#');
                String text = (comment < 0 ? raw : raw.substring(0, comment)).strip();
                if (!text.isEmpty()) {
                    lines.add(new Line(
                            text,
                            jar,
                            isClassName(text) ? null : "line " + number + " of its services file is not a class name"));
                }
            }
        }
    }

    private static boolean isClassName(String text) {
        for (String part : text.split("\\.", -1)) {
            if (part.isEmpty()
                    || !Character.isJavaIdentifierStart(part.codePointAt(0))
                    || !part.codePoints().allMatch(Character::isJavaIdentifierPart)) {
                return false;
            }
        }
        return true;
    }
}
