package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code references}, {@code concat --virtual} and {@code adopt} of an HDF5 file with the numbers from 0 to 47. */
class ReferencesCommandTest {
    @TempDir
    Path folder;

    private String file;

    @BeforeEach
    void unpack() throws IOException {
        file = at("small.h5");
        try (InputStream in = ReferencesCommandTest.class.getResourceAsStream("small.h5")) {
            Files.copy(in, Path.of(file));
        }
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static void counts(String location, int times) {
        try (ZarrArray array = Zarr.openArray(location)) {
            int[] expected = IntStream.range(0, 48 * times).map(i -> i % 48).toArray();
            assertArrayEquals(expected, array.read().ints(), location);
        }
    }

    @Test
    void fileWithoutAPrefix_isOpened_ifItIsOne() throws IOException {
        assertTrue(Cli.good("tree", file).out().contains("counts  int32 [8, 6]"));
        counts("hdf5:" + file + "!counts", 1);
        Files.writeString(folder.resolve("other.nc"), "CDF\1 is NetCDF before version 4");
        Cli.bad(1, "file of another format", "info", at("other.nc"));
    }

    @Test
    void references_ofOneAndOfSeveralFiles() throws IOException {
        Cli.good("references", file, "-o", at("refs.json"));
        counts("reference:" + at("refs.json") + "!counts", 1);
        Cli.good("references", file + "!counts", "-o", at("refs.json"));
        counts("reference:" + at("refs.json"), 1);
        Files.copy(Path.of(file), folder.resolve("next.h5"));
        Cli.good("references", file, at("next.h5"), "-o", at("refs.json"), "--url", folder.toUri() + "");
        counts("reference:" + at("refs.json") + "!next/counts", 1);
        counts("reference:" + at("refs.json") + "!small/counts", 1);
        Cli.bad(2, "two files are called small", "references", file, file, "-o", at("x.json"));
        Cli.bad(1, "no group or dataset", "references", file + "!none", "-o", at("x.json"));
    }

    @Test
    void concat_virtual_isADocument() {
        String array = "hdf5:" + file + "!counts";
        Cli.good("concat", "--virtual", "--axis", "0", array, array, "-o", at("all.json"));
        counts("reference:" + at("all.json"), 2);
        Cli.bad(2, "expected -o FILE", "concat", "--virtual", "--axis", "0", array);
        Cli.bad(2, "none of", "concat", "--virtual", "--json", "--axis", "0", array, "-o", at("json.json"));
        Cli.bad(2, "expected --to URL", "concat", "--axis", "0", array);
    }

    @Test
    void textsOfVariableLength_areNoPartsOfTheFile() throws IOException {
        try (InputStream in = ReferencesCommandTest.class.getResourceAsStream("texts.h5")) {
            Files.copy(in, folder.resolve("texts.h5"));
        }
        assertTrue(Cli.good("read", "hdf5:" + at("texts.h5") + "!texts").out().contains("\"bc\""));
        Cli.bad(2, "texts of variable length", "adopt", at("texts.h5"), at("t.zarr"));
        Cli.bad(
                1,
                "in one place",
                "concat",
                "--virtual",
                "--axis",
                "0",
                "hdf5:" + at("texts.h5") + "!texts",
                "-o",
                at("c"));
    }

    @Test
    void adopt_needsNoListOfChunks() throws IOException {
        byte[] before = Files.readAllBytes(Path.of(file));
        Cli.good("adopt", file, at("a.zarr"));
        counts(at("a.zarr"), 1);
        Cli.good("adopt", file, at("a.zarr"), "--undo");
        assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
        Cli.good("adopt", file, at("a.json"), "--beside", "--dataset", "/counts");
        counts("reference:" + at("a.json"), 1);
        Cli.bad(2, "--dataset: expected neither", "adopt", file, at("b"), "--dataset", "counts", "--contiguous", "0");
        assertEquals(before.length, Files.size(Path.of(file)));
    }
}
