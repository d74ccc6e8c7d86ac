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
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file of Java or Kotlin holds one idea. A longer one is split by idea, not by lines. */
class FileLengthTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int MOST_OF_MAIN = 300;
    private static final int MOST_OF_TESTS = 400;

    private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules");

    @Test
    void files_areShort() throws IOException {
        List<Path> sources = sources();
        assertTrue(sources.size() > 1000, "only " + sources.size() + " files found");
        assertEquals(List.of(), longOnes(sources, MOST_OF_MAIN, MOST_OF_TESTS));
    }

    @Test
    void rule_canFail() throws IOException {
        assertTrue(longOnes(sources(), MOST_OF_MAIN / 2, MOST_OF_TESTS / 2).size() > 10);
    }

    private static List<String> longOnes(List<Path> sources, int mostOfMain, int mostOfTests) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            boolean test = source.toString().replace('\\', '/').contains("/src/test/");
            long lines = lines(source);
            String name = ROOT.relativize(source).toString().replace('\\', '/');
            if (lines > (test ? mostOfTests : mostOfMain)) {
                found.add(name + ": " + lines + " lines");
            }
        }
        return found;
    }

    private static long lines(Path source) throws IOException {
        try (Stream<String> lines = Files.lines(source)) {
            return lines.count();
        }
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return NOT_SOURCES.contains(name) || name.startsWith(".")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java") || name.endsWith(".kt")) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }
}
