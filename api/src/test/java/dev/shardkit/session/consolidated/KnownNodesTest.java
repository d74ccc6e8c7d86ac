package dev.shardkit.session.consolidated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.session.consolidated.KnownChildren.KnownNodes;
import dev.shardkit.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownNodesTest {
    @Test
    void names_areThoseOfDirectChildren() {
        Map<String, NodeMetadata> nodes = new HashMap<>();
        GroupMetadata group = GroupMetadata.of(Json.object());
        for (String path : List.of("a", "a-b", "a/x", "a/x/y", "a0", "b/c/d", "b", "b/c", "\uffff", "z/only/deep")) {
            nodes.put(path, group);
        }
        KnownNodes all = KnownNodes.of(nodes);
        assertEquals(List.of("a", "a-b", "a0", "b", "\uffff"), List.copyOf(all.names()));
        assertEquals(List.of("x"), List.copyOf(all.below("a").names()));
        assertEquals(List.of("y"), List.copyOf(all.below("a/x").names()));
        assertEquals(List.of("d"), List.copyOf(all.below("b").below("c").names()));
        assertEquals(List.of(), List.copyOf(all.below("none").names()));
        assertTrue(
                all.below("b").get("c/d").isPresent() && all.below("b").get("d").isEmpty());
    }
}
