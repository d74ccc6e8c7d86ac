package dev.shardkit.it;

import dev.shardkit.store.file.disk.FileTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests on {@link Samples} in a folder of their own. */
abstract class UnpackedSamples {
    @TempDir
    Path folder;

    /** The folder of the samples. */
    Path root;

    private final String resource;

    UnpackedSamples(String resource) {
        this.resource = resource;
    }

    @BeforeEach
    final void unpack() throws IOException {
        root = folder.resolve("samples");
        Samples.unpack(resource, root);
    }

    /**
     * Writes a file with a time as file stores set it. After any other change, a file store that opens the file waits
     * until the tick of the system's clock is over, 20 milliseconds for each of hundreds of damaged files.
     */
    static void write(Path file, byte[] bytes) throws IOException {
        FileTime time = FileTimes.ofNext(file);
        Files.write(file, bytes);
        FileTimes.set(file, time);
    }

    /** Returns the elements of a sample, little-endian. */
    final byte[] expected(String name) {
        try {
            return Files.readAllBytes(root.resolve(name + ".bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folders with a file of this name, relative to the root. */
    final List<String> foldersWith(String file) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(f -> f.endsWith(file))
                    .map(f -> root.relativize(f.getParent()).toString())
                    .sorted()
                    .toList();
        }
    }
}
