package dev.shardkit.zarrv2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each translation, and what is refused. */
class V2FormatTest {
    private static final String ARRAY = """
      {"zarr_format": 2, "shape": [9], "chunks": [4], "dtype": "|b1", "fill_value": false, "order": "C",
       "filters": [], "compressor": {"id": "zstd", "level": 1}, "dimension_separator": "/", "unknown": 1}""";

    @Test
    void array_becomesADocument() {
        Found found = new Found().with("a/.zarray", ARRAY).with("a/.zattrs", "{\"x\": 1.10}");
        assertEquals(Found.json("""
        {"zarr_format": 3, "node_type": "array", "shape": [9], "data_type": "bool",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
         "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "/"}}, "fill_value": false,
         "codecs": [{"name": "bytes"}, {"name": "zstd", "configuration": {"level": 1}}],
         "attributes": {"x": 1.10}}"""), found.at("a").orElseThrow().document());
        assertEquals(List.of("a/.zarray", "a/.zattrs"), found.asked);
    }

    @Test
    void nothing_costsTwoQuestions() {
        Found found = new Found();
        assertEquals(Optional.empty(), found.at("x/y"));
        assertEquals(List.of("x/y/.zarray", "x/y/.zgroup"), found.asked);
    }

    @Test
    void group_hasAttributesAndConsolidatedMetadata() {
        Found found = new Found()
                .with(".zgroup", "{\"zarr_format\": 2}")
                .with(".zattrs", "{\"title\": \"t\"}")
                .with(
                        ".zmetadata",
                        "{\"zarr_consolidated_format\": 1, \"metadata\": {\".zgroup\": {\"zarr_format\": 2}, "
                                + "\".zattrs\": {}, \"g/.zgroup\": {\"zarr_format\": 2}, \"g/a/.zarray\": " + ARRAY
                                + ", "
                                + "\"g/a/.zattrs\": {\"b\": 2}, \"g/s/.zarray\": "
                                + ARRAY.replace("\"|b1\"", "[[\"x\", \"|O\"]]")
                                + "}}");
        Json.Obj group = found.at("").orElseThrow().document();
        assertEquals(Found.json("{\"title\": \"t\"}"), group.get("attributes").orElseThrow());
        Json.Obj consolidated = (Json.Obj) group.get("consolidated_metadata").orElseThrow();
        Json.Obj nodes = (Json.Obj) consolidated.get("metadata").orElseThrow();
        assertEquals(List.of("g", "g/a", "g/s"), List.copyOf(nodes.members().keySet()));
        Json.Obj array = (Json.Obj) nodes.get("g/a").orElseThrow();
        assertEquals(Found.json("{\"b\": 2}"), array.get("attributes").orElseThrow());
        assertTrue(nodes.get("g/s").orElseThrow().toString().contains("zarr_v2.unsupported"));
        assertEquals(List.of(".zarray", ".zgroup", ".zattrs", ".zmetadata"), found.asked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "<i2 ; 'int16' ; little ; -3 ; -3",
                ">u8 ; 'uint64' ; big ; 18446744073709551615 ; 18446744073709551615",
                "|u1 ; 'uint8' ; ; 7.0 ; 7",
                "<f2 ; 'float16' ; little ; 'NaN' ; 'NaN'",
                ">f4 ; 'float32' ; big ; null ; 0",
                "<f8 ; 'float64' ; little ; '-Infinity' ; '-Infinity'",
                "|u1 ; 'uint8' ; ; '0' ; 0",
                "<i8 ; 'int64' ; little ; '-12' ; -12",
                "<f4 ; 'float32' ; little ; '1.5' ; 1.5",
                "<c8 ; 'complex64' ; little ; '0' ; [0, 0]",
                "|b1 ; 'bool' ; ; 1 ; true",
                "|b1 ; 'bool' ; ; null ; false",
                "<c8 ; 'complex64' ; little ; ['NaN', 1] ; ['NaN', 1]",
                ">c16 ; 'complex128' ; big ; null ; [0, 0]",
                "|S3 ; {'name':'null_terminated_bytes','configuration':{'length_bytes':3}} ; ; 'YWI=' ; 'YWIA'",
                "|V2 ; 'r16' ; ; null ; [0, 0]",
                "<U2 ; {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} ; little ; 'ab' ; 'ab'",
                ">U1 ; {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 4}} ; big ; null ; ''",
                "<M8[ns] ; {'name': 'numpy.datetime64', 'configuration': {'unit': 'ns', 'scale_factor': 1}} ; little ; 5 ; 5",
                ">M8[10D] ; {'name': 'numpy.datetime64', 'configuration': {'unit': 'D', 'scale_factor': 10}} ; big ; null "
                        + "; 'NaT'",
                "<m8 ; {'name': 'numpy.timedelta64', 'configuration': {'unit': 'generic', 'scale_factor': 1}} ; little ; 0 ; 0"
            })
    void types_byteOrders_andFillValues(String dtype, String type, String endian, String fill, String expected) {
        Json.Obj array = Found.array("\"dtype\": \"" + dtype + "\"", "\"fill_value\": " + fill.replace('\'', '"'));
        assertEquals(quoted(type), array.get("data_type").orElseThrow());
        assertEquals(quoted(expected), array.get("fill_value").orElseThrow());
        String bytes = endian == null
                ? "[{'name': 'bytes'}]"
                : "[{'name': 'bytes', 'configuration': {'endian': '" + endian + "'}}]";
        assertEquals(quoted(bytes), array.get("codecs").orElseThrow());
    }

    private static Json quoted(String json) {
        return Found.json(json.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "{'id': 'zlib', 'level': 4} ; {'name': 'numcodecs.zlib', 'configuration': {'level': 4}}",
                "{'id': 'gzip'} ; {'name': 'gzip', 'configuration': {'level': 1}}",
                "{'id': 'gzip', 'level': -1} ; {'name': 'gzip', 'configuration': {'level': 6}}",
                "{'id': 'blosc'} ; {'name': 'blosc', 'configuration': {'cname': 'lz4', 'clevel': 5, 'shuffle': 'shuffle', "
                        + "'typesize': 4, 'blocksize': 0}}",
                "{'id': 'blosc', 'cname': 'zstd', 'clevel': 1, 'shuffle': 2, 'blocksize': 8} ; {'name': 'blosc', "
                        + "'configuration': {'cname': 'zstd', 'clevel': 1, 'shuffle': 'bitshuffle', 'typesize': 4, 'blocksize': 8}}",
                "{'id': 'bz2', 'level': 9} ; {'name': 'numcodecs.bz2', 'configuration': {'level': 9}}"
            })
    void compressors(String compressor, String codec) {
        Json.Obj array = Found.array("\"compressor\": " + compressor.replace('\'', '"'));
        assertEquals(
                quoted(codec),
                ((Json.Arr) array.get("codecs").orElseThrow()).items().get(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "<f8 ; {'id': 'fixedscaleoffset', 'offset': 1, 'scale': 10, 'dtype': '<f8', 'astype': '>i2'} ; "
                        + "[{'name': 'scale_offset', 'configuration': {'offset': 1, 'scale': 10}}, {'name': 'cast_value', "
                        + "'configuration': {'data_type': 'int16', 'rounding': 'nearest-even'}}, {'name': 'bytes', "
                        + "'configuration': {'endian': 'big'}}]",
                "<f4 ; {'id': 'astype', 'encode_dtype': '|i1', 'decode_dtype': '<f4'} ; [{'name': 'cast_value', "
                        + "'configuration': {'data_type': 'int8', 'rounding': 'towards-zero'}}, {'name': 'bytes'}]",
                "<i4 ; {'id': 'shuffle', 'elementsize': 4} ; [{'name': 'bytes', 'configuration': {'endian': 'little'}}, "
                        + "{'name': 'numcodecs.shuffle', 'configuration': {'elementsize': 4}}]",
                "<f4 ; {'id': 'bitround', 'keepbits': 5} ; [{'name': 'bitround', 'configuration': {'keepbits': 5}}, "
                        + "{'name': 'bytes', 'configuration': {'endian': 'little'}}]",
                "|O ; {'id': 'vlen-utf8'} ; [{'name': 'vlen-utf8'}]",
                "|O ; {'id': 'vlen-bytes'} ; [{'name': 'vlen-bytes'}]",
                "|O ; {'id': 'vlen-array', 'dtype': '<i4'} ; [{'name': 'numcodecs.vlen-array', "
                        + "'configuration': {'dtype': '<i4'}}]",
                "|O ; {'id': 'json2', 'indent': null} ; [{'name': 'numcodecs.json2', 'configuration': {'indent': null}}]",
                "<f4 ; {'id': 'fixedscaleoffset', 'offset': 1, 'scale': 10, 'dtype': '<f4', 'astype': '|u1'} ; "
                        + "[{'name': 'numcodecs.fixedscaleoffset', 'configuration': {'offset': 1, 'scale': 10, 'dtype': '<f4', "
                        + "'astype': '|u1'}}, {'name': 'bytes'}]",
                "<i4 ; {'id': 'delta', 'dtype': '<i4'} ; [{'name': 'numcodecs.delta', 'configuration': {'dtype': '<i4'}}, "
                        + "{'name': 'bytes', 'configuration': {'endian': 'little'}}]"
            })
    void filters(String dtype, String filter, String codecs) {
        Json.Obj array =
                Found.array("\"dtype\": \"" + dtype + "\"", "\"filters\": [" + filter.replace('\'', '"') + "]");
        assertEquals(quoted(codecs), array.get("codecs").orElseThrow());
    }

    @Test
    void orderF_isATransposition() {
        Json.Arr codecs =
                (Json.Arr) Found.array("\"order\": \"F\"").get("codecs").orElseThrow();
        assertEquals(
                quoted("{'name': 'transpose', 'configuration': {'order': [1, 0]}}"),
                codecs.items().get(0));
    }

    @Test
    void jsonOfObjects_hasNoOrder_andAFillOfJson() {
        Json.Obj array = Found.array(
                "\"dtype\": \"|O\"", "\"filters\": [{\"id\": \"json2\"}]", "\"order\": \"F\"", "\"fill_value\": [1]");
        assertEquals(1, ((Json.Arr) array.get("codecs").orElseThrow()).items().size());
        assertEquals(Json.of("[1]"), array.get("fill_value").orElseThrow());
    }

    /** An array of one dimension, whose dimension has a name unless the attributes say otherwise. */
    private static Json.Obj named(String members, String attributes) {
        Json.Obj document = (Json.Obj) Found.json("""
        {"zarr_format": 2, "shape": [5], "chunks": [3], "order": "C", "filters": null, "compressor": null}""");
        for (var member : ((Json.Obj) quoted("{" + members + "}")).members().entrySet()) {
            document = document.with(member.getKey(), member.getValue());
        }
        return new Found()
                .with(".zarray", document.toString())
                .with(".zattrs", "{" + attributes.replace('\'', '"') + "}")
                .at("")
                .orElseThrow()
                .document();
    }

    @Test
    void xarraysDimensions_becomeNames() {
        Json.Obj array = named("'dtype': '<i4', 'fill_value': null", "'a': 1, '_ARRAY_DIMENSIONS': ['x'], 'b': NaN");
        assertEquals(quoted("['x']"), array.get("dimension_names").orElseThrow());
        assertEquals(
                "{\"a\":1,\"b\":NaN}", array.get("attributes").orElseThrow().toString());
        Json.Obj other = named("'dtype': '<i4', 'fill_value': 7", "'_ARRAY_DIMENSIONS': ['x', 'y']");
        assertEquals(Optional.empty(), other.get("dimension_names"));
        assertEquals(
                quoted("{'_ARRAY_DIMENSIONS': ['x', 'y']}"),
                other.get("attributes").orElseThrow());
    }

    @Test
    void netcdfsDimensions_becomeNames() {
        String refs = "{'dimrefs': ['/g/x'], 'storage': 'chunked'}";
        for (Json.Obj array : List.of(
                named("'dtype': '<i4', 'fill_value': 7, '_NCZARR_ARRAY': " + refs, ""),
                named("'dtype': '<i4', 'fill_value': 7", "'_nczarr_array': " + refs + ", '_nczarr_attr': {}"))) {
            assertEquals(quoted("['x']"), array.get("dimension_names").orElseThrow());
            assertEquals(quoted("{'_FillValue': 7}"), array.get("attributes").orElseThrow());
        }
    }

    /** The forms are those of xarray's FillValueCoder; it opens no text of version 3 that has {@code _FillValue}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'<i2' ; -32767 ; ; {'_FillValue': -32767}",
                "'|u1' ; 255.0 ; ; {'_FillValue': 255}",
                "'|u1' ; null ; ; {}",
                "'<f4' ; -9999.0 ; ; {'_FillValue': 'AAAAAICHw8A='}",
                "'<f4' ; 1e20 ; ; {'_FillValue': 'AAAAgB2vFUQ='}",
                "'<f2' ; 0.1 ; ; {'_FillValue': 'AAAAAACYuT8='}",
                "'>f8' ; 'NaN' ; ; {'_FillValue': 'AAAAAAAA+H8='}",
                "'<f8' ; '-Infinity' ; ; {'_FillValue': 'AAAAAAAA8P8='}",
                "'<c8' ; [1.0, 0.0] ; ; {'_FillValue': ['AAAAAAAA8D8=', 'AAAAAAAAAAA=']}",
                "'|b1' ; false ; ; {'_FillValue': false}",
                "'<U2' ; '' ; ; {'missing_value': ''}",
                "'<U2' ; 'a' ; 'missing_value': 'b' ; {'missing_value': 'b'}",
                "'|S2' ; 'YQ==' ; ; {}",
                "'<M8[ns]' ; 5 ; ; {}",
                "'<i4' ; 0 ; '_FillValue': 7 ; {'_FillValue': 7}",
                "'<f4' ; 0 ; '_FillValue': -9999.0 ; {'_FillValue': 'AAAAAICHw8A='}",
                "'<f4' ; null ; '_FillValue': NaN ; {'_FillValue': 'AAAAAAAA+H8='}",
                "'<f4' ; 0 ; '_FillValue': 'AAAAAAAA+H8=' ; {'_FillValue': 'AAAAAAAA+H8='}"
            })
    void fillValue_becomesTheAttribute_ofArraysWithNamedDimensions(
            String dtype, String fill, String attributes, String expected) {
        String others = attributes == null ? "" : attributes + ", ";
        String members = "'dtype': " + dtype + ", 'fill_value': " + fill;
        assertEquals(
                quoted(expected),
                named(members, others + "'_ARRAY_DIMENSIONS': ['x']")
                        .get("attributes")
                        .orElseThrow());
        assertEquals(
                Found.json("{" + (attributes == null || attributes.contains("NaN") ? "" : attributes.replace('\'', '"'))
                        + "}"),
                named(members, attributes == null || attributes.contains("NaN") ? "" : attributes)
                        .get("attributes")
                        .orElseThrow());
    }

    /** Version 2 encodes no fill value, but {@code cast_value} does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "0 ; 0 ; scale_offset",
                "-3276.9 ; 0 ; numcodecs.fixedscaleoffset",
                "3276 ; 0 ; scale_offset",
                "3277 ; 0 ; numcodecs.fixedscaleoffset",
                "0.25 ; 0 ; numcodecs.fixedscaleoffset",
                "'NaN' ; 0 ; numcodecs.fixedscaleoffset",
                "null ; 3200 ; scale_offset",
                "null ; 10000 ; numcodecs.fixedscaleoffset",
            })
    void fillValue_thatDoesNotSurviveAFilter_keepsTheFilter(String fill, String offset, String codec) {
        Json.Obj array = Found.array(
                "\"dtype\": \"<f8\"",
                "\"fill_value\": " + fill.replace('\'', '"'),
                "\"filters\": [{\"id\": \"fixedscaleoffset\", \"offset\": " + offset
                        + ", \"scale\": 10, \"dtype\": \"<f8\", \"astype\": \"<i2\"}]");
        Json first = ((Json.Arr) array.get("codecs").orElseThrow()).items().get(0);
        assertEquals(Json.of(codec), ((Json.Obj) first).get("name").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "f8, i2, 7, cast_value",
        "f8, i2, 40000, numcodecs.astype",
        "f8, i2, 0.5, numcodecs.astype",
        "f8, f4, 0.5, cast_value",
        "f8, f4, 0.1, numcodecs.astype",
        "f8, f4, null, cast_value",
        "i8, i4, -2147483648, cast_value",
        "i8, i4, 2147483648, numcodecs.astype",
        "i8, i4, 9223372036854775807, numcodecs.astype"
    })
    void fillValue_thatDoesNotSurviveACast_keepsTheFilter(String own, String stored, String fill, String codec) {
        Json.Obj array = Found.array(
                "\"dtype\": \"<" + own + "\"",
                "\"fill_value\": " + fill,
                "\"filters\": [{\"id\": \"astype\", \"encode_dtype\": \"<" + stored + "\", \"decode_dtype\": \"<" + own
                        + "\"}]");
        Json first = ((Json.Arr) array.get("codecs").orElseThrow()).items().get(0);
        assertEquals(Json.of(codec), ((Json.Obj) first).get("name").orElseThrow());
    }

    @Test
    void version_mayBeText() {
        Found found = new Found()
                .with(".zgroup", "{\"zarr_format\": \"2\"}")
                .with("a/.zarray", ARRAY.replace("\"zarr_format\": 2", "\"zarr_format\": \"2\""));
        assertTrue(found.at("").isPresent() && found.at("a").isPresent());
        assertThrows(
                MetadataException.class,
                () -> new Found().with(".zgroup", "{\"zarr_format\": \"3\"}").at(""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'zarr_format': 3 ; .zarray: /zarr_format: expected 2",
                "'shape': [5] ; .zarray: /chunks: expected 1 lengths",
                "'shape': [5, -7] ; .zarray: /shape/1: expected an integer",
                "'shape': 3 ; .zarray: /shape: expected a list",
                "'shape': [5, 9223372036854775808] ; .zarray: /shape/1",
                "'shape': [5, 1e30] ; .zarray: /shape/1",
                "'chunks': [0, 4] ; .zarray: /chunks/0: expected a length of at least 1",
                "'dtype': 'i4' ; .zarray: /dtype",
                "'dtype': '|i4' ; .zarray: /dtype: expected < or >",
                "'dtype': {} ; .zarray: /dtype: expected",
                "'order': 'K' ; .zarray: /order",
                "'order': null ; .zarray: /order",
                "'fill_value': 'x' ; .zarray: /fill_value",
                "'fill_value': '0x1' ; .zarray: /fill_value: expected an integer",
                "'fill_value': '1.5' ; .zarray: /fill_value",
                "'dimension_separator': '-' ; .zarray: /dimension_separator",
                "'filters': {} ; .zarray: /filters: expected a list",
                "'filters': [1] ; .zarray: /filters/0: expected an object",
                "'filters': [{}] ; .zarray: /filters/0/id",
                "'compressor': 'zlib' ; .zarray: /compressor: expected an object",
                "'compressor': {'id': 'zlib', 'level': 10} ; .zarray: /compressor/level",
                "'compressor': {'id': 'blosc', 'shuffle': 7} ; .zarray: /compressor/shuffle",
                "'dtype': [['a']] ; .zarray: /dtype/0: expected a field such as",
                "'dtype': [['a', '<i4']], 'fill_value': 'AAE=' ; .zarray: /fill_value: expected base64 of 4 bytes",
                "'dtype': [['a', '<i4']], 'fill_value': 7 ; .zarray: /fill_value: expected base64 of 4 bytes",
                "'dtype': '|S2', 'fill_value': '?' ; .zarray: /fill_value: expected base64",
                "'dtype': '|S2', 'fill_value': 'YWJj' ; .zarray: /fill_value: expected base64 of at most 2"
            })
    void wrongDocuments_nameFileAndField(String member, String message) {
        ZarrException e = assertThrows(MetadataException.class, () -> Found.array(member.replace('\'', '"')));
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "'dtype': [['a', '<i4'], ['b', '>f8']] ; .zarray: /dtype: expected fields of one byte order",
                "'dtype': [['a', '<i4', [2]]] ; .zarray: /dtype/0: fields that are arrays are not supported",
                "'dtype': [['a', '|O']], 'filters': [{'id': 'vlen-utf8'}] ; .zarray: /dtype/0: a field of objects",
                "'dtype': [['a', '>i2']], 'fill_value': 'AAE=' ; .zarray: /fill_value: a fill value of big-endian",
                "'dtype': '<f16' ; .zarray: /dtype: Zarr v3 has no equivalent data type",
                "'dtype': '|O' ; .zarray: /dtype: objects are supported",
                "'dtype': '|O', 'filters': [{'id': 'pickle'}] ; .zarray: /dtype: objects",
                "'filters': [{'id': 'shuffle'}, {'id': 'delta'}] ; .zarray: /filters/1: the elementwise filter delta"
            })
    void whatHasNoCounterpart_isRefused(String member, String message) {
        ZarrException e = assertThrows(UnsupportedException.class, () -> Found.array(member.replace('\'', '"')));
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }

    @Test
    void structuredType_becomesStructured_withTheByteOrderOfItsFields() {
        Json.Obj array = Found.array(
                "\"dtype\": [[\"a\", \">i4\"], [\"s\", \"|S3\"], [\"v\", \"|V2\"], [\"in\", [[\"b\", \">f8\"]]]], "
                        + "\"fill_value\": null");
        assertEquals(Found.json("""
        {"name": "structured", "configuration": {"fields": [["a", "int32"],
         ["s", {"name": "null_terminated_bytes", "configuration": {"length_bytes": 3}}],
         ["v", {"name": "raw_bytes", "configuration": {"length_bytes": 2}}],
         ["in", {"name": "structured", "configuration": {"fields": [["b", "float64"]]}}]]}}"""), array.get("data_type").orElseThrow());
        assertEquals(
                Json.of("AAAAAAAAAAAAAAAAAAAAAAA="), array.get("fill_value").orElseThrow());
        assertEquals(
                Found.json("{\"name\": \"bytes\", \"configuration\": {\"endian\": \"big\"}}"),
                ((Json.Arr) array.get("codecs").orElseThrow()).items().get(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "[] ; .zmetadata: expected an object",
                "{} ; .zmetadata: /zarr_consolidated_format",
                "{'zarr_consolidated_format': 2} ; .zmetadata: /zarr_consolidated_format: expected 1",
                "{'zarr_consolidated_format': 1, 'metadata': 4} ; .zmetadata: /metadata: expected an object",
                "{'zarr_consolidated_format': 1, 'metadata': {'a/.zarray': {}}} ; .zmetadata: /metadata/a/.zarray/zarr_format"
            })
    void wrongConsolidatedMetadata_nameFileAndField(String json, String message) {
        Found found = new Found().with(".zgroup", "{\"zarr_format\": 2}").with(".zmetadata", json.replace('\'', '"'));
        ZarrException e = assertThrows(MetadataException.class, () -> found.at(""));
        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }
}
