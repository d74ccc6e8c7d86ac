package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/guide/contract-suites.md} lists each suite of the repository and each ability of stores, and its table
 * shows each subclass of a suite in the sources. With {@code -Dshardkit.api.update} the test writes the table anew.
 */
class ContractSuitesPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .getParent()
            .getParent();
    private static final Path PAGE = ROOT.resolve("docs/guide/contract-suites.md");
    private static final Path SUITES = ROOT.resolve("conformance/testkit/src/main/java/dev/shardkit/testkit");
    private static final Path STORE = ROOT.resolve("engine/src/main/java/dev/shardkit/store");
    private static final String HEAD = "| module | test | suites |\n| --- | --- | --- |\n";
    /** Java and Kotlin. */
    private static final Pattern SUBCLASS =
            Pattern.compile("class\\s+\\w+\\s*(?:extends\\s+|:\\s*)(\\w+Contract)\\b", Pattern.DOTALL);

    @Test
    void page_listsEachSuite() throws IOException {
        List<String> listed = suitesIn(rows(beforeTable()));
        assertEquals(suites(), new TreeSet<>(listed), "suites of the test kit, and those that the page lists");
        assertEquals(suites().size(), listed.size(), "a suite is listed twice");
    }

    @Test
    void page_namesEachAbility() throws IOException {
        String page = beforeTable();
        for (String ability : abilities()) {
            assertTrue(page.contains("`" + ability + "`"), "no suite for the ability " + ability);
        }
    }

    @Test
    void table_showsEachSubclass() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(HEAD);
        assertTrue(begin > 0, "no table of subclasses");
        String drawn = HEAD + String.join("", rows(subclasses()));
        if (Boolean.getBoolean("shardkit.api.update")) {
            Files.writeString(PAGE, page.substring(0, begin) + drawn);
            return;
        }
        assertEquals(drawn, page.substring(begin), "write docs/guide/contract-suites.md anew by -Dshardkit.api.update");
    }

    /** Every suite has somebody who passes it. */
    @Test
    void eachSuite_hasASubclass() throws IOException {
        Set<String> used = new TreeSet<>();
        subclasses().values().forEach(used::addAll);
        Set<String> unused = suites();
        unused.removeAll(used);
        assertEquals(Set.of(), unused);
    }

    @Test
    void subclasses_ofBothLanguages_areFound() {
        Matcher java = SUBCLASS.matcher("class Writing " + "extends WritesContract {");
        assertTrue(java.find() && java.group(1).equals("WritesContract"));
        Matcher kotlin = SUBCLASS.matcher("class Writing " + ": WritesContract() {");
        assertTrue(kotlin.find() && kotlin.group(1).equals("WritesContract"));
    }

    private static String beforeTable() throws IOException {
        String page = Files.readString(PAGE);
        return page.substring(0, page.indexOf(HEAD));
    }

    private static List<String> rows(String page) {
        return page.lines().filter(line -> line.startsWith("| `")).toList();
    }

    private static List<String> suitesIn(List<String> rows) {
        Pattern first = Pattern.compile("\\| `(\\w+Contract)` \\|.*");
        return rows.stream()
                .map(first::matcher)
                .filter(Matcher::matches)
                .map(m -> m.group(1))
                .toList();
    }

    private static Set<String> suites() throws IOException {
        try (Stream<Path> kit = Files.walk(SUITES)) {
            return Stream.concat(kit, sources().stream())
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Contract.java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The interfaces of the store seam that are abilities, without their blocking forms. */
    private static Set<String> abilities() throws IOException {
        Set<String> all = new TreeSet<>();
        try (Stream<Path> files = Files.list(STORE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher m =
                        Pattern.compile("interface (\\w+) extends Ability\\b").matcher(Files.readString(file));
                if (m.find()) {
                    all.add(m.group(1));
                }
            }
        }
        assertTrue(all.size() >= 10, "abilities: " + all);
        return all;
    }

    /** The suites that each test extends, by the beginning of its row. */
    private static Map<String, Set<String>> subclasses() throws IOException {
        Set<String> suites = suites();
        Map<String, Set<String>> all = new TreeMap<>();
        for (Path file : sources()) {
            Matcher m = SUBCLASS.matcher(Files.readString(file));
            while (m.find()) {
                if (suites.contains(m.group(1))) {
                    all.computeIfAbsent(row(file), f -> new TreeSet<>()).add(m.group(1));
                }
            }
        }
        return all;
    }

    private static String row(Path file) {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        String module = path.substring(0, path.indexOf("/src/test/"));
        return "| `" + module + "` | `" + path.replaceAll(".*/|\\.\\w+$", "") + "` | ";
    }

    /** The sources of tests, but those of suites that fail on purpose. */
    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean built = name.equals("target") || name.equals("main") || name.equals("fixtures");
                boolean skipped = !folder.equals(ROOT) && (built || name.startsWith("."));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String path = file.toString().replace('\\', '/');
                boolean source = path.contains("/src/test/") && path.matches(".*\\.(java|kt)");
                if (source && !path.matches(".*FailTest\\.java")) {
                    all.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return all;
    }

    private static List<String> rows(Map<String, Set<String>> subclasses) {
        return subclasses.entrySet().stream()
                .map(e -> e.getKey()
                        + e.getValue().stream().map(s -> "`" + s + "`").collect(Collectors.joining(", ")) + " |\n")
                .toList();
    }
}
