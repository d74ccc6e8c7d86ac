package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks the error in a Java runtime without {@code jdk.net}, such as an image of {@code java.se}. */
@Timeout(300)
class RuntimeModulesTest {
    @Test
    void missingModule_isNamed() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.se",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Client.class.getName())
                .inheritIO()
                .start();
        try {
            assertEquals(0, child.waitFor());
        } finally {
            child.destroyForcibly();
        }
    }

    /** Expects a failure that names the module. */
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws Exception {
            String failure = CertificatesTest.Client.get(URI.create("http://127.0.0.1:1"));
            System.exit(failure.endsWith("this Java runtime has no module jdk.net") ? 0 : 1);
        }
    }
}
