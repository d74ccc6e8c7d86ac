package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds the jars of the plug-ins below {@code examples}. */
final class ExamplePlugins {
    private static final Path EXAMPLES =
            Path.of("../../examples").toAbsolutePath().normalize();

    private ExamplePlugins() {}

    /** Compiles the plug-in {@code name} and returns its jar, a new file in {@code folder}. */
    static Path build(String name, Path folder) throws IOException {
        Path module = EXAMPLES.resolve(name).resolve("src/main");
        Path classes = Files.createDirectories(folder.resolve(name + "-classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "this JVM has no compiler");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            assertTrue(compiler.getTask(
                            null,
                            files,
                            null,
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(files(module.resolve("java"))))
                    .call());
        }
        return jar(folder.resolve(name + ".jar"), classes, module.resolve("resources"));
    }

    /** Packs the files below {@code roots}. */
    static Path jar(Path target, Path... roots) throws IOException {
        try (OutputStream out = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(out)) {
            for (Path root : roots) {
                for (Path file : files(root)) {
                    jar.putNextEntry(
                            new JarEntry(root.relativize(file).toString().replace('\\', '/')));
                    Files.copy(file, jar);
                    jar.closeEntry();
                }
            }
        }
        return target;
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
