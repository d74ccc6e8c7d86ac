package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about stability has a group for each package that a published module exports, and no others. */
class StabilityPageTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern EXPORT = Pattern.compile("exports\\s+([\\w.]+)\\s*;");
    private static final Pattern NAMED = Pattern.compile("`(dev\\.shardkit[\\w.]*)`");

    @Test
    void page_hasEachExportedPackage() throws IOException {
        Set<String> exported = new TreeSet<>();
        for (String module : PublishedModules.all().toList()) {
            Path declaration = ROOT.resolve(module).resolve("src/main/java/module-info.java");
            if (Files.exists(declaration)) {
                EXPORT.matcher(Files.readString(declaration)).results().forEach(found -> exported.add(found.group(1)));
            }
        }
        Set<String> named = Files.readAllLines(ROOT.resolve("docs/stability.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> NAMED.matcher(line).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(exported, named);
    }
}
