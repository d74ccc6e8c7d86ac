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
 * A file that a command reads at any position. Standard input and pipes are copied to a temporary file first, which
 * {@link #close} removes. Immutable.
 *
 * @param path the file
 * @param name what messages call it
 * @param isTemporary whether the file is a copy
 */
public record InputFile(Path path, String name, boolean isTemporary) implements AutoCloseable {
    private static final Set<String> STANDARD_INPUT = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    /**
     * Opens an input.
     *
     * @param place the name of a file or pipe, or {@code -} for standard input
     * @param suffix the end of the name of a temporary file; the ending of a pipe's own name comes first
     */
    public static InputFile of(String place, String suffix, Output output) throws IOException {
        if (isStandardInput(place)) {
            return copied("standard input", suffix, output.in());
        }
        Path path = Path.of(place);
        if (!isPipe(path)) {
            return new InputFile(path, place, false);
        }
        String own = String.valueOf(path.getFileName());
        int dot = own.lastIndexOf('.');
        try (InputStream pipe = new FileInputStream(path.toFile())) {
            return copied(place, dot > 0 ? own.substring(dot) : suffix, pipe);
        }
    }

    /** Opens standard input or a pipe as a stream; empty for other files. */
    public static Optional<InputStream> stream(String place, Output output) throws IOException {
        if (isStandardInput(place)) {
            return Optional.of(output.in());
        }
        return isPipe(Path.of(place)) ? Optional.of(new FileInputStream(place)) : Optional.empty();
    }

    /** Whether a path is neither missing nor a file nor a folder; the others fail when they are read. */
    private static boolean isPipe(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** Whether this is a name of standard input. */
    public static boolean isStandardInput(String place) {
        return STANDARD_INPUT.contains(place);
    }

    /** Whether this is a name of standard input, or of a pipe that a shell made. */
    public static boolean isStream(String place) {
        return isStandardInput(place) || place.startsWith("/dev/fd/");
    }

    private static InputFile copied(String name, String suffix, InputStream in) throws IOException {
        return new InputFile(TemporaryPaths.spooled(name, suffix, in), name, true);
    }

    @Override
    public void close() throws IOException {
        if (isTemporary) {
            TemporaryPaths.remove(path);
        }
    }
}
