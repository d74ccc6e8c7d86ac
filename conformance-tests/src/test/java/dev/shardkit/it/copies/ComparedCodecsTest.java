package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.Codecs;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies compare codecs by what they do: stored bytes move although documents state the codecs differently. */
@Timeout(240)
class ComparedCodecsTest extends CopiedBytes {
    private static final String STATED = "\"level\":1,\"checksum\":false";
    private static final Json LITTLE = Codecs.bytesLittleEndian();

    private static Json zstd(int level) {
        return Json.extension(
                "zstd", Json.object().with("level", Json.of(level)).with("checksum", Json.of(false)));
    }

    @Test
    void defaults_mayBeSpelledOut_levelsCount() throws IOException {
        source("int32", 64, 48).close();
        try (ZarrArray from = edited(STATED, "\"level\":9")) {
            copied(Copy.of(from).withCodecs(LITTLE, zstd(9)), from).close();
            assertEquals(12, moved());
        }
    }

    @Test
    void defaults_mayBeSpelledOut_inShards() throws IOException {
        source("int32", 64, 48).close();
        try (ZarrArray from = edited(STATED, "\"level\":9")) {
            copied(Copy.of(from).withShardShape(32, 48).withCodecs(LITTLE, zstd(9)), from)
                    .close();
            assertEquals(12, moved());
        }
    }

    @Test
    void anotherLevel_encodesAgain() throws IOException {
        source("int32", 64, 48).close();
        try (ZarrArray from = edited(STATED, "\"level\":9")) {
            copied(Copy.of(from).withCodecs(LITTLE, zstd(19)), from).close();
            assertEquals(0, moved());
        }
    }

    @Test
    void byteOrder_ofBytes_doesNotCount() throws IOException {
        source("uint8", 64, 48).close();
        try (ZarrArray from = edited(STATED, "\"level\":9")) {
            copied(Copy.of(from).withCodecs(LITTLE, zstd(9)), from).close();
            assertEquals(12, moved());
        }
    }

    @Test
    void byteOrder_ofBytes_doesNotCount_inShards() throws IOException {
        source("uint8", 64, 48).close();
        try (ZarrArray from = edited(STATED, "\"level\":9")) {
            assertEquals(
                    "{\"name\":\"bytes\"}",
                    from.metadata().codecs().json().get(0).toString());
            copied(Copy.of(from).withShardShape(32, 48).withCodecs(LITTLE, zstd(9)), from)
                    .close();
            assertEquals(12, moved());
        }
    }

    @Test
    void byteOrder_ofWords_counts() throws IOException {
        source("int16", 64, 48).close();
        try (ZarrArray from = edited("\"endian\":\"little\"", "\"endian\":\"big\"")) {
            copied(Copy.of(from).withCodecs(LITTLE, zstd(1)), from).close();
            assertEquals(0, moved());
        }
    }
}
