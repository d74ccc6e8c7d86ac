package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.it.Samples;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every data type and codec that zarr-python registers, in Zarr v3 and v2, opens and holds the same elements
 * ({@code mvn verify -Pinterop}). Needs Python and pip.
 */
@EnabledIfSystemProperty(named = "shardkit.interop", matches = "true")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RegistryInteropTest {
    @TempDir
    Path folder;

    @Test
    void everyTypeAndCodecOfZarrPython_isRead() throws Exception {
        Process python = new ProcessBuilder(
                        "bash", Path.of("tools", "interop.sh").toAbsolutePath().toString(), "registry", "" + folder)
                .inheritIO()
                .start();
        assertEquals(0, python.waitFor());
        List<Path> arrays;
        try (Stream<Path> files = Files.list(folder)) {
            arrays = files.filter(f -> f.toString().endsWith(".zarr")).sorted().toList();
        }
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (Path array : arrays) {
            String name = array.getFileName().toString().replace(".zarr", "");
            boolean isText = Files.exists(folder.resolve(name + ".json"));
            if (!isText && !Files.exists(folder.resolve(name + ".bin"))) {
                continue; // zarr-python refuses the combination
            }
            compared++;
            try (ZarrArray opened = Zarr.openArray("" + array)) {
                NdArray found = opened.read();
                boolean same = isText ? isSameText(name, found) : isSame(name, opened.dataType(), found);
                if (!same) {
                    wrong.add(name + ": other elements");
                }
            } catch (ZarrException e) {
                wrong.add(name + ": " + e.getMessage());
            }
        }
        System.out.println("registry: " + compared + " arrays, " + wrong.size() + " wrong");
        assertEquals(List.of(), wrong);
        assertTrue(compared > 200, compared + " arrays");
    }

    private boolean isSame(String name, DataType type, NdArray found) throws IOException {
        byte[] expected = Files.readAllBytes(folder.resolve(name + ".bin"));
        byte[] bytes;
        if (found.array() instanceof String[] texts) {
            int size = type.elementSize().orElseThrow();
            bytes = new byte[size * texts.length];
            for (int i = 0; i < texts.length; i++) {
                byte[] own = texts[i].getBytes(Charset.forName("UTF-32LE"));
                System.arraycopy(own, 0, bytes, i * size, own.length);
            }
        } else {
            bytes = Samples.bytes(found);
        }
        return Arrays.equals(expected, bytes);
    }

    private boolean isSameText(String name, NdArray found) throws IOException {
        Json.Arr expected =
                (Json.Arr) JsonReader.read(Files.readString(folder.resolve(name + ".json")), Limits.defaults());
        List<String> texts = found.array() instanceof String[] strings
                ? List.of(strings)
                : Stream.of((byte[][]) found.array())
                        .map(HexFormat.of()::formatHex)
                        .toList();
        return expected.items().stream()
                .map(item -> ((Json.Str) item).value())
                .toList()
                .equals(texts);
    }
}
