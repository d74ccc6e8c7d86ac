package dev.shardkit.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigTest {
    private static final Extensions NONE = new Extensions() {
        @Override
        public Codec codec(Json json, String pointer) {
            throw new AssertionError(pointer);
        }

        @Override
        public DataType dataType(Json json, String pointer) {
            throw new AssertionError(pointer);
        }
    };

    private static Config of(Json value) {
        return new Config(Json.object().with("m", value), "/codecs/1/configuration", NONE);
    }

    @Test
    void integers_areInRange() {
        assertEquals(Long.MAX_VALUE, of(Json.of(Long.MAX_VALUE)).requiredInteger("m", 0, Long.MAX_VALUE));
        assertEquals(Long.MIN_VALUE, of(Json.of(Long.MIN_VALUE)).requiredInteger("m", Long.MIN_VALUE, 0));
        for (String lexeme : List.of("5", "-1", "1.0", "1e0", "9223372036854775808", "18446744073709551616")) {
            MetadataException e = assertThrows(
                    MetadataException.class, () -> of(new Json.Num(lexeme)).requiredInteger("m", 0, 4));
            assertTrue(
                    e.getMessage()
                            .startsWith("/codecs/1/configuration/m: expected an integer from 0 to 4, found number "
                                    + lexeme),
                    e.getMessage());
        }
        assertThrows(MetadataException.class, () -> of(Json.of("1")).requiredInteger("m", 0, 4));
        assertThrows(MetadataException.class, () -> of(Json.of(1)).requiredInteger("n", 0, 4));
    }

    @Test
    void integers_ofAMillionDigits_areRefusedWithoutBeingParsed() {
        Config config = of(new Json.Num("1".repeat(4_000_000)));
        // Parsed, this test would take minutes.
        assertThrows(MetadataException.class, () -> config.requiredInteger("m", 0, Long.MAX_VALUE));
    }

    @Test
    void members_thatNobodyRead_areRefused() {
        Config config = of(Json.of(true));
        assertThrows(MetadataException.class, config::refuseUnread);
        assertEquals(true, config.bool("m").orElseThrow());
        config.refuseUnread();
        assertThrows(MetadataException.class, () -> of(Json.of(1)).bool("m"));
        assertThrows(MetadataException.class, () -> of(Json.of("x")).oneOf("m", "a", "b"));
        assertEquals("/codecs/1/configuration/a~1b~0", config.at("a/b~"));
    }
}
