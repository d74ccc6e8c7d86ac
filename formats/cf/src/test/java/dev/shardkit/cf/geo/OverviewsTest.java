package dev.shardkit.cf.geo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pyramids of the convention multiscales. */
class OverviewsTest {
    private static ZarrGroup group(String attributes) {
        return Zarr.createGroup(
                MemoryStore.create(),
                "",
                (Json.Obj) JsonDocuments.read(attributes, Limits.defaults()),
                IfExists.REFUSE,
                ZarrOptions.defaults());
    }

    /** The example of the convention proj, with two levels. */
    @Test
    void levels_haveTheirGeoreference() {
        ZarrGroup group = group("{\"zarr_conventions\":[{\"uuid\":\"d35379db-88df-4056-af3a-620245f8e347\"},"
                + "{\"name\":\"proj\"},{\"name\":\"spatial\"}],"
                + "\"multiscales\":{\"resampling_method\":\"average\",\"layout\":["
                + "{\"asset\":\"r10m\",\"transform\":{\"scale\":[1.0,1.0],\"translation\":[0.0,0.0]},"
                + "\"spatial:shape\":[1200,1200],\"spatial:transform\":[10.0,0.0,500000.0,0.0,-10.0,5000000.0]},"
                + "{\"asset\":\"r20m\",\"derived_from\":\"r10m\",\"transform\":{\"scale\":[2.0,2.0]},"
                + "\"spatial:shape\":[600,600],\"spatial:transform\":[20.0,0.0,500000.0,0.0,-20.0,5000000.0]}]},"
                + "\"proj:code\":\"EPSG:32633\",\"spatial:dimensions\":[\"Y\",\"X\"]}");
        Overviews found = Overviews.of(group).orElseThrow();
        assertEquals(List.of(), found.notes());
        assertEquals(Optional.of("average"), found.resampling());
        Overviews.Level second = found.levels().get(1);
        assertEquals(Optional.of("r10m"), second.source());
        assertEquals(List.of(2.0, 2.0), second.scale());
        assertEquals("EPSG:32633", second.georeference().crs().orElseThrow().toString());
        assertEquals(
                Optional.of(new BoundingBox(500_000, 4_988_000, 512_000, 5_000_000)),
                second.georeference().boundingBox());
        assertEquals(group.attributes(), found.writeTo(group.attributes()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"..\"", "\"/0\"", "\"a//b\"", "\"\"", "7", "\"0/../../x\""})
    void levelOutsideOfTheGroup_isIgnoredWithANote(String path) {
        Overviews found = Overviews.of(
                        group("{\"multiscales\":{\"layout\":[{\"asset\":" + path + "},{\"asset\":\"1\"}]}}"))
                .orElseThrow();
        assertEquals(
                List.of("1"), found.levels().stream().map(Overviews.Level::path).toList());
        assertTrue(found.notes().stream().anyMatch(note -> note.startsWith("a level is ignored")), found.toString());
    }

    @Test
    void levelWithoutATransform_isReadWithANote_andNotWritten() {
        Overviews found = Overviews.of(group(
                        "{\"multiscales\":{\"layout\":[{\"asset\":\"0\"},{\"asset\":\"1\",\"derived_from\":\"0\"}]}}"))
                .orElseThrow();
        assertEquals(2, found.levels().size());
        assertTrue(found.notes().toString().contains("level 1: expected a transform from 0"), found.toString());
        assertThrows(IllegalStateException.class, () -> found.writeTo(Json.object()));
    }

    /** OME-Zarr 0.4 has a list in the attribute of the same name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"multiscales\":[{\"version\":\"0.4\"}]}",
                "{\"multiscales\":{\"layout\":[]}}",
                "{}",
                "{\"multiscales\":7}"
            })
    void otherAttributes_areNoOverviews(String attributes) {
        assertEquals(Optional.empty(), Overviews.of(group(attributes)));
    }

    @Test
    void thousandsOfLevels_doNotFillTheMemory() {
        String levels = "{\"asset\":\"1\"},".repeat(5000) + "{\"asset\":\"..\"},".repeat(5000) + "{\"asset\":\"1\"}";
        Overviews found = Overviews.of(group("{\"multiscales\":{\"layout\":[" + levels + "]}}"))
                .orElseThrow();
        assertEquals(1000, found.levels().size());
        assertTrue(found.notes().size() <= 1001, () -> found.notes().size() + " notes");
    }
}
