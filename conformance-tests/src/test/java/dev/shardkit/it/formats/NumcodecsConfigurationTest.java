package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** zarr-python opens no array with a codec of numcodecs without a configuration, and lists no group that holds one. */
class NumcodecsConfigurationTest {
    private static final Registry REGISTRY = Registry.load();

    @TempDir
    Path folder;

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

    /** Compressors and checksums that need no parameters. */
    static List<String> compressors() {
        return names().stream().filter(NumcodecsConfigurationTest::needsNothing).toList();
    }

    private static boolean needsNothing(String name) {
        try {
            return REGISTRY.codec(Json.of(name), "") instanceof BytesToBytesCodec;
        } catch (MetadataException e) {
            return false; // it has parameters without a default
        }
    }

    @Test
    void mostCompressors_needNoParameters() {
        assertTrue(
                compressors().containsAll(List.of("numcodecs.bz2", "numcodecs.crc32", "numcodecs.lz4")),
                "" + compressors());
    }

    /** Older writers, this library among them, leave an empty configuration out. */
    @ParameterizedTest
    @MethodSource("compressors")
    void codecWithoutConfiguration_isRead(String name) throws IOException {
        String where = folder.resolve("a").toString();
        Json codec = Json.object().with("name", Json.of(name));
        int[] values = IntStream.range(0, 1000).map(i -> i * i).toArray();
        try (ZarrArray array =
                Zarr.createArray(where, ArraySpec.of("int32", values.length).withCodecs(codec))) {
            array.write(Box.of(array.shape()), values, 0);
        }
        Path document = folder.resolve("a/zarr.json");
        String written = Files.readString(document);
        String bare = written.replaceAll(
                "\\{\\s*\"name\":\\s*\"(numcodecs\\.)?" + name.substring(name.indexOf('.') + 1)
                        + "\",\\s*\"configuration\":\\s*\\{[^{}]*}\\s*}",
                codec.toString());
        assertFalse(bare.equals(written), written);
        Files.writeString(document, bare);
        try (ZarrArray array = Zarr.openArray(where)) {
            assertArrayEquals(values, array.read().ints());
        }
    }
}
