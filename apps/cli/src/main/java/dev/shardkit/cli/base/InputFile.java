package dev.shardkit.cli.base;

import dev.shardkit.cli.print.Output;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * An input with random access: a file, or a temporary copy of standard input or of a pipe. Commands that read their
 * input only once, in order, call {@link #openStream} instead. {@link #close} removes the copy. Immutable.
 *
 * @param path the file
 * @param name its name in messages
 * @param isTemporary whether the file is a copy
 */
public record InputFile(Path path, String name, boolean isTemporary) implements AutoCloseable {
    private static final Set<String> STANDARD_INPUT = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    /**
     * Opens an input.
     *
     * @param location the name of a file or pipe, or {@code -} for standard input
     * @param suffix the suffix of the temporary file, if the name of the pipe has none
     */
    public static InputFile open(String location, String suffix, Output output) throws IOException {
        if (isStandardInput(location)) {
            return copyToTemporary("standard input", suffix, output.in());
        }
        Path path = Path.of(location);
        if (!isPipe(path)) {
            return new InputFile(path, location, false);
        }
        String fileName = String.valueOf(path.getFileName());
        int dot = fileName.lastIndexOf('.');
        try (InputStream pipe = new FileInputStream(path.toFile())) {
            return copyToTemporary(location, dot > 0 ? fileName.substring(dot) : suffix, pipe);
        }
    }

    /** Opens standard input or a pipe as a stream; empty for other files. */
    public static Optional<InputStream> openStream(String location, Output output) throws IOException {
        if (isStandardInput(location)) {
            return Optional.of(output.in());
        }
        return isPipe(Path.of(location)) ? Optional.of(new FileInputStream(location)) : Optional.empty();
    }

    /**
     * Whether a path is a pipe or a device: it exists and is neither a regular file nor a folder. A missing file or a
     * folder fails later, when it is read.
     */
    private static boolean isPipe(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** Whether a location names standard input. */
    public static boolean isStandardInput(String location) {
        return STANDARD_INPUT.contains(location);
    }

    /** Whether a location names standard input or a pipe of the shell, as in {@code <(command)}. */
    public static boolean isStream(String location) {
        return isStandardInput(location) || location.startsWith("/dev/fd/");
    }

    private static InputFile copyToTemporary(String name, String suffix, InputStream in) throws IOException {
        return new InputFile(TemporaryPaths.copyStream(name, suffix, in), name, true);
    }

    @Override
    public void close() throws IOException {
        if (isTemporary) {
            TemporaryPaths.delete(path);
        }
    }
}
