package dev.shardkit.ome.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The typed model: reading, writing, unknown members, and metadata that are wrong. */
public class OmeMetadataTest {
    static final String IMAGE = """
            {"mine": [1], "ome": {"version": "0.5", "later": {"a": 1.10}, "multiscales": [{"name": "cells",
             "axes": [{"name": "c", "type": "channel", "hint": 1}, {"name": "y", "type": "space", "unit": "micrometer"},
                      {"name": "x", "type": "space"}],
             "datasets": [{"path": "0", "size": 7, "coordinateTransformations": [
                 {"type": "scale", "scale": [1, 0.5, 0.5], "by": "me"},
                 {"type": "translation", "translation": [0, 3, -2.5]}]}],
             "type": "mean", "metadata": {"version": "1"}, "extra": null}],
             "omero": {"id": 4, "channels": [{"label": "DAPI", "color": "0000FF", "active": true, "coefficient": 1,
                 "window": {"start": 1, "end": 2.5, "min": 0, "max": 65535, "x": "y"}}]}}}""";

    public static final String PLATE = """
            {"ome": {"version": "0.5", "plate": {"name": "p", "rows": [{"name": "A", "r": 1}],
             "columns": [{"name": "1"}, {"name": "2"}], "field_count": 1,
             "wells": [{"path": "A/2", "rowIndex": 0, "columnIndex": 1, "w": []}],
             "acquisitions": [{"id": 3, "name": "n", "maximumfieldcount": 2, "description": "d", "starttime": 5,
                               "endtime": 6, "z": 0}], "p": {}}}}""";

    static Json.Obj json(String text) {
        return (Json.Obj) JsonDocuments.read(text, Limits.defaults());
    }

    public static OmeMetadata metadata(String text) {
        return OmeMetadata.find(json(text), "/data/n").orElseThrow();
    }

    @Test
    void image_isRead() {
        OmeMetadata metadata = metadata(IMAGE);
        Multiscale image = metadata.multiscales().get(0);
        assertEquals(OmeVersion.V0_5, metadata.version());
        assertEquals(Optional.of("cells"), image.name());
        assertEquals(
                List.of("c", "y", "x"), image.axes().stream().map(Axis::name).toList());
        assertEquals(Optional.of("micrometer"), image.axes().get(1).unit());
        assertEquals(
                new CoordinateTransformation.Scale(List.of(1.0, 0.5, 0.5), json("{\"by\": \"me\"}")),
                image.datasets().get(0).transformations().get(0));
        Omero.Channel channel = metadata.omero().orElseThrow().channels().get(0);
        assertEquals(Optional.of("DAPI"), channel.label());
        assertEquals(2.5, channel.window().orElseThrow().end());
    }

    @Test
    void rewrite_keepsUnknownMembers() {
        OmeMetadata metadata = metadata(IMAGE);
        OmeMetadata again = metadata.withMultiscales(metadata.multiscales())
                .withOmero(metadata.omero().orElseThrow());
        assertEquals(normal(json(IMAGE)), normal(again.attributes()));
        OmeMetadata plate = metadata(PLATE);
        assertEquals(
                normal(json(PLATE)),
                normal(plate.withPlate(plate.plate().orElseThrow()).attributes()));
        String well = "{\"a\":1,\"ome\":{\"version\":\"0.5\",\"well\":{\"images\":[{\"path\":\"0\",\"acquisition\":3,"
                + "\"f\":1}],\"w\":2}}}";
        assertEquals(
                normal(json(well)),
                normal(metadata(well)
                        .withWell(metadata(well).well().orElseThrow())
                        .attributes()));
        String label = "{\"ome\":{\"version\":\"0.5\",\"image-label\":{\"colors\":[{\"label-value\":1,\"rgba\":"
                + "[255,0,0,255],\"c\":1}],\"properties\":[{\"label-value\":1,\"class\":\"a\"}],"
                + "\"source\":{\"image\":\"../..\",\"s\":1},\"l\":1}}}";
        assertEquals(
                normal(json(label)),
                normal(metadata(label)
                        .withImageLabel(metadata(label).imageLabel().orElseThrow())
                        .attributes()));
    }

    /** Version 0.6: coordinate systems instead of axes, and a sequence. */
    @Test
    void version6_isReadAndKept() {
        String text = """
                {"ome": {"version": "0.6rc0", "multiscales": [{"coordinateSystems": [
                 {"name": "other", "axes": [{"name": "a", "type": "space"}]},
                 {"name": "physical", "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}],
                 "datasets": [{"path": "0", "coordinateTransformations": [{"type": "sequence",
                  "input": {"path": "0"}, "output": {"name": "physical"}, "transformations": [
                   {"type": "scale", "scale": [4.0, 2.0]}, {"type": "translation", "translation": [1.0, 0.5]}]}]}],
                 "coordinateTransformations": [{"type": "rotation", "rotation": [[0, 1], [1, 0]],
                  "input": {"name": "physical"}, "output": {"name": "other"}}]}]}}""";
        OmeMetadata metadata = metadata(text);
        Multiscale image = metadata.multiscales().get(0);
        assertEquals(List.of("y", "x"), image.axes().stream().map(Axis::name).toList());
        assertEquals(
                "rotation",
                ((CoordinateTransformation.Other) image.transformations().get(0)).type());
        assertEquals(
                normal(json(text)),
                normal(metadata.withMultiscales(metadata.multiscales()).attributes()));
    }

    /** Version 0.4 states its version in each part, and the parts are attributes themselves. */
    @Test
    void version4_isReadAndWritten() {
        OmeMetadata metadata = metadata("{\"mine\": 1, \"multiscales\": [{\"version\": \"0.4\", \"axes\": [], "
                + "\"datasets\": [{\"path\": \"0\", \"coordinateTransformations\": []}]}]}");
        assertEquals(OmeVersion.V0_4, metadata.version());
        assertEquals(Json.of(1), metadata.attributes().get("mine").orElseThrow());
        OmeMetadata made = OmeMetadata.empty(OmeVersion.V0_4)
                .withMultiscales(List.of(Multiscale.of(List.of(Axis.space("x", "meter")), List.of())));
        assertEquals(
                "{\"multiscales\":[{\"axes\":[{\"name\":\"x\",\"type\":\"space\",\"unit\":\"meter\"}],"
                        + "\"datasets\":[],\"version\":\"0.4\"}]}",
                made.attributes().toString());
    }

    @Test
    void noMetadata_areEmpty() {
        assertTrue(
                OmeMetadata.find(json("{\"labels\": \"none\", \"x\": 1}"), "n").isEmpty());
    }

    @Test
    void unknownVersion_isRefused() {
        UnsupportedException e =
                assertThrows(UnsupportedException.class, () -> metadata("{\"ome\": {\"version\": \"7.5\"}}"));
        assertEquals("OME-Zarr metadata of /data/n: expected version 0.4, 0.5 or 0.6, found \"7.5\"", e.getMessage());
        assertThrows(UnsupportedException.class, () -> metadata("{\"multiscales\": [{\"version\": \"0.1\"}]}"));
        assertThrows(MetadataException.class, () -> metadata("{\"ome\": {\"version\": 5}}"));
        assertThrows(MetadataException.class, () -> metadata("{\"ome\": []}"));
    }

    /** Each error names the node, the member, and what was expected and found. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"name\": \"cells\"| \"name\": 7| multiscales[0].name: expected a string, found 7",
                "\"name\": \"x\", \"type\": \"space\"| \"type\": \"space\"| "
                        + "multiscales[0].axes[2].name: expected a string, found nothing",
                "[1, 0.5, 0.5]| [1, \"NaN\", 0.5]| multiscales[0].datasets[0].coordinateTransformations[0].scale[1]: "
                        + "expected a number, found \"NaN\"",
                "[1, 0.5, 0.5]| [1, 1e999, 0.5]| multiscales[0].datasets[0].coordinateTransformations[0].scale[1]: "
                        + "expected a number in the range of 64-bit floats, found 1e999",
                "\"scale\": [1, 0.5, 0.5]| \"scale\": {}| multiscales[0].datasets[0].coordinateTransformations[0].scale: "
                        + "expected an array of numbers, found object",
                "{\"name\": \"cells\",| [], {\"name\": \"cells\",| multiscales[0]: expected an object, found array",
                "\"path\": \"0\"| \"path\": null| multiscales[0].datasets[0].path: expected a string, found null",
                "\"type\": \"scale\"| \"kind\": \"scale\"| "
                        + "multiscales[0].datasets[0].coordinateTransformations[0].type: expected a string, found nothing",
            })
    void wrongMembers_areNamed(String old, String other, String message) {
        OmeMetadata metadata = metadata(IMAGE.replace(old, other));
        MetadataException e = assertThrows(MetadataException.class, metadata::multiscales);
        assertEquals("OME-Zarr metadata of /data/n: " + message, e.getMessage());
    }

    @Test
    void wrongPlates_areNamed() {
        for (String index : List.of("-1", "2", "9007199254740992", "1.5")) {
            OmeMetadata metadata = metadata(PLATE.replace("\"columnIndex\": 1", "\"columnIndex\": " + index));
            MetadataException e = assertThrows(MetadataException.class, metadata::plate);
            assertTrue(e.getMessage().contains("plate.") && e.getMessage().contains("columnIndex"), e.getMessage());
        }
        OmeMetadata label = metadata("{\"ome\": {\"version\": \"0.5\", \"image-label\": {\"colors\": [{"
                + "\"label-value\": 1, \"rgba\": [1, 2, 3]}]}}}");
        MetadataException e = assertThrows(MetadataException.class, label::imageLabel);
        assertEquals(
                "OME-Zarr metadata of /data/n: image-label.colors[0].rgba: expected four integers from 0 to 255, "
                        + "found 3 numbers",
                e.getMessage());
    }

    /** A mistake in one part does not hide the others. */
    @Test
    void wrongPart_doesNotHideOthers() {
        OmeMetadata metadata = metadata(IMAGE.replace("\"start\": 1, ", ""));
        assertEquals(1, metadata.multiscales().size());
        assertThrows(MetadataException.class, metadata::omero);
    }

    /** Members sorted, numbers as doubles, so that order and the text of numbers do not count. */
    public static Object normal(Json value) {
        if (value instanceof Json.Obj o) {
            java.util.Map<String, Object> sorted = new java.util.TreeMap<>();
            o.members().forEach((k, v) -> sorted.put(k, normal(v)));
            return sorted.toString();
        } else if (value instanceof Json.Arr a) {
            return a.items().stream().map(OmeMetadataTest::normal).toList();
        }
        return value instanceof Json.Num n ? (Object) Double.parseDouble(n.lexeme()) : value;
    }
}
