package dev.shardkit.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * A folder with the fixtures: the arrays that tools are asked to read, and manifests that list them. It is an existing
 * folder, or a temporary one with the unpacked artifact {@code shardkit-conformance-fixtures} from the class path,
 * which {@link #close} deletes. Not thread-safe.
 */
public final class Fixtures implements AutoCloseable {
    private static final String ROOT = "shardkit-conformance-fixtures/";
    private static final String MANIFEST = "manifest.json";

    private final Path folder;
    /** The folders that {@link #close} deletes. */
    private final List<Path> temporary;

    private Fixtures(Path folder, List<Path> temporary) {
        this.folder = folder;
        this.temporary = temporary;
    }

    /** Uses the fixtures in {@code folder}. */
    public static Fixtures in(Path folder) {
        return new Fixtures(folder, List.of());
    }

    /**
     * Unpacks the fixtures from the class path of {@code loader}.
     *
     * @throws IOException if they are missing, or cannot be unpacked
     */
    public static Fixtures onClassPath(ClassLoader loader) throws IOException {
        URL manifest = loader.getResource(ROOT + MANIFEST);
        if (manifest == null) {
            throw new NoSuchFileException("the artifact shardkit-conformance-fixtures is not on the class path");
        }
        if (manifest.openConnection() instanceof JarURLConnection jar) {
            return unpacked(jar);
        }
        try {
            return in(Path.of(new URI(manifest.toString())).getParent());
        } catch (URISyntaxException e) {
            throw new IOException(manifest.toString(), e);
        }
    }

    /** Unpacks the fixtures of a jar into a temporary folder. */
    private static Fixtures unpacked(JarURLConnection connection) throws IOException {
        connection.setUseCaches(false);
        Path folder = Files.createTempDirectory("shardkit-fixtures").toRealPath();
        Fixtures fixtures = new Fixtures(folder, List.of(folder));
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().startsWith(ROOT) && !entry.isDirectory()) {
                    unpack(jar, entry, folder);
                }
            }
            return fixtures;
        } catch (IOException e) {
            fixtures.close();
            throw e;
        }
    }

    private static void unpack(JarFile jar, JarEntry entry, Path folder) throws IOException {
        Path to = folder.resolve(entry.getName().substring(ROOT.length())).normalize();
        if (!to.startsWith(folder)) {
            throw new IOException("entry " + entry.getName() + " leaves its folder");
        }
        Files.createDirectories(to.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, to);
        }
    }

    /** Returns the folder of the manifests. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        for (Path path : temporary) {
            delete(path);
        }
    }

    /** Deletes a file, or a folder recursively; does not follow links. */
    static void delete(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> children = Files.list(path)) {
                for (Path child : children.toList()) {
                    delete(child);
                }
            }
        }
        Files.deleteIfExists(path);
    }
}
