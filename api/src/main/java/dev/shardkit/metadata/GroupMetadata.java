package dev.shardkit.metadata;

import dev.shardkit.spi.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The metadata of a group. Immutable and thread-safe.
 *
 * @param attributes the user's attributes
 * @param consolidated the metadata of all nodes below, by path ({@code a/b}), if the document holds it; whoever wrote
 *     it may have forgotten to keep it up to date
 * @param otherMembers unknown members that need not be understood; they are written back
 */
public record GroupMetadata(
        Json.Obj attributes, Optional<Map<String, NodeMetadata>> consolidated, Json.Obj otherMembers)
        implements NodeMetadata {
    /** Takes a copy of {@code consolidated}. */
    public GroupMetadata {
        consolidated = consolidated.map(nodes -> Collections.unmodifiableMap(new LinkedHashMap<>(nodes)));
    }

    /** A group with these attributes and nothing else. */
    public static GroupMetadata of(Json.Obj attributes) {
        return new GroupMetadata(attributes, Optional.empty(), Json.object());
    }

    /** The same with other attributes. */
    public GroupMetadata withAttributes(Json.Obj other) {
        return new GroupMetadata(other, consolidated, otherMembers);
    }

    /** The same with the metadata of the nodes below. */
    public GroupMetadata withConsolidated(Map<String, NodeMetadata> nodes) {
        return new GroupMetadata(attributes, Optional.of(nodes), otherMembers);
    }

    /** The same without the metadata of the nodes below. */
    public GroupMetadata withoutConsolidated() {
        return new GroupMetadata(attributes, Optional.empty(), otherMembers);
    }
}
