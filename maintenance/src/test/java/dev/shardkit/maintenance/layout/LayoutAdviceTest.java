package dev.shardkit.maintenance.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.maintenance.layout.LayoutAdvice.Layout;
import dev.shardkit.maintenance.layout.LayoutAdvice.Place;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The reasons of an advice are those of the layout that it recommends. */
class LayoutAdviceTest {
    @Test
    void chunksAsLargeAsShards_getNone_andTheReasonSaysSo() {
        Layout layout = LayoutAdvice.of(new long[] {1000}, 64 << 20)
                .withPlace(Place.REMOTE)
                .layout();
        assertEquals(Optional.empty(), layout.shardShape());
        assertEquals(1000, layout.chunks());
        String reasons = String.join(" ", layout.reasons());
        assertTrue(reasons.contains("No shards: ") && !reasons.contains(" Shards: "), reasons);
    }
}
