package dev.shardkit.codec.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.registry.Plugin;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The native codecs are chosen where they work; where they do not, the plain ones are, and it is said why. */
class FfmRegistryTest {
    /** Prints what stands for zstd here; run in a JVM of its own. */
    static final class Child {
        public static void main(String[] args) {
            Registry registry = Registry.load();
            Json.Obj level = Json.object().with("level", Json.of(3));
            BytesToBytesCodec codec = (BytesToBytesCodec)
                    registry.codec(Json.object().with("name", Json.of("zstd")).with("configuration", level), "");
            try (Scratch scratch = new Scratch()) {
                Bytes encoded = codec.encode(Bytes.of(new byte[100]), scratch);
                System.out.println(codec.getClass().getSimpleName() + " "
                        + codec.decode(encoded, DecodedSize.exactly(100), scratch)
                                .size());
            }
            for (Plugin p : registry.plugins()) {
                if (p.className().contains(".ffm.")) {
                    System.out.println(p.className() + ": " + p.state());
                }
            }
        }
    }

    private static List<String> child(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Child.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said.lines().toList();
    }

    @Test
    void natives_areChosen() throws Exception {
        List<String> said = child("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=deny");
        assertEquals("FfmZstdCodec 100", said.get(0));
        assertEquals(
                3,
                said.stream()
                        .filter(line -> line.endsWith("CodecFactory: active"))
                        .count(),
                said.toString());
    }

    @Test
    void nativesSwitchedOff_leaveThePlainOnes_andSaySo() throws Exception {
        fallsBack("loading is disabled", "-Dio.airlift.compress.v3.disable-native=true");
    }

    @Test
    void nativeAccessDenied_leavesThePlainOnes_andSaysSo() throws Exception {
        fallsBack("Illegal", "--illegal-native-access=deny");
    }

    private static void fallsBack(String why, String option) throws Exception {
        List<String> said = child(option);
        assertTrue(said.contains("ZstdCodec 100"), said.toString());
        assertEquals(
                1,
                said.stream()
                        .filter(line -> line.startsWith("WARNING: native codecs cannot be loaded"))
                        .count(),
                said.toString());
        assertEquals(
                3,
                said.stream()
                        .filter(line -> line.startsWith("dev.shardkit.codec.ffm.Ffm")
                                && line.contains("native codecs cannot be loaded")
                                && line.contains(why))
                        .count(),
                said.toString());
    }
}
