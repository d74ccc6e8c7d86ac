package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attributes as Java records. */
class AttributeRecordsTest {
    record Scan(String operator, int slices, List<Double> scale) {}

    @Test
    void records_areWrittenAndRead() {
        try (ZarrGroup group = Zarr.createGroup(
                MemoryStore.create(), "g", Json.object(), Zarr.Existing.REFUSE, ZarrOptions.defaults())) {
            Scan scan = new Scan("Ada", 12, List.of(0.5, 1.0));
            ZarrGroup changed = group.withAttributes(scan);
            assertEquals(scan, changed.attributes(Scan.class));

            ZarrGroup more = changed.withAttributes(changed.attributes().with("other", Json.of(1)));
            assertEquals(scan, more.attributes(Scan.class), "unknown members are ignored");
            ZarrGroup less = more.withAttributes(Map.of("operator", "Ada"));
            assertThrows(MetadataException.class, () -> less.attributes(Scan.class), "slices is missing");
        }
    }
}
