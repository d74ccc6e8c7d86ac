package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The public API of each published module is what its checked-in {@code api.txt} says. */
class PublicApiTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .getParent()
            .getParent();
    private static final String UPDATE = "mvn -B -ntp verify -pl conformance-tests/rules -am -Dtest=PublicApiTest "
            + "-Dsurefire.failIfNoSpecifiedTests=false -Dshardkit.api.update";

    @ParameterizedTest
    @MethodSource("dev.shardkit.rules.PublishedModules#all")
    void api_isAsCheckedIn(String module) throws IOException {
        assumeTrue(Boolean.getBoolean("shardkit.api.check"), "shardkit.api.check is false");
        String now = PublicApi.of(ROOT.resolve(module).resolve("target/classes"));
        Path file = ROOT.resolve(module).resolve("api.txt");
        if (Boolean.getBoolean("shardkit.api.update")) {
            Files.writeString(file, now);
        }
        String before = Files.exists(file) ? Files.readString(file) : "no api.txt\n";
        List<String> changes = difference(before, now);
        if (!before.equals(now)) {
            fail("The public API of " + module + " is not what " + module + "/api.txt says:\n"
                    + String.join("\n", changes) + "\nIf that is meant: " + UPDATE + "\n");
        }
    }

    /** Lines, each with the type it belongs to, that only one of the two has. */
    private static List<String> difference(String before, String now) {
        Set<String> old = qualified(before);
        Set<String> current = qualified(now);
        List<String> changes = new ArrayList<>();
        old.stream().filter(l -> !current.contains(l)).map(l -> "- " + l).forEach(changes::add);
        current.stream().filter(l -> !old.contains(l)).map(l -> "+ " + l).forEach(changes::add);
        return changes;
    }

    private static Set<String> qualified(String text) {
        Set<String> lines = new TreeSet<>();
        String type = "";
        for (String line : text.lines().filter(l -> !l.isBlank()).collect(Collectors.toList())) {
            type = line.startsWith(" ") ? type : line;
            lines.add(line.startsWith(" ") ? type + " { " + line.strip() + " }" : line);
        }
        return lines;
    }

    @Test
    void difference_namesWhatCameAndWhatWent() {
        String before = "public class A\n  public int a()\n\npublic class B\n  public int a()\n";
        String now = "public class A\n  public int a()\n\npublic class B\n  public long a()\n";
        assertEquals(
                List.of("- public class B { public int a() }", "+ public class B { public long a() }"),
                difference(before, now));
    }

    @Test
    void text_hasExportedTypesOnly() throws IOException {
        String text = PublicApi.of(ROOT.resolve("codecs-spi/target/classes"));
        assertTrue(text.contains("dev.shardkit.spi."), text);
        assertFalse(PublicApi.of(ROOT.resolve("api/target/classes")).contains("class dev.shardkit.engine."));
    }
}
