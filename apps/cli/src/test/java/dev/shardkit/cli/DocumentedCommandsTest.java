package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.base.RootCommand;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of the documents exist, with their options; those of the guide run, one after the other. */
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern SHELL = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern BLOCK = Pattern.compile("^```[a-z]*\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    /** A file or folder that a page names, after the format's name if there is one. */
    private static final Pattern PLACE = Pattern.compile(
            "(\\w+:)?(before|volume|cubes|\\w+(\\.ome)?\\.(zarr|raw|jar|npy|csv|png|tif|html|h5|n5))([/!]\\w+)*");

    private static final Pattern QUOTED = Pattern.compile("`(shardkit [a-z][^`]*)`");

    @Test
    void commands_ofAllDocuments_exist() throws IOException {
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (Path document : documents()) {
            for (String line : commands(Files.readString(document))) {
                found++;
                String unknown = unknown(List.of(line.split("\\s+")));
                if (!unknown.isEmpty()) {
                    wrong.add(document.getFileName() + ": " + line + ": " + unknown);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(found >= 40, found + " commands found");
    }

    @ParameterizedTest
    @CsvSource({"command-line, 20", "files, 8", "pictures, 5", "ome, 5", "formats, 12"})
    void commands_ofTheGuide_run(String name, int least, @TempDir Path folder) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/guide/" + name + ".md"));
        List<String> lines = SHELL.matcher(page)
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
        Files.move(ExamplePlugins.build("plugin-codec", folder), folder.resolve("lz4.jar"));
        try (InputStream in = DocumentedCommandsTest.class.getResourceAsStream("small.h5")) {
            Files.copy(in, folder.resolve("data.h5"));
        }
        List<Path> here = workingFolder();
        for (String line : lines) {
            String[] args = Arrays.stream(line.split(" "))
                    .skip(1)
                    .map(word -> placed(word, folder))
                    .toArray(String[]::new);
            Cli.Result result = Cli.run(args);
            assertEquals(0, result.status(), line + ": " + result.err());
        }
        assertTrue(lines.size() >= least, lines.size() + " commands ran");
        assertEquals(here, workingFolder(), "all places of the page are in the test's folder");
    }

    private static List<Path> workingFolder() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(""))) {
            return entries.sorted().toList();
        }
    }

    private static String placed(String word, Path folder) {
        int name = word.indexOf(':') + 1;
        return PLACE.matcher(word).matches() ? word.substring(0, name) + folder.resolve(word.substring(name)) : word;
    }

    @Test
    void unknownOptions_areFound() {
        assertEquals("no command frobnicate", unknown(List.of("shardkit", "frobnicate", "URL")));
        assertEquals("no option --regoin", unknown(List.of("shardkit", "read", "URL", "--regoin", "0:1")));
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.filter(p -> p.toString()
                            .endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    /** The commands in code blocks of any kind, and those between backquotes. */
    private static List<String> commands(String text) {
        return Stream.concat(
                        Stream.concat(
                                        BLOCK.matcher(text).results().flatMap(block -> block.group(1)
                                                .lines()),
                                        text.lines().filter(line -> line.startsWith("    ")))
                                .map(line -> line.strip().replaceFirst("^(\\$ )?(\\./)?", ""))
                                .filter(line -> line.matches("shardkit [a-z].*")),
                        QUOTED.matcher(text).results().map(found -> found.group(1)))
                .toList();
    }

    private static String unknown(List<String> words) {
        Output output = new Output(
                new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new ByteArrayOutputStream());
        CommandLine command = Commands.createAll(output).stream()
                .filter(c -> words.get(1).equals(name(c)))
                .findFirst()
                .map(CommandLine::new)
                .orElse(null);
        CommandLine shared = new CommandLine(new RootCommand(output));
        if (command == null) {
            return "no command " + words.get(1);
        }
        return words.stream()
                .takeWhile(word -> !word.equals("|"))
                .filter(word -> word.matches("--?[a-z][a-z-]*"))
                .filter(word -> shared.getCommandSpec().findOption(word) == null)
                .filter(word -> command.getCommandSpec().findOption(word) == null)
                .findFirst()
                .map(word -> "no option " + word)
                .orElse("");
    }

    private static String name(ShardkitCommand command) {
        Command annotation = command.getClass().getAnnotation(Command.class);
        assertNotNull(annotation);
        return annotation.name();
    }
}
