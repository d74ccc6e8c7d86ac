package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.registry.Plugin;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of plug-ins; the marked lines are shown in the documents. */
class PluginTest {
    // example: format
    static final class MyFormat implements NodeFormat {
        @Override
        public String name() {
            return "org.example.my_format";
        }

        @Override
        public Plan<Optional<Node>> find(String path, Documents documents) {
            String key = path.isEmpty() ? "my.json" : path + "/my.json";
            return documents.read(key).map(found -> found.map(json -> Node.at(path, zarrJson(json))));
        }
        // end

        private static Json.Obj zarrJson(Json json) {
            return ((Json.Obj) json)
                    .with("zarr_format", Json.of(3))
                    .with("node_type", Json.of("array"))
                    .with("chunk_key_encoding", Json.object().with("name", Json.of("default")));
        }
    }

    @Test
    void registry_takesPluginsByHand(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("my.json"),
                "{\"shape\": [4, 4], \"data_type\": \"int32\", \"fill_value\": 0, \"codecs\": [{\"name\": \"bytes\","
                        + " \"configuration\": {\"endian\": \"little\"}}], \"chunk_grid\": {\"name\": \"regular\","
                        + " \"configuration\": {\"chunk_shape\": [2, 2]}}}");
        String url = folder.toString();
        // example: registry
        Registry registry = Registry.builder()
                .all(Registry.load()) // the plug-ins on the class path or module path
                .nodeFormat(new MyFormat()) // and one that is not registered there
                .build();
        try (ZarrArray array = Zarr.openArray(url, ZarrOptions.defaults().withRegistry(registry))) {
            // end
            assertArrayEquals(new long[] {4, 4}, array.shape());
        }
        assertTrue(registry.plugins().stream()
                .anyMatch(p -> p.name().equals(Optional.of("org.example.my_format"))
                        && p.state() instanceof Plugin.State.Active));
    }
}
