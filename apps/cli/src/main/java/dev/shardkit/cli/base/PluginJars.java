package dev.shardkit.cli.base;

import dev.shardkit.cli.print.WrongUse;
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
 * The jars of plug-ins that {@code --plugin} and the environment variable {@code SHARDKIT_PLUGINS} name. A folder adds
 * all jars in it: plug-ins and the libraries that they need. One class loader sees all of them.
 *
 * <p>A wrong path, and a named jar without a plug-in, are errors. An unreadable jar in a folder is a warning, so that
 * it does not affect the other plug-ins.
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
     * @param named the values of {@code --plugin}
     * @param variable the value of {@code SHARDKIT_PLUGINS}
     * @param warnings receives a message for each jar that is skipped
     */
    public static Set<Path> of(List<Path> named, @Nullable String variable, Consumer<String> warnings) {
        PluginJars found = new PluginJars(warnings);
        named.forEach(path -> found.add("--plugin", path));
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

    private void add(String source, Path given) {
        Path path = given.toAbsolutePath().normalize();
        if (Files.isDirectory(path)) {
            folder(source, path);
        } else if (!Files.exists(path)) {
            throw new WrongUse(source + ": no such file or folder: " + path);
        } else if (!isJar(path)) {
            throw new WrongUse(source + ": not a jar: " + path);
        } else if (isPlugin(path)) {
            jars.add(path);
        } else {
            throw new WrongUse(source + ": not a plug-in of shardkit: " + path + " has no file " + SERVICES
                    + "...; name a folder that holds the plug-in and the libraries that it needs");
        }
    }

    private void folder(String source, Path folder) {
        List<Path> files;
        try (Stream<Path> entries = Files.list(folder)) {
            files = entries.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new WrongUse(source + ": the folder cannot be read: " + folder);
        }
        for (Path file : files) {
            if (isJar(file)) {
                jars.add(file);
            } else {
                warnings.accept(source + ": skipped a file that is not a jar: " + file);
            }
        }
        if (files.isEmpty() && !source.equals(VARIABLE)) {
            throw new WrongUse(source + ": no jar in folder " + folder);
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
