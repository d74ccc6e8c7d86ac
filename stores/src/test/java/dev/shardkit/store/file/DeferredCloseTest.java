package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.store.file.open.LocalDiskCheck;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class DeferredCloseTest {
    private static final int LARGE = 5 << 20;

    @TempDir
    private Path dir;

    @BeforeEach
    void descriptorsCanBeSeen() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        assumeTrue(dir.toFile().getUsableSpace() > 16L * LARGE
                && Files.getFileStore(dir).type().matches("ext4|tmpfs|xfs|overlay"));
    }

    private long open() throws IOException {
        long found = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path d : descriptors) {
                try {
                    found += Files.readSymbolicLink(d)
                                    .toString()
                                    .startsWith(dir.toRealPath().toString())
                            ? 1
                            : 0;
                } catch (IOException e) {
                    continue; // closed meanwhile
                }
            }
        }
        return found;
    }

    private void awaitNoneOpen() throws IOException {
        while (open() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void largeFiles_areHeldAFewAtATime_andLetGo() throws IOException {
        Path file = Files.write(dir.resolve("0"), new byte[LARGE]);
        DeferredClose replaced = new DeferredClose(new LocalDiskCheck(dir));
        for (int round = 0; round < 3; round++) {
            List<Closeable> held = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                held.add(replaced.hold(file));
            }
            assertEquals(4, open());
            for (Closeable one : held) {
                one.close();
            }
            awaitNoneOpen();
        }
    }

    @Test
    void smallFilesLinksAndNothing_areNotHeld() throws IOException {
        Path small = Files.write(dir.resolve("0"), new byte[100]);
        Files.write(dir.resolve("1"), new byte[LARGE]);
        Path link = LinksAndPipes.link(dir.resolve("2"), dir.resolve("1"));
        for (Path file : List.of(small, link, dir.resolve("3"))) {
            new DeferredClose(new LocalDiskCheck(dir)).hold(file).close();
            assertEquals(0, open());
        }
    }

    @Test
    void replacedAgainAndAgain_nothingStaysOpen() throws IOException {
        String last = "";
        try (FileStore store = FileStore.at(dir)) {
            for (int i = 0; i < 12; i++) {
                last = i + "x".repeat(LARGE);
                store.put("a", Texts.content(last), Durability.ATOMIC);
            }
        }
        assertEquals(last, Files.readString(dir.resolve("a")));
        assertEquals(0, open(), "a store that is closed has nothing open");
    }
}
