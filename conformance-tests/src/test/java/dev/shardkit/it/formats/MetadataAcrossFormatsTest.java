package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What surrounds the elements keeps its meaning: typed attributes, the value of missing elements, names of dimensions,
 * NaN in attributes. The values are those that xarray reads of the same files.
 */
@Timeout(240)
class MetadataAcrossFormatsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    private Path dir;

    private Path sample() throws IOException {
        Path file = dir.resolve("meaning.h5");
        try (InputStream in = Samples.class.getResourceAsStream("meaning.h5")) {
            Files.copy(in, file);
        }
        return file;
    }

    private void put(String key, String text) throws IOException {
        Path file = dir.resolve(key);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Json json(String text) {
        return ((Json.Obj) JsonDocuments.read("{\"attributes\":" + text.replace('\'', '"') + "}", Limits.defaults()))
                .get("attributes")
                .orElseThrow();
    }

    private static void copy(ZarrNode node, Path target) throws IOException {
        copy(node, target.toString());
    }

    private static void copy(ZarrNode node, String target) throws IOException {
        try (Store store = Zarr.openStore(target, OPTIONS)) {
            Copy.of(node).to(store, OPTIONS);
        }
    }

    private Hdf5References references() throws IOException {
        sample();
        try (Store store = Zarr.openStore(dir.toString(), OPTIONS)) {
            return Hdf5References.of(store, "meaning.h5", "", "meaning.h5");
        }
    }

    private static Json.Obj document(Hdf5References references, String key) {
        Json.Str text = (Json.Str) references.references().get(key).orElseThrow();
        return (Json.Obj) ((Json.Obj) JsonDocuments.read("{\"attributes\":" + text.value() + "}", Limits.defaults()))
                .get("attributes")
                .orElseThrow();
    }

    @Test
    void attributesOfHdf5_areWidened() throws IOException {
        try (ZarrArray array = Zarr.openArray("hdf5:" + sample() + "!attributes")) {
            copy(array, dir.resolve("copy"));
        }
        try (ZarrArray copied = Zarr.openArray(dir.resolve("copy").toString())) {
            Map<String, Double> numbers = new TreeMap<>();
            copied.attributes().members().forEach((name, json) -> {
                if (json instanceof Json.Num number) {
                    numbers.put(name, Double.parseDouble(number.lexeme()));
                }
            });
            assertEquals(Map.of("f2", 0.0999755859375, "f4", 1.0000000200408773e20, "f8", 0.1, "long", 0.25), numbers);
            assertEquals(
                    json("[0.10000000149011612, NaN]"),
                    copied.attributes().get("big").orElseThrow());
            assertEquals(
                    "[1.7976931348623157E308,Infinity]",
                    copied.attributes().get("most").orElseThrow().toString());
            assertEquals(
                    json("{'a': 1, 'b': 0.10000000149011612}"),
                    copied.attributes().get("record").orElseThrow());
        }
    }

    @Test
    void missingElementsOfHdf5_haveTheFormOfXarray() throws IOException {
        Map<String, String> expected = Map.of(
                "f4", "{'_FillValue': 'AAAAgB2vFUQ='}",
                "f2", "{'_FillValue': 'AAAAAACYuT8='}",
                "i2", "{'_FillValue': -9999}",
                "u1", "{'_FillValue': 255}",
                "odd", "{'missing_value': NaN}",
                "c8", "{'_FillValue': ['AAAAoJmZuT8=', 'AAAAAAAA8D8=']}",
                "text", "{'missing_value': '-'}",
                "none", "{}");
        try (ZarrGroup group = Zarr.openGroup("hdf5:" + sample())) {
            expected.forEach((name, attributes) ->
                    assertEquals(json(attributes), group.array(name).attributes(), name));
        }
    }

    @Test
    void referencesOfVariablesWithoutFillValue_haveNone() throws IOException {
        Hdf5References found = references();
        Map<String, String> expected = Map.of(
                "f4", "1.0000000200408773E20",
                "f2", "0.0999755859375",
                "i2", "-9999",
                "u1", "255",
                "odd", "null",
                "c8", "[0.10000000149011612,1.0]",
                "text", "\"LQ==\"",
                "none", "null",
                "scalar", "null");
        expected.forEach((name, fill) -> assertEquals(
                fill,
                document(found, name + "/.zarray")
                        .get("fill_value")
                        .orElseThrow()
                        .toString(),
                name));
        assertEquals(
                json("[]"),
                document(found, "scalar/.zattrs").get("_ARRAY_DIMENSIONS").orElseThrow());
        assertEquals(
                Optional.of(new Json.Num("NaN")), document(found, "odd/.zattrs").get("_FillValue"));
        assertEquals(Optional.empty(), document(found, "f4/.zattrs").get("_FillValue"));
    }

    /** Chunks that the file lacks are the fill value of HDF5, whatever the attribute says. */
    @Test
    void chunksThatTheFileLacks_areInTheDocument_whereTheFillValueCannotSayIt() throws IOException {
        Hdf5References found = references();
        Files.writeString(
                dir.resolve("document.json"),
                Json.object()
                        .with("version", Json.of(1))
                        .with("refs", found.references())
                        .toString());
        try (ZarrGroup group = Zarr.openGroup("reference:" + dir.resolve("document.json"))) {
            assertArrayEquals(
                    new int[] {7, 7, 0, 1, 7, 7}, group.array("sparse").read().ints());
            assertArrayEquals(
                    new int[] {7, 7, 0, 1, 7, 7}, group.array("same").read().ints());
            assertArrayEquals(
                    new int[] {7, 7, 0, 1, 7, 7}, group.array("other").read().ints());
            assertArrayEquals(
                    new int[] {0, 0, 0, 1, 0, 0}, group.array("zero").read().ints());
            assertEquals(json("{}"), group.array("sparse").attributes());
            assertEquals(json("{'_FillValue': 7}"), group.array("same").attributes());
            assertEquals(json("{'_FillValue': 0}"), group.array("other").attributes());
        }
        assertEquals(
                Json.of(7), document(found, "huge/.zarray").get("fill_value").orElseThrow());
        assertTrue(
                found.notes().stream()
                        .anyMatch(note -> note.startsWith("huge: xarray will mask elements equal to 7, ")),
                "" + found);
    }

    @Test
    void dimensionsOfHdf5_allHaveNames() throws IOException {
        try (ZarrGroup group = Zarr.openGroup("hdf5:" + sample() + "!dimensions")) {
            Map<String, List<String>> names = new TreeMap<>();
            group.children()
                    .forEach((name, child) -> names.put(
                            name,
                            ((ZarrArray) child)
                                    .dimensionNames().orElseThrow().stream()
                                            .map(Optional::orElseThrow)
                                            .toList()));
            assertEquals(List.of("y", "x"), names.get("named"));
            assertEquals(List.of("y", "x"), names.get("coordinates"));
            assertEquals("x", names.get("plain").get(0));
            assertEquals(List.of(names.get("plain").get(2), "x"), names.get("again"));
            assertTrue(names.get("plain").get(1).matches("phony_dim_[0-9]+"), "" + names);
            assertEquals(3, new HashSet<>(names.get("plain")).size(), "" + names);
        }
        try (ZarrArray scalar = Zarr.openArray("hdf5:" + dir.resolve("meaning.h5") + "!scalar")) {
            assertEquals(Optional.empty(), scalar.dimensionNames());
        }
    }

    /** Names that were only made up are no names of axes. */
    @Test
    void madeNamesOfDimensions_countAsNone() throws IOException {
        ArraySpec spec = ArraySpec.of("uint8", 2, 3, 4).withDimensionNames("phony_dim_0", "phony_dim_1", "phony_dim_2");
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
            assertEquals(Optional.empty(), DimensionNames.read(array));
            copy(array, "neuroglancer:" + dir.resolve("volume"));
        }
        assertTrue(Files.exists(dir.resolve("volume/info")));
        try (ZarrArray named = Zarr.openArray("hdf5:" + sample() + "!dimensions/named")) {
            assertEquals(
                    List.of(Optional.of("y"), Optional.of("x")),
                    DimensionNames.read(named).orElseThrow());
        }
    }

    private static final String V2 = "{\"zarr_format\":2,\"shape\":[2],\"chunks\":[2],\"dtype\":\"<f4\","
            + "\"fill_value\":-9999.0,\"order\":\"C\",\"filters\":null,\"compressor\":null}";

    /** Consolidated metadata and documents, copies and conversions. */
    @Test
    void masksOfZarrV2_areAttributesAfterEveryWayToZarrV3() throws IOException {
        for (String kind : List.of("plain", "consolidated")) {
            put(kind + "/.zgroup", "{\"zarr_format\":2}");
            put(kind + "/a/.zarray", V2);
            put(kind + "/a/.zattrs", "{\"_ARRAY_DIMENSIONS\":[\"x\"],\"valid_max\":Infinity}");
        }
        put(
                "consolidated/.zmetadata",
                "{\"zarr_consolidated_format\":1,\"metadata\":{\".zgroup\":{\"zarr_format\":2},\"a/.zarray\":" + V2
                        + ",\"a/.zattrs\":{\"_ARRAY_DIMENSIONS\":[\"x\"],\"valid_max\":Infinity}}}");
        for (String kind : List.of("plain", "consolidated")) {
            Path source = dir.resolve(kind);
            try (ZarrGroup group = Zarr.openGroup(source.toString())) {
                check(group.array("a"));
                copy(group, dir.resolve("copy-" + kind));
            }
            try (Store from = Zarr.openStore(source.toString(), OPTIONS);
                    Store to = Zarr.openStore(dir.resolve("to-" + kind).toString(), OPTIONS)) {
                Conversion.to(from, to, OPTIONS).run(Mode.APPLY, node -> {});
                Conversion.inPlace(from, OPTIONS).run(Mode.APPLY, node -> {});
            }
            for (String result : List.of("copy-" + kind, "to-" + kind, kind)) {
                assertTrue(Files.exists(dir.resolve(result + "/a/zarr.json")), result);
                try (ZarrArray array =
                        Zarr.openArray(dir.resolve(result).resolve("a").toString())) {
                    assertEquals(Optional.empty(), array.nodeFormat(), result);
                    check(array);
                }
            }
        }
    }

    private static void check(ZarrArray array) {
        assertEquals(
                json("{'valid_max': Infinity, '_FillValue': 'AAAAAICHw8A='}"), array.attributes(), array.location());
        assertEquals(List.of(Optional.of("x")), array.dimensionNames().orElseThrow(), array.location());
    }

    private static final String V3 =
            "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[2],\"data_type\":\"float32\","
                    + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[2]}},"
                    + "\"chunk_key_encoding\":{\"name\":\"default\",\"configuration\":{\"separator\":\"/\"}},"
                    + "\"fill_value\":0,\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}],"
                    + "\"attributes\":{\"max\":Infinity,\"range\":[-Infinity,NaN],\"text\":\"NaN\"}}";

    /** The attributes of {@link #V3}. */
    record Limited(double max, double[] range, String text) {}

    @Test
    void nanInAttributes_areNumbers_andWrittenAsTheyCame() throws IOException {
        put(
                "g/zarr.json",
                "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"least\":-Infinity},"
                        + "\"consolidated_metadata\":{\"kind\":\"inline\",\"must_understand\":false,\"metadata\":{\"a\":"
                        + V3 + "}}}");
        put("g/a/zarr.json", V3);
        String attributes = "{\"max\":Infinity,\"range\":[-Infinity,NaN],\"text\":\"NaN\"";
        try (ZarrGroup group = Zarr.openGroup(dir.resolve("g").toString())) {
            Limited limited = group.array("a").attributes(Limited.class);
            assertEquals(Double.POSITIVE_INFINITY, limited.max());
            assertArrayEquals(new double[] {Double.NEGATIVE_INFINITY, Double.NaN}, limited.range());
            assertEquals("NaN", limited.text());
            copy(group, dir.resolve("copied"));
            ZarrArray changed = group.array("a")
                    .replaceAttributes(group.array("a").attributes().with("more", Json.of(1)));
            assertEquals(attributes + ",\"more\":1}", changed.attributes().toString());
            assertEquals(
                    attributes + "}",
                    changed.replaceAttributes(limited).attributes().toString());
        }
        for (String place : List.of("g/a", "copied/a")) {
            assertEquals(
                    attributes + "}",
                    ((Json.Obj) JsonDocuments.read(
                                    Files.readAllBytes(dir.resolve(place + "/zarr.json")), Limits.defaults()))
                            .get("attributes")
                            .orElseThrow()
                            .toString(),
                    place);
        }
        String root = Files.readString(dir.resolve("g/zarr.json"));
        assertTrue(root.contains("\"least\": -Infinity") && root.contains("\"max\": Infinity"), root);
        put("bad/zarr.json", V3.replace("\"fill_value\":0", "\"fill_value\":NaN"));
        MetadataException e = assertThrows(
                MetadataException.class, () -> Zarr.openArray(dir.resolve("bad").toString()));
        assertTrue(e.getMessage().contains("/fill_value: expected a number, found NaN"), e.getMessage());
    }

    @Test
    void draftOrdersOfTransposition_areRead() throws IOException {
        String document = V3.replace("\"shape\":[2]", "\"shape\":[2,3]")
                .replace("\"chunk_shape\":[2]", "\"chunk_shape\":[2,3]")
                .replace("\"float32\"", "\"uint8\"")
                .replace(
                        "[{\"name\":\"bytes\"",
                        "[{\"name\":\"transpose\",\"configuration\":{\"order\":\"F\"}},{\"name\":\"bytes\"");
        put("f/zarr.json", document);
        Files.createDirectories(dir.resolve("f/c/0"));
        Files.write(dir.resolve("f/c/0/0"), new byte[] {1, 4, 2, 5, 3, 6});
        try (ZarrArray array = Zarr.openArray(dir.resolve("f").toString())) {
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6}, array.read().bytes());
            assertTrue(
                    array.metadata().remarks().get(0).startsWith("/codecs/0: the order \"F\""), "" + array.metadata());
        }
    }

    @Test
    void newArrays_stateWhatTheSpecificationSays() {
        ArraySpec spec = ArraySpec.of("int32", 4, 4)
                .withCodecs(
                        json("{'name': 'transpose', 'configuration': {'order': 'F'}}"),
                        json("{'name': 'bytes', 'configuration': {'endian': 'little'}}"));
        MetadataException e = assertThrows(MetadataException.class, () -> Zarr.describe(spec, OPTIONS));
        assertTrue(e.getMessage().contains("expected a permutation"), e.getMessage());
    }

    /** GDAL writes options as the caller has spelled them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{'id':'zstd','level':13,'checksum':'NO'} ; zstd ; {'level':13,'checksum':false} ; checksum",
                "{'id':'zstd','level':'13','checksum':'True'} ; zstd ; {'level':13,'checksum':true} ; level checksum",
                "{'id':'gzip','level':'5'} ; gzip ; {'level':5} ; level",
                "{'id':'zlib','level':'5'} ; numcodecs.zlib ; {'level':5} ; level",
                "{'id':'blosc','cname':'LZ4','clevel':'5','shuffle':'BIT','blocksize':0} ; blosc ; {'cname':'lz4','clevel':5,'shuffle':'bitshuffle','typesize':2,'blocksize':0} ; cname clevel shuffle",
                "{'id':'blosc','cname':'lz4','clevel':5,'shuffle':'NONE','blocksize':'0'} ; blosc ; {'cname':'lz4','clevel':5,'shuffle':'noshuffle','typesize':2,'blocksize':0} ; shuffle blocksize",
                "{'id':'lzma','preset':'6','delta':1} ; numcodecs.lzma ; {'preset':6} ; preset",
            })
    void optionsAsText_areRead(String compressor, String name, String configuration, String members)
            throws IOException {
        put("gdal/.zgroup", "{\"zarr_format\":2}");
        put(
                "gdal/a/.zarray",
                "{\"zarr_format\":2,\"shape\":[2],\"chunks\":[2],\"dtype\":\"<i2\",\"fill_value\":null,\"order\":\"C\","
                        + "\"filters\":null,\"compressor\":" + compressor.replace('\'', '"') + "}");
        try (ZarrArray array = Zarr.openArray(dir.resolve("gdal/a").toString())) {
            Json.Obj codec = (Json.Obj) array.metadata().codecs().json().get(1);
            assertEquals(Json.of(name), codec.get("name").orElseThrow());
            Json.Obj stated = (Json.Obj) codec.get("configuration").orElseThrow();
            ((Json.Obj) json(configuration))
                    .members()
                    .forEach((key, value) -> assertEquals(value, stated.get(key).orElseThrow(), key));
            List<String> remarks = array.metadata().remarks();
            assertEquals(
                    Arrays.stream(members.split(" "))
                            .map(member -> "/codecs/1/configuration/" + member)
                            .collect(Collectors.toSet()),
                    remarks.stream()
                            .map(remark -> remark.substring(0, remark.indexOf(':')))
                            .collect(Collectors.toSet()));
            assertTrue(remarks.stream().allMatch(r -> r.contains("is read as")), "" + remarks);
        }
        try (ZarrGroup group = Zarr.openGroup(dir.resolve("gdal").toString())) {
            copy(group, dir.resolve("gdal-copy"));
        }
        try (ZarrArray copied = Zarr.openArray(dir.resolve("gdal-copy/a").toString())) {
            assertEquals(List.of(), copied.metadata().remarks());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'zstd','level':1,'checksum':'maybe'}",
                "{'id':'zstd','level':'1.5'}",
                "{'id':'zstd','level':'0x10'}",
                "{'id':'gzip','level':'99'}",
                "{'id':'blosc','cname':'LZ5','clevel':5,'shuffle':1}",
                "{'id':'blosc','cname':'lz4','clevel':5,'shuffle':'bits'}",
            })
    void textsWithoutMeaning_areRefused(String compressor) throws IOException {
        put(
                "odd/.zarray",
                "{\"zarr_format\":2,\"shape\":[2],\"chunks\":[2],\"dtype\":\"<i2\",\"fill_value\":null,\"order\":\"C\","
                        + "\"filters\":null,\"compressor\":" + compressor.replace('\'', '"') + "}");
        assertThrows(
                MetadataException.class, () -> Zarr.openArray(dir.resolve("odd").toString()));
    }

    /** numcodecs refuses to shuffle bytes that are no multiple of the size of elements; HDF5 does not. */
    @Test
    void checksumsBeforeTheShuffle_areReencoded_whereNumcodecsRefusesThem() throws IOException {
        Hdf5References found = references();
        Path file = dir.resolve("meaning.h5");
        try (ZarrArray array = Zarr.openArray("hdf5:" + file + "!checksum8")) {
            assertTrue(array.metadata().codecs().json().toString().contains("hdf5.filters"), "" + array.metadata());
            assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5}, array.read().doubles());
            copy(array, dir.resolve("copy8"));
        }
        try (ZarrArray copied = Zarr.openArray(dir.resolve("copy8").toString())) {
            String codecs = copied.metadata().codecs().json().toString();
            assertTrue(codecs.contains("fletcher32") && codecs.contains("\"blosc\""), codecs);
            assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5}, copied.read().doubles());
        }
        try (ZarrArray array = Zarr.openArray("hdf5:" + file + "!checksum4")) {
            String codecs = array.metadata().codecs().json().toString();
            assertTrue(codecs.contains("numcodecs.shuffle") && !codecs.contains("hdf5."), codecs);
            assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, array.read().ints());
        }
        assertTrue(
                found.leftOut().stream().anyMatch(out -> out.contains("checksum8") && out.contains("shuffle")),
                "" + found.leftOut());
        assertTrue(found.references().get("checksum4/.zarray").isPresent());
    }

    @Test
    void variablesWrittenLessFarThanTheirDimension_haveItsLength() throws IOException {
        Hdf5References found = references();
        try (ZarrGroup group = Zarr.openGroup("hdf5:" + dir.resolve("meaning.h5") + "!unlimited")) {
            assertArrayEquals(new long[] {3}, group.array("t").shape());
            assertArrayEquals(new double[] {5, -1, -1}, group.array("t").read().doubles());
            assertArrayEquals(
                    new short[] {7, 7, 7, 7, 7, 7}, group.array("none").read().shorts());
            assertArrayEquals(
                    new short[] {1, 1, 1, 1, 7, 7}, group.array("some").read().shorts());
            assertArrayEquals(
                    new short[] {1, 1, 1, 1, 1, 1}, group.array("all").read().shorts());
            assertArrayEquals(new long[] {1}, group.array("other").shape());
        }
        for (String name : List.of("none", "some", "all")) {
            assertEquals(
                    "[3,2]",
                    document(found, "unlimited/" + name + "/.zarray")
                            .get("shape")
                            .orElseThrow()
                            .toString());
            assertTrue(found.references().get("unlimited/" + name + "/2.0").isPresent(), name);
        }
        try (ZarrArray alone = Zarr.openArray("hdf5:" + dir.resolve("meaning.h5") + "!unlimited/some")) {
            assertArrayEquals(new long[] {3, 2}, alone.shape());
        }
    }

    @Test
    void attributesWithoutValueInJson_areNamed() throws IOException {
        List<String> notes = new ArrayList<>();
        Hdf5References found = references();
        try (ZarrGroup group = Zarr.openGroup("hdf5:" + dir.resolve("meaning.h5") + "!left_out");
                ZarrArray array = group.array("a")) {
            for (ZarrNode node : List.of(group, array)) {
                assertEquals(
                        Set.of("object", "nothing", "kept"),
                        node.attributes().members().keySet());
                assertEquals(1, node.metadata().remarks().size(), node.location());
                assertTrue(
                        node.metadata().remarks().get(0).startsWith("/attributes/region: is left out, because"),
                        "" + node.metadata().remarks());
            }
            assertEquals(Optional.of(new Json.Null()), group.attributes().get("nothing"));
            Verification.of(group).run(finding -> notes.add(finding.node() + finding.found()));
            assertTrue(notes.size() == 2 && notes.get(1).startsWith("a/attributes/region: is left out"), "" + notes);
            notes.clear();
            try (Store target = Zarr.openStore(dir.resolve("left-out").toString(), OPTIONS)) {
                Copy.of(group)
                        .withNotes((path, how) -> notes.add(path + " " + how))
                        .to(target, OPTIONS);
            }
        }
        assertEquals(2, notes.size(), "" + notes);
        assertTrue(notes.get(0).startsWith(" is not copied as stored: /attributes/region: is left out"), "" + notes);
        assertTrue(notes.get(1).startsWith("a is not copied as stored: /attributes/region"), "" + notes);
        try (ZarrGroup copied = Zarr.openGroup(dir.resolve("left-out").toString())) {
            assertEquals(List.of(), copied.metadata().remarks());
            assertFalse(Files.readString(dir.resolve("left-out/zarr.json")).contains("remarks"));
        }
        assertTrue(
                found.notes().stream().anyMatch(note -> note.startsWith("left_out/a: /attributes/region: is left out")),
                "" + found.notes());
    }

    /** Names of values, bytes that are not UTF-8, and links without a node. */
    @Test
    void whatZarrHoldsInPartOnly_isNamed() throws IOException {
        try (ZarrGroup root = Zarr.openGroup("hdf5:" + sample())) {
            ZarrGroup group = root.group("in_part");
            assertEquals(
                    Set.of(
                            "the link elsewhere is left out: it leads to another file",
                            "the link nowhere is left out: there is no object at its path",
                            "the link above is left out: it leads to a group above"),
                    Set.copyOf(group.metadata().remarks()));
            for (String name : List.of("a", "soft")) {
                assertEquals(
                        List.of(
                                "/attributes/first: the names of the values are left out: clear = 0, cumulus = 1",
                                "/attributes/unit: has bytes that are not UTF-8; each is the character U+FFFD",
                                "/data_type: the names of the values are left out: clear = 0, cumulus = 1"),
                        group.array(name).metadata().remarks(),
                        name);
            }
            assertEquals(Optional.of(Json.of(1)), group.array("a").attributes().get("first"));
            assertEquals(List.of("a", "soft"), List.copyOf(group.childNames()));
        }
    }

    /** What was read otherwise than it is stored is said of groups and arrays of both versions of Zarr. */
    @Test
    void byteOrderMarks_andVersionsAsText_areNamed() throws IOException {
        put("marked/zarr.json", "\ufeff{\"zarr_format\":3,\"node_type\":\"group\"}");
        put("marked/a/zarr.json", "\ufeff" + V3);
        put("text/.zgroup", "{\"zarr_format\":\"2\"}");
        String array = "{\"zarr_format\":\"2\",\"shape\":[2],\"chunks\":[2],\"dtype\":\"<i2\",\"fill_value\":null,"
                + "\"order\":\"C\",\"filters\":null,\"compressor\":null}";
        put("text/a/.zarray", array);
        put("text/a/.zattrs", "\ufeff{}");
        try (ZarrGroup group = Zarr.openGroup(dir.resolve("marked").toString())) {
            List<String> expected = List.of("zarr.json: begins with a byte order mark, which is skipped");
            assertEquals(expected, group.metadata().remarks());
            assertEquals(expected, group.array("a").metadata().remarks());
            group.mergeAttributes(Json.object().with("x", Json.of(1)));
            assertEquals('{', Files.readString(dir.resolve("marked/zarr.json")).charAt(0));
        }
        try (ZarrGroup group = Zarr.openGroup(dir.resolve("text").toString())) {
            assertEquals(
                    List.of(".zgroup: /zarr_format: the text \"2\" is read as the number 2"),
                    group.metadata().remarks());
            assertEquals(
                    List.of(
                            ".zarray: /zarr_format: the text \"2\" is read as the number 2",
                            ".zattrs: begins with a byte order mark, which is skipped"),
                    group.array("a").metadata().remarks());
        }
        put(
                "text/.zmetadata",
                "{\"zarr_consolidated_format\":1,\"metadata\":{\".zgroup\":{\"zarr_format\":\"2\"},\"a/.zarray\":"
                        + array + "}}");
        try (ZarrGroup group = Zarr.openGroup(dir.resolve("text").toString())) {
            NodeMetadata child = group.metadata().consolidated().orElseThrow().get("a");
            assertTrue(child.remarks().get(0).contains("/zarr_format: the text \"2\""), "" + child.remarks());
        }
    }

    /** xarray masks bytes by the fill value of Zarr v2; nothing in Zarr v3 says that to it. */
    @Test
    void fillValuesOfBytes_areNamed_ifXarrayMasksThem() throws IOException {
        String array = "{\"zarr_format\":2,\"shape\":[2],\"chunks\":[2],\"dtype\":\"|S3\",\"fill_value\":%s,"
                + "\"order\":\"C\",\"filters\":null,\"compressor\":null}";
        put("bytes/.zattrs", "{\"_ARRAY_DIMENSIONS\":[\"x\"]}");
        for (String fill : List.of("\"eAAA\"", "null")) {
            put("bytes/.zarray", array.formatted(fill));
            try (ZarrArray bytes = Zarr.openArray(dir.resolve("bytes").toString())) {
                List<String> remarks = bytes.metadata().remarks();
                assertEquals(fill.equals("null") ? 0 : 1, remarks.size(), "" + remarks);
                assertTrue(remarks.stream().allMatch(r -> r.startsWith(".zarray: /fill_value: xarray")), "" + remarks);
            }
        }
    }
}
