package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.store.Patches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a process has ended its puts, it makes no file: nobody would remove it. */
class EndedPutsTest {
    @TempDir
    Path dir;

    /** Ends all puts of this process, and then asks a store what its file system can do. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            Path folder = Path.of(args[0]);
            FileTime before = FileTime.fromMillis(1_000_000_000_000L);
            Files.setLastModifiedTime(folder, before);
            if (args.length > 1) {
                FileStore.endPuts(Duration.ofSeconds(1));
            }
            try (FileStore store = FileStore.at(folder)) {
                store.can(Patches.class);
            }
            System.exit(Files.getLastModifiedTime(folder).equals(before) ? 10 : 11);
        }
    }

    private int run(String... ending) throws Exception {
        ProcessBuilder program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                dir.toString());
        program.command().addAll(List.of(ending));
        return program.inheritIO().start().waitFor();
    }

    @Test
    @Timeout(300)
    void theTestOfAFileSystem_makesNoFile() throws Exception {
        assertEquals(11, run(), "otherwise the test makes one, in the first store of a process");
        assertEquals(10, run("ending"));
    }
}
