package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Folders with documents of two formats: refused if neither is Zarr; otherwise Zarr is opened, and the other told. */
@Timeout(120)
class NodesInTwoFormatsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final ArraySpec SPEC = ArraySpec.of("uint8", 4, 4, 4);

    @TempDir
    Path root;

    /** Puts the documents of two nodes in one folder. */
    private Path both(String first, String second) throws IOException {
        Path folder = root.resolve("both");
        for (String format : List.of(first, second)) {
            Path own = root.resolve(format);
            Zarr.createArray((format.equals("zarr") ? "" : format + ":") + own, SPEC)
                    .close();
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(own)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, folder.resolve(file.getFileName()));
                }
            }
        }
        return folder;
    }

    @ParameterizedTest
    @CsvSource({"n5, neuroglancer", "n5, wkw", "neuroglancer, wkw"})
    void twoOthers_areRefused_andOpenedByTheirNames(String first, String second) throws IOException {
        Path folder = both(first, second);
        MetadataException e = assertThrows(MetadataException.class, () -> Zarr.open(folder.toString(), OPTIONS));
        assertTrue(e.getMessage().contains(first) && e.getMessage().contains(second), e.getMessage());
        for (String format : List.of(first, second)) {
            try (ZarrNode node = Zarr.open(format + ":" + folder, OPTIONS)) {
                assertEquals(Optional.of(format), node.nodeFormat());
                assertEquals(List.of(), node.otherFormats(), "only this format is looked for");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"n5", "neuroglancer", "wkw"})
    void zarrIsOpened_andKnowsTheOther(String other) throws IOException {
        Path folder = both("zarr", other);
        try (ZarrArray array = Zarr.openArray(folder.toString())) {
            assertEquals(Optional.empty(), array.nodeFormat());
            assertEquals(List.of(other), array.otherFormats());
        }
        try (ZarrNode plain = Zarr.open(root.resolve("zarr").toString(), OPTIONS)) {
            assertEquals(List.of(), plain.otherFormats());
        }
        try (RangeServer server = RangeServer.start();
                HttpStore store = HttpStore.builder(server.uri()).build()) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    server.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
            try (ZarrArray array = Zarr.openArray(store, "", OPTIONS)) {
                assertEquals(List.of(), array.otherFormats(), "would cost requests");
                assertEquals(1, server.log().size());
            }
            if (!other.equals("wkw")) { // its shape needs a listing
                try (ZarrArray array = Zarr.openArray(store, "", OPTIONS.withFormats(FormatChoice.ANY))) {
                    assertEquals(List.of(other), array.otherFormats());
                }
            }
        }
    }

    /** Each node of the converted tree has both documents on purpose. */
    @Test
    void aConversionInPlace_leavesBoth() throws IOException {
        Samples.unpack("n5.zip", root.resolve("n5"));
        try (Store store = Zarr.openStore(root.resolve("n5/by/codec/gzip").toString(), OPTIONS)) {
            Conversion.inPlace(store, OPTIONS).run(Mode.APPLY, node -> {});
            ZarrArray array = Zarr.openArray(store, "", OPTIONS);
            assertEquals(List.of("n5"), array.otherFormats());
        }
    }

    /** A search for the named format does not see the documents of the first conversion. */
    @ParameterizedTest
    @CsvSource({"n5, LOCATION", "n5, OPTION", "zarr_v2, LOCATION", "zarr_v2, OPTION"})
    void aSecondConversionInPlace_keepsWhatChanged(String format, String named) throws IOException {
        Path tree = root.resolve("tree");
        if (format.equals("n5")) {
            Zarr.createArray("n5:" + tree.resolve("group/array"), SPEC).close();
            Files.writeString(tree.resolve("group/attributes.json"), "{}");
        } else {
            Files.createDirectories(tree.resolve("group/array"));
            Files.writeString(tree.resolve("group/.zgroup"), "{\"zarr_format\": 2}");
            Files.writeString(tree.resolve("group/array/.zarray"), """
                    {"zarr_format": 2, "shape": [4, 4, 4], "chunks": [4, 4, 4], "dtype": "|u1", "fill_value": 0,
                     "order": "C", "compressor": null, "filters": null}""");
        }
        boolean byLocation = named.equals("LOCATION");
        String location = (byLocation ? format + ":" : "") + tree.resolve("group");
        ZarrOptions options = byLocation ? OPTIONS : OPTIONS.withFormat(format);
        try (Store store = Zarr.openStore(location, options)) {
            assertEquals(
                    new Conversion.Summary(2, 2, 0, 0, 0),
                    Conversion.inPlace(store, options).run(Mode.APPLY, node -> {}));
        }
        try (ZarrArray array = Zarr.openArray(tree.resolve("group/array").toString())
                        .resize(new long[] {8, 4, 4}, ResizePolicy.KEEP);
                ZarrNode group = Zarr.open(tree.resolve("group").toString(), OPTIONS)) {
            array.replaceAttributes(Json.object().with("k", Json.of(1)));
            group.replaceAttributes(Json.object().with("k", Json.of(2)));
        }
        List<String> before = documents(tree);
        try (Store store = Zarr.openStore(location, options)) {
            assertEquals(
                    new Conversion.Summary(2, 0, 2, 0, 0),
                    Conversion.inPlace(store, options).run(Mode.APPLY, node -> {}));
            assertEquals(before, documents(tree));

            Files.delete(tree.resolve("group/zarr.json")); // an interrupted conversion
            assertEquals(
                    new Conversion.Summary(2, 1, 1, 0, 0),
                    Conversion.inPlace(store, options).run(Mode.APPLY, node -> {}));
            assertEquals(before.get(1), documents(tree).get(1));

            Files.writeString(tree.resolve("group/array/zarr.json"), "{\"zarr_format\": 3, \"node_type\": \"array\"}");
            List<String> broken = documents(tree);
            assertEquals(
                    1,
                    Conversion.inPlace(store, options)
                            .run(Mode.APPLY, node -> {})
                            .refused());
            assertEquals(broken, documents(tree));
        }
    }

    private static List<String> documents(Path tree) throws IOException {
        return List.of(
                Files.readString(tree.resolve("group/zarr.json")),
                Files.readString(tree.resolve("group/array/zarr.json")));
    }

    @Test
    void files_thatOnlyHaveTheName_areNoOtherFormat() throws IOException {
        Path folder = root.resolve("zarr");
        Zarr.createArray(folder.toString(), SPEC).close();
        Files.writeString(folder.resolve("info"), "about this array");
        Files.writeString(folder.resolve("header.wkw"), "x");
        try (ZarrArray array = Zarr.openArray(folder.toString())) {
            assertEquals(List.of(), array.otherFormats());
        }
    }

    @Test
    void aFrameBesideAnotherNode_isRefused() throws IOException {
        Samples.unpack("blosc2.zip", root.resolve("blosc2"));
        Path frame;
        try (Stream<Path> files = Files.walk(root.resolve("blosc2"))) {
            frame = files.filter(f -> f.endsWith("chunks.b2frame"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
        }
        Path folder = frame.getFileName().toString().endsWith(".b2nd")
                ? frame
                : Files.move(frame, root.resolve("frame.b2nd"));
        Zarr.openArray(folder.toString()).close();
        Zarr.createArray(root.resolve("zarr").toString(), SPEC).close();
        for (String other : List.of("zarr.json", "attributes.json")) {
            Files.copy(root.resolve("zarr/zarr.json"), folder.resolve(other));
            MetadataException e = assertThrows(MetadataException.class, () -> Zarr.openArray(folder.toString()));
            assertTrue(e.getMessage().contains("two formats") && e.getMessage().contains(other), e.getMessage());
            Zarr.openArray("b2nd:" + folder).close();
            Files.delete(folder.resolve(other));
        }
    }
}
