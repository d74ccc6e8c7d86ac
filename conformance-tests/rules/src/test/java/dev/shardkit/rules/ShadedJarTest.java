package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of shardkit and what it needs in one jar, as shading tools make it: with services files merged, and without. */
@Tag("one-jdk")
class ShadedJarTest {
    private static final String SERVICES = "META-INF/services/";

    @TempDir
    private Path folder;

    @Test
    void shaded_withMergedServices_works() throws Exception {
        assertEquals(7, writeAndRead(shade(Content.ALL)));
    }

    @Test
    @Tag("long")
    void shaded_withoutServices_saysWhatWasForgotten() throws Exception {
        Path jar = shade(Content.CLASSES);
        Throwable thrown = assertThrows(InvocationTargetException.class, () -> writeAndRead(jar))
                .getCause();
        assertEquals(UnsupportedException.class.getName(), thrown.getClass().getName());
        assertTrue(thrown.getMessage().contains("META-INF/services was not merged"), thrown.getMessage());
    }

    /** By reflection, since the classes are those of the jar and not this test's. */
    private int writeAndRead(Path jar) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> spec = loader.loadClass("dev.shardkit.ArraySpec");
            Object seven = spec.getMethod("withFillValue", Number.class)
                    .invoke(spec.getMethod("of", String.class, long[].class).invoke(null, "int32", new long[] {4}), 7);
            Object array = loader.loadClass("dev.shardkit.Zarr")
                    .getMethod("createArray", String.class, spec)
                    .invoke(null, folder.resolve(jar.getFileName() + ".zarr").toString(), seven);
            Object values = array.getClass().getMethod("read").invoke(array);
            return ((int[]) values.getClass().getMethod("ints").invoke(values))[3];
        }
    }

    private enum Content {
        CLASSES,
        ALL
    }

    private Path shade(Content content) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(element);
            if (isOurs(path) || isNeeded(path)) {
                collect(path, entries);
            }
        }
        Path jar = folder.resolve(content + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Map.Entry<String, byte[]> e : entries.entrySet()) {
                if (content == Content.ALL || !e.getKey().startsWith(SERVICES)) {
                    out.putNextEntry(new JarEntry(e.getKey()));
                    out.write(e.getValue());
                    out.closeEntry();
                }
            }
        }
        return jar;
    }

    private static boolean isOurs(Path path) {
        return PublishedModules.OF_SHARDKIT.stream()
                        .anyMatch(folder -> path.endsWith(Path.of(folder, "target", "classes")))
                || path.getFileName().toString().startsWith("shardkit-");
    }

    private static boolean isNeeded(Path path) {
        String name = path.getFileName().toString();
        return name.endsWith(".jar")
                && Stream.of("jackson-", "kotlin", "aircompressor", "httpcore5", "commons-", "xz-")
                        .anyMatch(name::startsWith);
    }

    private static void collect(Path path, Map<String, byte[]> entries) throws IOException {
        if (Files.isDirectory(path)) {
            collectFrom(path, entries);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + path.toUri()), Map.of())) {
            collectFrom(jar.getPath("/"), entries);
        }
    }

    /** What merging means: services files of one name become one file. */
    private static void collectFrom(Path root, Map<String, byte[]> entries) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path f : files) {
            String name = root.relativize(f).toString().replace('\\', '/');
            if (name.startsWith(SERVICES)) {
                ByteArrayOutputStream merged = new ByteArrayOutputStream();
                merged.write(entries.getOrDefault(name, new byte[0]));
                merged.write('\n');
                try (InputStream in = Files.newInputStream(f)) {
                    in.transferTo(merged);
                }
                entries.put(name, merged.toByteArray());
            } else if (!name.endsWith("module-info.class") && !name.startsWith("META-INF/")) {
                entries.putIfAbsent(name, Files.readAllBytes(f));
            }
        }
    }
}
