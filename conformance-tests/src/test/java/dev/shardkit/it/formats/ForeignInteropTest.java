package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The libraries of other formats read what shardkit makes and changes in their formats, and the other way round
 * ({@code mvn verify -Pinterop}). Needs Python and pip.
 */
@EnabledIfSystemProperty(named = "shardkit.interop", matches = "true")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ForeignInteropTest {
    @TempDir
    Path folder;

    private ForeignArrays arrays;

    @BeforeEach
    void place() {
        arrays = new ForeignArrays(folder);
    }

    /** Their libraries also change these arrays, and make new ones; shardkit reads both. */
    @Test
    void newAndChangedArrays_areReadByTheirLibraries_andTheirsByUs() throws Exception {
        change("neuroglancer.zip", "neuroglancer", "/8_8_40");
        change("wkw.zip", "wkw", "");
        changeN5();
        make();
        arrays.create();
        arrays.finish();
        Process check = new ProcessBuilder(
                        "bash", Path.of("tools", "interop.sh").toAbsolutePath().toString(), "foreign", "" + folder)
                .inheritIO()
                .start();
        assertEquals(0, check.waitFor());
        List<String> theirs = Files.readAllLines(folder.resolve("theirs.tsv"));
        for (String row : theirs) {
            String location = row.split("\t")[0];
            byte[] expected = Files.readAllBytes(Path.of(row.split("\t")[1]));
            try (ZarrArray array = Zarr.openArray(location)) {
                Samples.check(array, expected, location);
            }
        }
        assertTrue(theirs.size() > 60, () -> "" + theirs);
    }

    /** Copies arrays of Zarr, and stores their elements beside the copies. */
    private void make() throws IOException {
        Files.createDirectories(folder.resolve("made"));
        try (ZarrArray from = FormatCopyTest.source(folder.resolve("made-of"), "uint16", 32, 27, 30)) {
            Copy plain = Copy.of(from).withChunkShape(8, 8, 8);
            Copy sharded = plain.withShardShape(16, 16, 16);
            make(from, plain, "neuroglancer", "plain");
            make(from, sharded, "neuroglancer", "sharded");
            make(from, sharded.withCodecs(Json.of("raw")), "wkw", "wkw-raw");
            make(from, sharded, "wkw", "wkw-lz4");
            Path container = Files.createDirectories(folder.resolve("made/made.n5"));
            Files.writeString(container.resolve("attributes.json"), "{\"n5\":\"4.0.0\"}");
            make(from, plain.withCodecs(Json.of("bzip2")), "n5", "made.n5/bzip2");
        }
        try (ZarrArray from = FormatCopyTest.source(folder.resolve("made-of-ids"), "uint32", 32, 27, 30)) {
            Copy ids = Copy.of(from).withCodecs(Json.of("compressed_segmentation"));
            make(from, ids.withChunkShape(16, 8, 8).withShardShape(16, 16, 16), "neuroglancer", "ids");
        }
    }

    private void make(ZarrArray from, Copy copy, String format, String name) throws IOException {
        try (Store to = Zarr.openStore(format + ":" + folder.resolve("made/" + name), ZarrOptions.defaults())) {
            copy.to(to, ZarrOptions.defaults());
        }
        if (format.equals("n5")) {
            arrays.expect(format, "made/" + name, 0, from.read());
            return;
        }
        NdArray values = from.read().transpose(2, 1, 0);
        long[] shape = values.shape();
        long[] withChannel = format.equals("wkw")
                ? new long[] {1, shape[0], shape[1], shape[2]}
                : new long[] {shape[0], shape[1], shape[2], 1};
        arrays.expect(format, "made/" + name, 0, Samples.bytes(values), withChannel);
    }

    private void changeN5() throws IOException {
        Path root = folder.resolve("n5");
        Samples.unpack("n5.zip", root);
        for (String group : List.of("by/codec", "types")) {
            try (Stream<Path> list = Files.list(root.resolve(group))) {
                for (Path array : list.toList()) {
                    change("n5", root.relativize(array).toString().replace('\\', '/'), "n5/", "");
                }
            }
        }
        change("n5", "java/raw", "n5/", "");
    }

    private void change(String resource, String format, String array) throws IOException {
        String name = resource.replace(".zip", "");
        Path root = folder.resolve(name);
        Samples.unpack(resource, root);
        List<Path> expected;
        try (Stream<Path> files = Files.walk(root)) {
            expected = files.filter(f -> f.toString().endsWith(".bin")).toList();
        }
        for (Path file : expected) {
            String place = root.relativize(file).toString().replace(".bin", "");
            // Compressed files are not changed, and JPEG does not keep elements.
            if (!place.contains("cloudvolume") && !place.contains("jpeg")) {
                change(format, place, name + "/", array);
            }
        }
    }

    /** Moves elements within an array, and stores all of them beside it. */
    private void change(String format, String place, String below, String array) throws IOException {
        try (ZarrArray opened = Zarr.openArray(folder.resolve(below + place) + array)) {
            long[] shape = opened.shape();
            long[] part = shape.clone();
            long[] to = new long[shape.length];
            for (int d = 0; d < shape.length; d++) {
                part[d] = shape[d] > 8 || format.equals("n5") ? Math.max(1, shape[d] * 2 / 3) : shape[d];
                to[d] = shape[d] - part[d];
            }
            opened.write(Box.of(to, part), opened.read(Box.of(new long[shape.length], part)));
            arrays.expect(format, below + place, 0, opened.read());
        }
    }
}
