package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks the documents: their code is the code of examples that run here, and their links lead somewhere. A comment
 * {@code <!-- file#mark -->} before a code block names its source, where {@code // example: mark} and {@code // end}
 * enclose the same lines. With {@code -Dshardkit.documents.update} the blocks are replaced by their sources.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MARKED =
            Pattern.compile("(<!-- (examples/[^ #]+)#([^ ]+) -->\\n```[a-z]+\\n)(.*?)(\\n?```\\n)", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern UNMARKED =
            Pattern.compile("^(?!<!-- examples/).*\\n```(?:java|kotlin)\\n(.*)$", Pattern.MULTILINE);
    private static final Pattern IMPORTS =
            Pattern.compile("^\\| (`dev\\.shardkit.*?) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern IMPORT =
            Pattern.compile("^import (dev\\.shardkit[a-z0-9.]*)\\.([A-Z]\\w*);?$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]*)(#[^)\\s]+)?\\)");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+)$", Pattern.MULTILINE);

    @Test
    void codeBlocks_ofTheDocuments_areThoseOfTheExamples() throws IOException {
        int found = 0;
        for (Path document : documents()) {
            update(document);
            for (MatchResult block : all(MARKED, Files.readString(document))) {
                found++;
                assertEquals(
                        example(block.group(2), block.group(3)),
                        block.group(4),
                        document.getFileName() + ": " + block.group(2) + "#" + block.group(3));
            }
        }
        assertTrue(found >= 30, found + " examples found");
    }

    @Test
    void codeBlocks_ofReadmeAndGuide_areAllExamples() throws IOException {
        List<String> unmarked = new ArrayList<>();
        for (Path document : documents()) {
            if (document.endsWith("README.md") || document.getParent().endsWith("guide")) {
                all(UNMARKED, Files.readString(document))
                        .forEach(block -> unmarked.add(document.getFileName() + ": " + block.group(1)));
            }
        }
        assertEquals(List.of(), unmarked);
    }

    /** The table names packages and their types; a row whose types begin with "all" has all types of its packages. */
    @Test
    void typesOfTheExamples_areInTheTableOfImports() throws IOException {
        Map<String, String> table = new HashMap<>();
        for (MatchResult row : all(IMPORTS, Files.readString(ROOT.resolve("docs/guide/reading.md")))) {
            all(QUOTED, row.group(1)).forEach(name -> table.put(name.group(1), row.group(2)));
        }
        Set<String> missing = new TreeSet<>();
        int used = 0;
        for (Path document : documents()) {
            for (MatchResult block : all(MARKED, Files.readString(document))) {
                for (MatchResult imported : all(IMPORT, Files.readString(ROOT.resolve(block.group(2))))) {
                    if (Pattern.compile("\\b" + imported.group(2) + "\\b")
                            .matcher(block.group(4).replaceAll("//.*", ""))
                            .find()) {
                        used++;
                        String types = table.getOrDefault(imported.group(1), "");
                        if (!types.startsWith("all: ") && !types.contains("`" + imported.group(2) + "`")) {
                            missing.add(imported.group(1) + "." + imported.group(2));
                        }
                    }
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(used >= 300, used + " uses of types found");
    }

    @Test
    void links_ofTheDocuments_leadToFilesAndHeadings() throws IOException {
        List<String> dead = new ArrayList<>();
        int followed = 0;
        for (Path document : documents()) {
            for (MatchResult link : all(LINK, prose(document))) {
                followed++;
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                if (!Files.exists(target)
                        || link.group(2) != null
                                && !anchors(target).contains(link.group(2).substring(1))) {
                    dead.add(document.getFileName() + " -> " + link.group());
                }
            }
        }
        assertEquals(List.of(), dead);
        assertTrue(followed >= 60, followed + " links found");
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    /** The text without its code blocks. */
    private static String prose(Path document) throws IOException {
        return CODE.matcher(Files.readString(document)).replaceAll("");
    }

    /** The anchors of the headings, as MkDocs and GitHub make them; of a page in HTML, its ids. */
    private static List<String> anchors(Path document) throws IOException {
        if (document.toString().endsWith(".html")) {
            return all(ID, Files.readString(document)).stream()
                    .map(id -> id.group(1))
                    .toList();
        }
        return all(HEADING, prose(document)).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(java.util.Locale.ROOT)
                        .replaceAll("[^\\w\\s-]", "")
                        .strip()
                        .replaceAll("\\s", "-"))
                .toList();
    }

    private static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>(
                List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md").stream()
                        .map(ROOT::resolve)
                        .toList());
        try (var docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(p -> p.toString().endsWith(".md")).sorted().forEach(all::add);
        }
        return all;
    }

    private static void update(Path document) throws IOException {
        if (System.getProperty("shardkit.documents.update") != null) {
            StringBuilder text = new StringBuilder();
            Matcher block = MARKED.matcher(Files.readString(document));
            while (block.find()) {
                String code = example(block.group(2), block.group(3));
                block.appendReplacement(text, Matcher.quoteReplacement(block.group(1) + code + "\n```\n"));
            }
            Files.writeString(document, block.appendTail(text));
        }
    }

    private static String example(String file, String mark) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(file)).stream()
                .map(String::strip)
                .toList();
        int from = lines.indexOf("// example: " + mark);
        assertTrue(from >= 0, file + " has no example " + mark);
        int count = lines.subList(from, lines.size()).indexOf("// end");
        List<String> raw = Files.readAllLines(ROOT.resolve(file));
        return String.join("\n", raw.subList(from + 1, from + count))
                .stripIndent()
                .stripTrailing();
    }
}
