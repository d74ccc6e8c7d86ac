package dev.shardkit.ome.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class OmeAttributesTest {
    private static final Json.Arr NAMES = new Json.Arr(List.of(Json.of("cells")));

    private static Json.Obj ome(String part, Json value) {
        return Json.object()
                .with("ome", Json.object().with("version", Json.of("0.5")).with(part, value));
    }

    @Test
    void labels_areThoseOfAGroupOfThatName() {
        Json.Obj attributes = Json.object().with("labels", NAMES);
        assertEquals(ome("labels", NAMES), OmeAttributes.upgrade(attributes, "labels"));
        assertEquals(attributes, OmeAttributes.upgrade(attributes, "table"));
    }

    @Test
    void plates_andLayouts_areMoved() {
        Json.Obj plate = Json.object().with("rows", Json.of(1));
        assertEquals(
                ome("plate", plate),
                OmeAttributes.upgrade(Json.object().with("plate", plate.with("version", Json.of("0.4"))), "a"));
        assertEquals(
                ome("bioformats2raw.layout", Json.of(3)),
                OmeAttributes.upgrade(Json.object().with("bioformats2raw.layout", Json.of(3)), "a"));
        Json.Obj other = Json.object().with("plate", plate.with("version", Json.of("0.3")));
        assertEquals(other, OmeAttributes.upgrade(other, "a"));
    }
}
