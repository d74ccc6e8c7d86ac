package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Without credentials, on a machine whose metadata service accepts connections and never answers, the command ends and
 * says what it has tried.
 */
@Timeout(120)
@Tag("one-jdk")
class SilentMetadataTest {
    /** Remote above the two or three seconds that it takes, and far below those of clients that ask again and again. */
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void amazon_saysWhatWasTried() throws Exception {
        try (ServerSocket silent = silent()) {
            String told = fail(
                    "s3://bucket/a.zarr",
                    Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:" + silent.getLocalPort()));
            assertTold(
                    told,
                    "found no AWS credentials",
                    "environment",
                    "profile",
                    "instance metadata (no answer from http://127.0.0.1:" + silent.getLocalPort() + ")",
                    "for a public bucket, use --s3-anonymous");
        }
    }

    /** AWS's client alone would ask six times. */
    @Test
    void amazonInAContainer_saysWhatWasTried() throws Exception {
        try (ServerSocket silent = silent()) {
            String server = "http://127.0.0.1:" + silent.getLocalPort();
            Map<String, String> environment = Map.of(
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                    server + "/keys",
                    "AWS_EC2_METADATA_SERVICE_ENDPOINT",
                    server);
            assertTold(
                    fail("s3://bucket/a.zarr", environment),
                    "found no AWS credentials",
                    "container metadata (no answer from " + server + ")",
                    "instance metadata (no answer from " + server + ")");
        }
    }

    @Test
    void google_saysWhatWasTried() throws Exception {
        try (ServerSocket silent = silent()) {
            String told = fail("gs://bucket/a.zarr", Map.of("GCE_METADATA_HOST", "127.0.0.1:" + silent.getLocalPort()));
            assertTold(
                    told,
                    "found no Google credentials",
                    "GOOGLE_APPLICATION_CREDENTIALS",
                    "gcloud auth application-default login",
                    "metadata service",
                    "for a public bucket, use --gs-anonymous");
        }
    }

    @Test
    void azure_saysWhatWasTried() throws Exception {
        try (ServerSocket silent = silent()) {
            String told = fail(
                    "az://container/a.zarr",
                    Map.of(
                            "AZURE_STORAGE_ACCOUNT", "account",
                            "IDENTITY_ENDPOINT", "http://127.0.0.1:" + silent.getLocalPort() + "/token",
                            "IDENTITY_HEADER", "header"));
            assertTold(
                    told,
                    "found no Azure credentials",
                    "AZURE_STORAGE_KEY",
                    "AZURE_STORAGE_SAS_TOKEN",
                    "managed identity",
                    "for a public container, use --az-anonymous");
        }
    }

    /** Its connections are accepted by the system, and nobody reads them. */
    private static ServerSocket silent() throws Exception {
        return new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    private static void assertTold(String told, String... parts) {
        for (String part : parts) {
            assertTrue(told.contains(part), () -> "expected \"" + part + "\" in: " + told);
        }
        assertEquals(1, told.lines().count(), told);
    }

    /** Runs {@code info} in another process, which has none of this one's credentials; returns its message. */
    private String fail(String location, Map<String, String> more) throws Exception {
        Path err = folder.resolve("err");
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Duser.home=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "info",
                        location)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile());
        Map<String, String> environment = new HashMap<>(more);
        List.of("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "CLOUDSDK_CONFIG")
                .forEach(name -> environment.put(name, folder.resolve("none").toString()));
        command.environment().keySet().removeIf(name -> name.matches("(AWS|AZURE|GOOGLE|GCE|IDENTITY|STORAGE)_.*"));
        command.environment().putAll(environment);
        Process process = command.start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "no end within a minute");
        } finally {
            process.destroyForcibly();
        }
        String told = Files.readString(err);
        assertEquals(1, process.exitValue(), told);
        return told;
    }
}
