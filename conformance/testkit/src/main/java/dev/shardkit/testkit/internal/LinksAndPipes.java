package dev.shardkit.testkit.internal;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Creates symbolic links and named pipes for tests. A test that needs one is skipped where the disk or the system has
 * none. Stateless.
 */
public final class LinksAndPipes {
    private LinksAndPipes() {}

    /** Creates a symbolic link and returns it. */
    public static Path link(Path link, Path target) throws IOException {
        try {
            Files.createSymbolicLink(link, target);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException e) {
            return abort("no symbolic links: " + e.getMessage());
        }
        // Wine 8 reports success, but creates none
        return Files.isSymbolicLink(link) ? link : abort("no symbolic links: none was created");
    }

    /** Creates a named pipe and returns it. */
    public static Path pipe(Path pipe) throws IOException, InterruptedException {
        try {
            int status = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
            return status == 0 ? pipe : abort("no named pipes: mkfifo ended with status " + status);
        } catch (IOException e) {
            return abort("no named pipes: " + e.getMessage());
        }
    }
}
