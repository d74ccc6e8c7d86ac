package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the logger of requests receives, and that it receives nothing unless it is on. */
class RequestLogTest {
    private final Logger logger = Logger.getLogger("dev.shardkit.requests");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }

    private String location() {
        return folder.resolve("image.zarr").toString();
    }

    private void writeAndRead() {
        ArraySpec spec = ArraySpec.of("uint8", 64).withChunkShape(8).withShardShape(32);
        try (ZarrArray array = Zarr.createArray(location(), spec)) {
            byte[] ones = new byte[64];
            Arrays.fill(ones, (byte) 1);
            array.write(Box.of(new long[] {0}, new long[] {64}), ones, 0);
            array.read();
        }
    }

    @Test
    void readsAndWrites_areLogged() {
        logger.setLevel(Level.FINE);
        writeAndRead();
        String all = String.join("\n", lines);
        assertEquals(
                2,
                lines.stream()
                        .filter(l -> l.matches(".*: c/[01]: written \\(REWRITE\\), [0-9]+ bytes"))
                        .count(),
                all);
        assertTrue(lines.stream().anyMatch(l -> l.matches(".*image\\.zarr: c/1: read .* bytes in [0-9]+ us")), all);
        assertTrue(lines.stream().allMatch(l -> l.contains("image.zarr: ")), all);
    }

    @Test
    void nothing_isLoggedByDefault() {
        writeAndRead();
        assertEquals(List.of(), lines);
    }
}
