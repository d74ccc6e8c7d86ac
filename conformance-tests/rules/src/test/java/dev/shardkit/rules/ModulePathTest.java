package dev.shardkit.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The modules resolve on the module path and find the same plug-ins there as on the class path. */
class ModulePathTest {
    private static final List<String> ROOTS = List.of("dev.shardkit.all", "dev.shardkit.cli", "dev.shardkit.testkit");

    /** All modules of the class path by name; what cannot be a module (some test libraries) is left out. */
    private static ModuleFinder onClassPath() {
        Map<String, Path> places = new HashMap<>();
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
            Path place = Path.of(entry);
            String file = String.valueOf(place.getFileName());
            // Modules of kotest share packages; the launchers of JUnit need modules that are not here.
            boolean testing = file.matches("(kotest-|junit-platform-(console|launcher|reporting)).*|.*-tests\\.jar");
            if (Files.exists(place) && !place.endsWith("test-classes") && !testing) {
                try {
                    ModuleFinder.of(place)
                            .findAll()
                            .forEach(m -> places.put(m.descriptor().name(), place));
                } catch (FindException notAModule) {
                    continue;
                }
            }
        }
        return ModuleFinder.of(places.values().toArray(Path[]::new));
    }

    private static Configuration resolve() {
        return ModuleLayer.boot().configuration().resolveAndBind(onClassPath(), ModuleFinder.of(), ROOTS);
    }

    @Test
    void modules_resolve() {
        Set<String> names = resolve().modules().stream().map(m -> m.name()).collect(Collectors.toSet());
        assertTrue(names.containsAll(ROOTS), names.toString());
        assertTrue(
                names.containsAll(List.of(
                        "dev.shardkit",
                        "dev.shardkit.maintenance",
                        "dev.shardkit.metadata",
                        "dev.shardkit.spi",
                        "dev.shardkit.stores",
                        "dev.shardkit.store.cache",
                        "dev.shardkit.store.zip",
                        "dev.shardkit.store.s3",
                        "dev.shardkit.store.gcs",
                        "dev.shardkit.store.azure",
                        "dev.shardkit.codecs",
                        "dev.shardkit.type",
                        "dev.shardkit.codec.crc32c",
                        "dev.shardkit.codec.sharding",
                        "dev.shardkit.codec.zstd",
                        "dev.shardkit.grids",
                        "dev.shardkit.transformers",
                        "dev.shardkit.zarrv2")),
                names.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spi.DataTypeFactory",
                "spi.CodecFactory",
                "spi.ChunkGridFactory",
                "spi.ChunkKeyEncodingFactory",
                "spi.StorageTransformerFactory",
                "spi.NodeFormat",
                "store.StoreFactory"
            })
    void providers_areTheSameOnBothPaths(String plugInPoint) throws Exception {
        String service = Class.forName("dev.shardkit." + plugInPoint).getName();
        Configuration modules = resolve();
        Set<String> byModules = modules.modules().stream()
                .flatMap(m -> m.reference().descriptor().provides().stream())
                .filter(p -> p.service().equals(service))
                .flatMap(p -> p.providers().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(declaredOnClassPath(service), byModules, service);
        Set<String> used = modules.findModule("dev.shardkit.metadata")
                .orElseThrow()
                .reference()
                .descriptor()
                .uses();
        assertTrue(
                byModules.isEmpty() || used.contains(service),
                "module dev.shardkit.metadata does not say: uses " + service);
    }

    private static Set<String> declaredOnClassPath(String service) throws IOException {
        Set<String> names = new TreeSet<>();
        ClassLoader loader = ModulePathTest.class.getClassLoader();
        for (URL file : Collections.list(loader.getResources("META-INF/services/" + service))) {
            try (InputStream in = file.openStream()) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(l -> l.replaceAll("#.*", "").strip())
                        .filter(l -> !l.isEmpty())
                        .forEach(names::add);
            }
        }
        return names;
    }
}
