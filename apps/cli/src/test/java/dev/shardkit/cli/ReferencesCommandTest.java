package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.pictures.ShellWords;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code references}, {@code concat --virtual} and {@code adopt} of an HDF5 file with the numbers from 0 to 47. h5py
 * wrote {@code unsupported.h5}: numbers, a dataset with the filter lzf, and one of references to objects.
 */
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
        Files.writeString(folder.resolve("other.nc"), "something else");
        Cli.bad(1, "this file is of another format", "info", at("other.nc"));
    }

    @Test
    void pathInAFile_needsNoPrefix() throws IOException {
        counts(file + "!counts", 1);
        Files.copy(Path.of(file), folder.resolve("named.otherwise"));
        counts(at("named.otherwise") + "!/counts", 1);
        byte[] withBlock = new byte[512 + (int) Files.size(Path.of(file))];
        System.arraycopy(Files.readAllBytes(Path.of(file)), 0, withBlock, 512, withBlock.length - 512);
        Files.write(folder.resolve("matlab.mat"), withBlock);
        counts(at("matlab.mat") + "!counts", 1);
        String location = Cli.good("info", file + "!counts").lines().get(0);
        assertTrue(location.endsWith("small.h5!counts"), location);
        Cli.bad(1, "no group or dataset \"none\"", "read", file + "!none");
        Cli.bad(1, "small.h5 is an HDF5 file; a path in it is given as " + file + "!a", "info", file + "/a");
        Files.writeString(folder.resolve("other.txt"), "text");
        Cli.bad(
                1,
                "is neither a ZIP archive nor an HDF5 file, so !PATH names no node in it",
                "info",
                at("other.txt") + "!a");
    }

    @Test
    void unsupportedDatasets_areNamedInTheirOwnWords_andSkippedOnDemand() throws IOException {
        String all = at("unsupported.h5");
        try (InputStream in = ReferencesCommandTest.class.getResourceAsStream("unsupported.h5")) {
            Files.copy(in, Path.of(all));
        }
        String reason = "hdf5: a dataset of references to objects is not supported";
        Cli.Result read = Cli.bad(1, "shardkit: " + reason, "read", all + "!in/links");
        assertTrue(read.err().contains("unsupported.h5!in/links, dataset /in/links]"), read.err());
        Cli.Result copied = Cli.bad(1, "dataset /in/links]; --skip-unsupported copies the other", "copy", all, at("c"));
        for (String message : new String[] {read.err(), copied.err()}) {
            assertFalse(message.contains("codecs") || message.contains("zarr.json"), message);
        }

        Cli.Result refused = Cli.run("references", all, "-o", at("refs.json"));
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("cannot be expressed: " + all + ": in/links: " + reason), refused.err());
        assertTrue(
                refused.err().contains("in/packed: hdf5: numcodecs has no codec for the filter 32000 (lzf)"),
                refused.err());
        assertTrue(refused.err()
                .contains("2 datasets or images cannot be expressed as ranges of files; --skip-unsupported"));
        assertFalse(Files.exists(folder.resolve("refs.json")));

        Cli.Result skipped = Cli.run("references", all, "-o", at("refs.json"), "--skip-unsupported");
        assertEquals(1, skipped.status());
        assertEquals(
                2,
                skipped.err()
                        .lines()
                        .filter(line -> line.contains("left out: "))
                        .count(),
                skipped.err());
        Cli.good("read", "reference:" + at("refs.json") + "!in/numbers");
        Cli.bad(3, "no file", "references", at("none.h5"), "-o", at("none.json"), "--skip-unsupported");
    }

    @Test
    void references_ofOneAndOfSeveralFiles() throws IOException {
        String inside = Cli.good("references", file, "-o", at("refs.json")).out();
        assertTrue(inside.contains("opened as reference:" + at("refs.json")), inside);
        counts("reference:" + at("refs.json") + "!counts", 1);
        Files.createDirectories(folder.resolve("sub"));
        String allow = "#allow=" + folder.toUri();
        String outside = Cli.good("references", file, "-o", at("sub/refs.json")).out();
        assertTrue(
                outside.contains("opened as " + ShellWords.quoted("reference:" + at("sub/refs.json") + allow)),
                outside);
        counts("reference:" + at("sub/refs.json") + "!counts" + allow, 1);
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
    void references_nameAFolder_whoseNameHasSeparatorsOfOptions() throws IOException {
        Path odd = Files.createDirectories(folder.resolve("a&b#c")).resolve("odd.h5");
        Files.copy(Path.of(file), odd);
        Files.createDirectories(folder.resolve("sub"));
        String printed = Cli.good("references", odd.toString(), "-o", at("sub/refs.json"))
                .out();
        String location = printed.replaceFirst("(?s).* opened as (['\"])(.*)\\1.*", "$2"); // Windows has double quotes
        assertTrue(location.endsWith("/a%26b%23c/"), location);
        counts(location.replace(".json#", ".json!counts#"), 1);
    }

    @Test
    void report_ofAFile_advisesNoChangeInPlace() throws IOException {
        Cli.good("report", file, "-o", at("report.html"));
        String page = Files.readString(Path.of(at("report.html")));
        assertFalse(page.contains("shardkit consolidate") || page.contains("shardkit aggregate"), page);
        assertFalse(page.contains(".h5/"), page);
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
