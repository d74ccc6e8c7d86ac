package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** zarr-python opens no array with a codec of numcodecs without a configuration, and lists no group that holds one. */
class NumcodecsConfigurationTest {
    static List<String> names() {
        return ServiceLoader.load(CodecFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(factory -> Stream.concat(Stream.of(factory.name()), factory.aliases().stream()))
                .filter(name -> name.startsWith("numcodecs."))
                .distinct()
                .toList();
    }

    @Test
    void namesOfSeveralModules_areFound() {
        assertTrue(
                names().containsAll(List.of("numcodecs.packbits", "numcodecs.zlib", "numcodecs.zstd")), "" + names());
    }

    @ParameterizedTest
    @MethodSource("names")
    void form_hasAConfiguration(String name) {
        assertEquals(
                "{\"name\":\"" + name + "\",\"configuration\":{}}",
                Json.extension(name, Json.object()).toString());
    }
}
