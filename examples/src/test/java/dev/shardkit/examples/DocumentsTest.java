package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The examples in the documents are those that run here: a comment {@code <!-- file#mark -->} before a code block names
 * the source, where the same lines stand between {@code // example: mark} and {@code // end}.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK =
            Pattern.compile("<!-- (examples/[^ #]+)#([a-z]+) -->\\n```[a-z]+\\n(.*?)\\n```", Pattern.DOTALL);

    @Test
    void codeBlocks_ofTheDocuments_standInTheExamples() throws IOException {
        int found = 0;
        for (Path document : documents()) {
            Matcher block = BLOCK.matcher(Files.readString(document));
            while (block.find()) {
                found++;
                assertEquals(
                        example(block.group(1), block.group(2)),
                        block.group(3),
                        document.getFileName() + ": " + block.group(1) + "#" + block.group(2));
            }
        }
        assertTrue(found >= 8, found + " examples found");
    }

    @Test
    void links_ofTheDocuments_leadToFiles() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(Files.readString(document));
            while (link.find()) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    dead.add(document.getFileName() + " -> " + link.group(1));
                }
            }
        }
        assertEquals(List.of(), dead);
    }

    private static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(p -> p.toString().endsWith(".md")).forEach(all::add);
        }
        return all;
    }

    private static String example(String file, String mark) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(file));
        int from = 0;
        while (!lines.get(from).strip().equals("// example: " + mark)) {
            from++;
        }
        int to = from;
        while (!lines.get(to).strip().equals("// end")) {
            to++;
        }
        return String.join("\n", lines.subList(from + 1, to)).stripIndent().stripTrailing();
    }
}
