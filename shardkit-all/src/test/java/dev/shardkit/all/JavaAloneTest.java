package dev.shardkit.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The artifact {@code shardkit} brings a Java program all that it needs, and nothing for Kotlin. */
class JavaAloneTest {
    /** What the tests add to the class path of the artifact. */
    private static final Pattern TESTING =
            Pattern.compile("test-classes|(junit-|opentest4j-|apiguardian-|surefire-|maven-surefire-|common-java5-).*");

    @TempDir
    private Path folder;

    private static List<String> runtime() {
        return Arrays.stream(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(e ->
                        !TESTING.matcher(Path.of(e).getFileName().toString()).matches())
                .toList();
    }

    @Test
    void libraries_areSeven() {
        Set<String> libraries = runtime().stream()
                .map(e -> Path.of(e).getFileName().toString())
                .filter(name -> name.endsWith(".jar") && !name.startsWith("shardkit-"))
                .map(name -> name.replaceAll("-[0-9].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                Set.of("aircompressor", "commons-codec", "httpcore5", "httpcore5-h2", "jackson-core", "jspecify", "xz"),
                libraries);
    }

    @Test
    void program_worksWithThemAlone() throws Exception {
        worksWith("-cp", classes() + File.pathSeparator + String.join(File.pathSeparator, runtime()));
    }

    @Test
    void program_worksWithThemAlone_asModules() throws Exception {
        worksWith(
                "-p",
                String.join(File.pathSeparator, runtime()),
                "--add-modules",
                "dev.shardkit.all",
                "-cp",
                classes());
    }

    private void worksWith(String... paths) throws Exception {
        String output = run(List.of(paths), folder);
        assertEquals(
                List.of(
                        "plain 4217",
                        "gzip 4217",
                        "blosc 4217",
                        "archive 4217",
                        "attributes {\"operator\":\"Ada\",\"slices\":[1,2]}",
                        "map {operator=Ada, slices=[1, 2]}"),
                output.lines().limit(6).toList(),
                output);
        List<String> errors = output.lines().skip(6).toList();
        assertEquals(2, errors.size(), output);
        for (String error : errors) {
            assertTrue(error.contains("$Scan, because Jackson's databind is absent; add the artifact"), error);
            assertTrue(error.contains("com.fasterxml.jackson.core:jackson-databind"), error);
        }
    }

    private static String classes() throws Exception {
        return Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private static String run(List<String> paths, Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(paths);
        command.addAll(List.of(Program.class.getName(), folder.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** The program of a user. */
    static final class Program {
        record Scan(String operator, int slices) {}

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            ArraySpec plain =
                    ArraySpec.of("int32", 100, 100).withChunkShape(10, 10).withShardShape(50, 50);
            arrays(folder.resolve("plain").toString(), "plain", plain);
            arrays(folder.resolve("gzip").toString(), "gzip", plain.withCodecs(Codecs.gzip(5), Codecs.crc32c()));
            arrays(folder.resolve("blosc").toString(), "blosc", plain.withCodecs(Codecs.blosc("zstd", 5, 4)));
            arrays(folder.resolve("a.zip").toString(), "archive", plain.withCodecs(Codecs.zstd(3)));
            try (ZarrGroup group = Zarr.createGroup(
                    folder.resolve("group").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
                Map<String, Object> attributes = new LinkedHashMap<>();
                attributes.put("operator", "Ada");
                attributes.put("slices", List.of(1, 2));
                ZarrGroup described = group.replaceAttributes(attributes);
                System.out.println("attributes " + described.attributes());
                System.out.println("map " + described.attributes(Map.class));
                refused(() -> described.attributes(Scan.class));
                refused(() -> described.replaceAttributes(new Scan("Ada", 2)));
            }
        }

        private static void arrays(String location, String name, ArraySpec spec) throws Exception {
            try (ZarrArray array = Zarr.createArray(location, spec)) {
                array.write(array.domain(), IntStream.range(0, 10_000).toArray(), 0);
            }
            try (ZarrArray array = Zarr.openArray(location)) {
                Box one = Box.of(new long[] {42, 17}, new long[] {1, 1});
                System.out.println(name + " " + array.readAsync(one).get().ints()[0]);
            }
        }

        private static void refused(Runnable call) {
            try {
                call.run();
                System.out.println("not refused");
            } catch (UnsupportedException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
