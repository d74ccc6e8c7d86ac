package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.cloudtest.AzuriteServer;
import dev.shardkit.store.cloudtest.GcsServer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on {@code gs:} and {@code az:} locations, on the servers of the tests. */
@Timeout(300)
class CloudCommandsTest {
    @TempDir
    private Path folder;

    /** Runs a command on a server. */
    private record Cloud(String option, String endpoint, String root) {
        Cli.Result run(String... args) {
            List<String> all = new ArrayList<>(List.of(args));
            all.addAll(List.of(option, endpoint));
            return Cli.good(all.toArray(String[]::new));
        }

        String at(String name) {
            return root + "/" + name;
        }
    }

    @Test
    void google_isWrittenReadCopiedAndChanged() throws Exception {
        String endpoint = GcsServer.endpoint().toString();
        useAll(new Cloud("--gs-endpoint", endpoint, "gs://" + GcsServer.BUCKET + "/c%20li"));
    }

    @Test
    void azure_isWrittenReadCopiedAndChanged() throws Exception {
        String endpoint = AzuriteServer.endpoint().toString();
        useAll(new Cloud("--az-endpoint", endpoint, "az://" + AzuriteServer.CONTAINER + "/c%20li"));
    }

    private void useAll(Cloud cloud) throws Exception {
        String array = cloud.at("a.zarr");
        cloud.run(
                "create",
                array,
                "--shape",
                "64,64",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "8,8",
                "--shard-shape",
                "32,32");
        byte[] elements = new byte[64 * 64];
        IntStream.range(0, elements.length).forEach(i -> elements[i] = (byte) (i * 31));
        Path raw = Files.write(folder.resolve("raw"), elements);
        cloud.run("write", array, "--from", raw.toString());
        assertElements(elements, cloud, array);

        Path local = folder.resolve("local.zarr");
        cloud.run("copy", array, local.toString());
        cloud.run("copy", local.toString(), cloud.at("back.zarr"));
        cloud.run("copy", array, cloud.at("inside.zarr"));
        cloud.run("diff", array, cloud.at("back.zarr"));
        cloud.run("diff", array, cloud.at("inside.zarr"));

        cloud.run("reshard", array, "--shard-shape", "64,32");
        assertElements(elements, cloud, array);
        cloud.run("verify", array);
        assertTrue(cloud.run("info", array).out().contains("64"), "info");
    }

    private static void assertElements(byte[] elements, Cloud cloud, String array) {
        assertEquals(
                ByteBuffer.wrap(elements),
                ByteBuffer.wrap(cloud.run("read", array, "--format", "raw").bytes()));
    }

    @Test
    void missingAccount_isToldWithTheVariable() {
        Cli.bad(1, "AZURE_STORAGE_ACCOUNT", "info", "az://container/a.zarr");
    }
}
