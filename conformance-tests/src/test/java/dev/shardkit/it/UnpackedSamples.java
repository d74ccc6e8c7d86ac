package dev.shardkit.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests on {@link Samples} in a folder of their own. */
public abstract class UnpackedSamples {
    @TempDir
    protected Path folder;

    /** The folder of the samples. */
    protected Path root;

    private final String resource;

    protected UnpackedSamples(String resource) {
        this.resource = resource;
    }

    @BeforeEach
    protected final void unpack() throws IOException {
        root = folder.resolve("samples");
        Samples.unpack(resource, root);
    }

    /** Returns the elements of a sample, little-endian. */
    protected final byte[] expected(String name) {
        try {
            return Files.readAllBytes(root.resolve(name + ".bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folders with a file of this name, relative to the root. */
    protected final List<String> foldersWith(String file) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(f -> f.endsWith(file))
                    .map(f -> root.relativize(f.getParent()).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }
}
