package dev.shardkit.store.file.open;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.disk.FileState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Checks the pool of open files: a file that the pool drops stays open for its readers, and the last reader closes it
 * exactly once.
 */
@JCStressTest
@Outcome(id = "7, 7, 0", expect = ACCEPTABLE, desc = "both read, and no file is left open")
@State
public class OpenFilesStress {
    private static final Path FILE = file();

    private final AtomicInteger open = new AtomicInteger();
    private final OpenFiles files = new OpenFiles(new LocalDiskCheck(FILE.getParent()), Duration.ofHours(1), open);
    private int first;
    private int second;

    private static Path file() {
        try {
            Path file = Files.createTempFile("open-files-stress", "");
            file.toFile().deleteOnExit();
            return Files.write(file, new byte[] {7});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the file, which has one byte 7, through the pool. */
    private int read() {
        try {
            Optional<ObjectSnapshot> kept = files.find("k");
            ObjectSnapshot file =
                    kept.isPresent() ? kept.get() : files.keep("k", FILE, FileSnapshot.open(FILE, FileState.of(FILE)));
            try (file) {
                ByteBuffer into = ByteBuffer.allocate(1);
                file.read(0, into);
                return into.get(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the file. */
    @Actor
    public void first() {
        first = read();
    }

    /** Drops the file from the pool, as a writer does before it changes the file, and then reads it. */
    @Actor
    public void second() {
        files.drop("k");
        second = read();
    }

    /** Drops all files, and records how many are still open. */
    @Arbiter
    public void look(III_Result result) {
        files.dropAll();
        result.r1 = first;
        result.r2 = second;
        result.r3 = open.get();
    }
}
