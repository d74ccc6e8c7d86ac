package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The libraries of other formats read what shardkit writes to their data ({@code mvn verify -Pinterop}). Needs Python
 * and pip.
 */
@EnabledIfSystemProperty(named = "shardkit.interop", matches = "true")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ForeignInteropTest {
    @TempDir
    Path folder;

    @Test
    void changedVolumesAndCubes_areReadByTheirLibraries() throws Exception {
        change("neuroglancer.zip", "/8_8_40");
        change("wkw.zip", "");
        make();
        Process check = new ProcessBuilder(
                        "bash", Path.of("tools", "interop.sh").toAbsolutePath().toString(), "foreign", "" + folder)
                .inheritIO()
                .start();
        assertEquals(0, check.waitFor());
    }

    /** Makes volumes and cubes, and stores their elements beside them. */
    private void make() throws IOException {
        Files.createDirectories(folder.resolve("made"));
        try (ZarrArray from = FormatCopyTest.source(folder.resolve("made-of"), "uint16", 32, 32, 32)) {
            Copy plain = Copy.of(from).withChunkShape(8, 8, 8);
            Copy sharded = plain.withShardShape(16, 16, 16);
            make(from, plain, "neuroglancer", "plain");
            make(from, sharded, "neuroglancer", "sharded");
            make(from, sharded.withCodecs(Json.of("raw")), "wkw", "wkw-raw");
            make(from, sharded, "wkw", "wkw-lz4");
        }
        try (ZarrArray from = FormatCopyTest.source(folder.resolve("made-of-ids"), "uint32", 32, 27, 30)) {
            Copy ids = Copy.of(from).withCodecs(Json.of("compressed_segmentation"));
            make(from, ids.withChunkShape(16, 8, 8).withShardShape(16, 16, 16), "neuroglancer", "ids");
        }
    }

    private void make(ZarrArray from, Copy copy, String format, String name) throws IOException {
        Path out = folder.resolve("made").resolve(name);
        try (Store to = Zarr.openStore(format + ":" + out, ZarrOptions.defaults())) {
            copy.to(to, ZarrOptions.defaults());
        }
        Files.write(Path.of(out + ".out"), Samples.bytes(from.read().transpose(2, 1, 0)));
    }

    /** Moves elements within each array, and stores all of them beside it. */
    private void change(String resource, String array) throws IOException {
        Path root = folder.resolve(resource.replace(".zip", ""));
        Samples.unpack(resource, root);
        List<Path> expected;
        try (Stream<Path> files = Files.walk(root)) {
            expected = files.filter(f -> f.toString().endsWith(".bin")).toList();
        }
        for (Path file : expected) {
            String name = file.toString().replace(".bin", "");
            if (name.contains("cloudvolume") || name.contains("jpeg")) {
                continue; // compressed files are not changed, and JPEG does not keep elements
            }
            try (ZarrArray opened = Zarr.openArray(name + array)) {
                long[] shape = opened.shape();
                long[] part = shape.clone();
                long[] to = new long[shape.length];
                for (int d = 0; d < shape.length; d++) {
                    part[d] = shape[d] > 8 ? shape[d] * 2 / 3 : shape[d];
                    to[d] = shape[d] - part[d];
                }
                opened.write(Box.of(to, part), opened.read(Box.of(new long[shape.length], part)));
                Files.write(Path.of(name + ".out"), Samples.bytes(opened.read()));
            }
        }
    }
}
