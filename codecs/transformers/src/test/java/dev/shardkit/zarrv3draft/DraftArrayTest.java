package dev.shardkit.zarrv3draft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DraftArrayTest {
    private static Json.Obj json(String text) {
        return (Json.Obj) JsonReader.read(text.getBytes(StandardCharsets.UTF_8), Limits.defaults());
    }

    private static final Json.Obj PLAIN = json("""
      {"shape": [10, 7], "data_type": "<i4", "chunk_grid": {"type": "regular", "chunk_shape": [2, 2], "separator": "."},
       "chunk_memory_layout": "C", "fill_value": -1, "extensions": [], "attributes": {"a": 1.10}}""");

    private static Json member(Json.Obj draft, String name) {
        return DraftArray.of("foo", draft).document().get(name).orElseThrow();
    }

    @Test
    void document_isThatOfZarr3() {
        assertEquals(json("""
        {"zarr_format": 3, "node_type": "array", "shape": [10, 7], "data_type": "int32",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
         "chunk_key_encoding": {"name": "dev.shardkit.draft2022", "configuration": {"separator": "."}},
         "fill_value": -1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
         "attributes": {"a": 1.10}}"""), DraftArray.of("foo", PLAIN).document());
    }

    @Test
    void keys_areThoseOfTheDraft() {
        assertEquals("meta/root/foo/baz.array.json", DraftArray.documentKey("foo/baz"));
        assertEquals("meta/root.array.json", DraftArray.documentKey(""));
        assertEquals("data/root/foo", DraftArray.of("foo", PLAIN).dataPath());
        assertEquals("data/root", DraftArray.of("", PLAIN).dataPath());
        assertTrue(DraftArray.isDraft(json("{\"zarr_format\": \"https://purl.org/zarr/spec/protocol/core/3.0\"}")));
        assertFalse(DraftArray.isDraft(json("{\"zarr_format\": 3}")));
        assertFalse(DraftArray.isDraft(new Json.Arr(List.of())));
    }

    @Test
    void types_haveNamesOfZarr3() {
        assertEquals(
                "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"big\"}}]",
                member(PLAIN.with("data_type", Json.of(">f8")), "codecs").toString());
        assertEquals(Json.of("float64"), member(PLAIN.with("data_type", Json.of(">f8")), "data_type"));
        assertEquals(Json.of("complex64"), member(PLAIN.with("data_type", Json.of("<c8")), "data_type"));
        assertEquals(Json.of("uint8"), member(PLAIN.with("data_type", Json.of("|u1")), "data_type"));
        Json.Obj bool = PLAIN.with("data_type", Json.of("bool")).with("fill_value", new Json.Null());
        assertEquals(Json.of(false), member(bool, "fill_value"));
        for (String wrong : List.of("i4", "<i3", "<f16", "<U5", "", "|V8", "c2", "f1")) {
            assertThrows(
                    MetadataException.class, () -> DraftArray.of("", PLAIN.with("data_type", Json.of(wrong))), wrong);
        }
    }

    @Test
    void compressors_andLayouts_areCodecs() {
        Json.Obj gzip =
                json("{\"codec\": \"https://purl.org/zarr/spec/codec/gzip/1.0\", \"configuration\": {\"level\": 1}}");
        assertEquals(
                "[{\"name\":\"transpose\",\"configuration\":{\"order\":[1,0]}},"
                        + "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},"
                        + "{\"name\":\"gzip\",\"configuration\":{\"level\":1}}]",
                member(PLAIN.with("chunk_memory_layout", Json.of("F")).with("compressor", gzip), "codecs")
                        .toString());
        Json.Obj blosc = json("{\"codec\": \"https://purl.org/zarr/spec/codec/blosc/1.0\", \"configuration\": "
                + "{\"cname\": \"lz4\", \"clevel\": 5, \"shuffle\": 1, \"blocksize\": 0}}");
        String codecs = member(PLAIN.with("compressor", blosc), "codecs").toString();
        assertTrue(codecs.contains("\"shuffle\":\"shuffle\"") && codecs.contains("\"typesize\":4"), codecs);
        Json.Obj zlib = gzip.with("codec", Json.of("https://purl.org/zarr/spec/codec/zlib/1.0"));
        codecs = member(PLAIN.with("compressor", zlib), "codecs").toString();
        assertTrue(codecs.contains("{\"name\":\"numcodecs.zlib\",\"configuration\":{\"level\":1}}"), codecs);
        Json.Obj bz2 = gzip.with("codec", Json.of("https://purl.org/zarr/spec/codec/bz2/1.0"));
        assertThrows(UnsupportedException.class, () -> DraftArray.of("", PLAIN.with("compressor", bz2)));
        assertThrows(
                MetadataException.class,
                () -> DraftArray.of("", PLAIN.with("compressor", gzip.with("codec", Json.of("gzip")))));
        assertThrows(MetadataException.class, () -> DraftArray.of("", PLAIN.with("compressor", Json.of("gzip"))));
    }

    @Test
    void transformers_ofTheTextAndOfZarrPython_areTheSame() {
        String configuration = "\"configuration\": {\"chunks_per_shard\": [2, 2]}}]";
        Json named = json("{\"t\": [{\"name\": \"sharding\", " + configuration + "}")
                .members()
                .get("t");
        Json extension =
                json("{\"t\": [{\"extension\": \"https://purl.org/zarr/spec/storage_transformers/sharding/1.0\", "
                                + "\"type\": \"indexed\", " + configuration + "}")
                        .members()
                        .get("t");
        assertEquals(named, member(PLAIN.with("storage_transformers", named), "storage_transformers"));
        assertEquals(named, member(PLAIN.with("storage_transformers", extension), "storage_transformers"));
        Json other = json(("{\"t\": " + extension + "}").replace("indexed", "packed"))
                .members()
                .get("t");
        assertThrows(UnsupportedException.class, () -> DraftArray.of("", PLAIN.with("storage_transformers", other)));
    }

    @Test
    void whatIsWrongOrUnknown_isRefused() {
        for (String name : List.of("shape", "data_type", "chunk_grid")) {
            Json.Obj without = json(PLAIN.toString().replace(name, "fill_value_"));
            assertThrows(MetadataException.class, () -> DraftArray.of("", without), name);
        }
        assertThrows(MetadataException.class, () -> DraftArray.of("", PLAIN.with("more", Json.of(1))));
        assertThrows(MetadataException.class, () -> DraftArray.of("", PLAIN.with("chunk_grid", Json.of(1))));
        assertThrows(MetadataException.class, () -> DraftArray.of("", PLAIN.with("storage_transformers", Json.of(1))));
        assertThrows(MetadataException.class, () -> DraftArray.of("", PLAIN.with("chunk_memory_layout", Json.of("Q"))));
        assertThrows(
                UnsupportedException.class,
                () -> DraftArray.of("", PLAIN.with("extensions", new Json.Arr(List.of(Json.of("x"))))));
        assertThrows(
                UnsupportedException.class,
                () -> DraftArray.of(
                        "", PLAIN.with("chunk_grid", json("{\"type\": \"irregular\", \"chunk_shape\": [1]}"))));
    }
}
