package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.testkit.extension.NodeFormatContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A format whose documents are bytes. */
class HeaderFormatTest {
    private static byte[] header(int... lengths) {
        ByteBuffer words = ByteBuffer.allocate(4 * (1 + lengths.length)).order(ByteOrder.LITTLE_ENDIAN);
        words.putInt(HeaderFormat.MAGIC);
        words.asIntBuffer().put(lengths);
        return words.array();
    }

    @Nested
    class Contract extends NodeFormatContract {
        @Override
        protected NodeFormat format() {
            return new HeaderFormat();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of();
        }

        @Override
        protected Map<String, byte[]> binaryDocuments() {
            return Map.of("a/" + HeaderFormat.NAME, header(4, 2, 6, 3));
        }

        @Override
        protected String path() {
            return "a";
        }
    }

    @Test
    void elements_areRead(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve(HeaderFormat.NAME), header(4, 2));
        Files.createDirectories(folder.resolve("c"));
        Files.write(folder.resolve("c/1"), new byte[] {7, 8});
        try (ZarrArray array = Zarr.openArray(folder.toString())) {
            assertEquals(Optional.of("org.example.header"), array.nodeFormat());
            assertArrayEquals(new byte[] {0, 0, 7, 8}, array.read().bytes());
        }
    }

    @Test
    void wrongHeader_isNamed(@TempDir Path folder) throws IOException {
        Path header = folder.resolve(HeaderFormat.NAME);
        Files.write(header, header(4, 0));
        String message = assertThrows(MetadataException.class, () -> Zarr.openArray(folder.toString()))
                .getMessage();
        assertTrue(message.contains("header.bin (org.example.header), translated to zarr.json: "), message);
        Files.write(header, new byte[5]);
        message = assertThrows(MetadataException.class, () -> Zarr.openArray(folder.toString()))
                .getMessage();
        assertTrue(message.contains("header.bin: expected GRID"), message);
    }

    @Test
    void largerHeader_isRefused_beforeItIsRead(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve(HeaderFormat.NAME), new byte[1 << 20]);
        String message = assertThrows(CorruptDataException.class, () -> Zarr.openArray(folder.toString()))
                .getMessage();
        assertTrue(message.contains("at most 260"), message);
    }
}
