package dev.shardkit.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reading and writing need no {@code sun.misc.Unsafe}; on a JDK 25 that stands beside this one, if any. */
class UnsafeDeniedTest {
    private static Optional<Path> jdk25() throws IOException {
        Path beside = Path.of(System.getProperty("java.home")).toAbsolutePath().getParent();
        try (Stream<Path> homes = Files.list(beside)) {
            return homes.filter(UnsafeDeniedTest::is25).findFirst();
        }
    }

    private static boolean is25(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"25");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void denied_readsAndWrites() throws Exception {
        Optional<Path> jdk = jdk25();
        assumeTrue(jdk.isPresent(), "no JDK 25 beside this one");
        Process child = new ProcessBuilder(
                        jdk.orElseThrow().resolve("bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--sun-misc-unsafe-memory-access=deny",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        UnsafeDenied.class.getName())
                .redirectErrorStream(true)
                .start();
        child.getOutputStream().close();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("ok", said.strip());
        assertEquals(0, child.waitFor());
    }
}
