package dev.shardkit.cli.base;

import dev.shardkit.cli.print.UsageException;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jars of plug-ins named by {@code --plugin} and the environment variable {@code SHARDKIT_PLUGINS}. A folder
 * adds all its jars: plug-ins and their libraries. One class loader loads all of them.
 *
 * <p>A missing path and a named jar without a plug-in are errors. An unreadable jar in a folder only causes a warning,
 * so other plug-ins still work.
 */
public final class PluginJars {
    /** The environment variable: folders and jars, separated like a class path. */
    static final String VARIABLE = "SHARDKIT_PLUGINS";

    private static final String SERVICES = "META-INF/services/dev.shardkit.";

    private final Set<Path> jars = new TreeSet<>();
    private final Consumer<String> warnings;

    private PluginJars(Consumer<String> warnings) {
        this.warnings = warnings;
    }

    /**
     * Returns the absolute paths of all jars.
     *
     * @param paths the values of {@code --plugin}
     * @param variable the value of {@code SHARDKIT_PLUGINS}
     * @param warnings receives a message for each jar that is skipped
     */
    public static Set<Path> of(List<Path> paths, @Nullable String variable, Consumer<String> warnings) {
        PluginJars found = new PluginJars(warnings);
        paths.forEach(path -> found.add("--plugin", path));
        if (variable != null) {
            for (String item : variable.split(File.pathSeparator)) {
                if (!item.isBlank()) {
                    found.add(VARIABLE, Path.of(item));
                }
            }
        }
        return found.jars;
    }

    /** Returns a class loader that sees shardkit and {@code jars}. */
    public static URLClassLoader loader(Set<Path> jars) {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e); // every path has a file: URL
            }
        }
        return new URLClassLoader("plug-ins", urls.toArray(URL[]::new), PluginJars.class.getClassLoader());
    }

    /** Adds a jar or the jars of a folder. {@code source} names the option or variable in messages. */
    private void add(String source, Path path) {
        Path absolutePath = path.toAbsolutePath().normalize();
        if (Files.isDirectory(absolutePath)) {
            addFolder(source, absolutePath);
        } else if (!Files.exists(absolutePath)) {
            throw new UsageException(source + ": no such file or folder: " + absolutePath);
        } else if (!isJar(absolutePath)) {
            throw new UsageException(source + ": not a jar: " + absolutePath);
        } else if (isPlugin(absolutePath)) {
            jars.add(absolutePath);
        } else {
            throw new UsageException(source + ": not a plug-in of shardkit: " + absolutePath + " has no file "
                    + SERVICES + "...; name a folder that holds the plug-in and the libraries that it needs");
        }
    }

    /** Adds all jars of a folder, plug-ins or not: others may be libraries of plug-ins. */
    private void addFolder(String source, Path folder) {
        List<Path> files;
        try (Stream<Path> entries = Files.list(folder)) {
            files = entries.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UsageException(source + ": the folder cannot be read: " + folder);
        }
        for (Path file : files) {
            if (isJar(file)) {
                jars.add(file);
            } else {
                warnings.accept(source + ": skipped a file that is not a jar: " + file);
            }
        }
        // The environment may name a folder that has no plug-ins yet; on the command line, this is a mistake.
        if (files.isEmpty() && !source.equals(VARIABLE)) {
            throw new UsageException(source + ": no jar in folder " + folder);
        }
    }

    private static boolean isJar(Path path) {
        try (ZipFile zip = new ZipFile(path.toFile())) {
            return zip.size() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isPlugin(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().map(ZipEntry::getName).anyMatch(name -> name.startsWith(SERVICES));
        } catch (IOException e) {
            return false;
        }
    }
}
