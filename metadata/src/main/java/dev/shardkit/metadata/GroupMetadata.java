package dev.shardkit.metadata;

import dev.shardkit.spi.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The metadata of a group. Immutable and thread-safe.
 *
 * @param attributes the user's attributes
 * @param consolidated the metadata of all descendants by path ({@code a/b}), if the document contains them; they may be
 *     stale
 * @param otherMembers unknown members that may be ignored; they are written back
 * @param remarks see {@link NodeMetadata#remarks}
 */
public record GroupMetadata(
        Json.Obj attributes,
        Optional<Map<String, NodeMetadata>> consolidated,
        Json.Obj otherMembers,
        List<String> remarks)
        implements NodeMetadata {
    /** Copies {@code consolidated} and {@code remarks}. */
    public GroupMetadata {
        consolidated = consolidated.map(nodes -> Collections.unmodifiableMap(new LinkedHashMap<>(nodes)));
        remarks = List.copyOf(remarks);
    }

    /** Returns the metadata of a group with these attributes only. */
    public static GroupMetadata of(Json.Obj attributes) {
        return new GroupMetadata(attributes, Optional.empty(), Json.object(), List.of());
    }

    /** Returns these metadata with other attributes. */
    public GroupMetadata withAttributes(Json.Obj other) {
        return new GroupMetadata(other, consolidated, otherMembers, remarks);
    }

    /** Returns these metadata with consolidated metadata. */
    public GroupMetadata withConsolidated(Map<String, NodeMetadata> nodes) {
        return new GroupMetadata(attributes, Optional.of(nodes), otherMembers, remarks);
    }

    /** Returns these metadata without consolidated metadata. */
    public GroupMetadata withoutConsolidated() {
        return new GroupMetadata(attributes, Optional.empty(), otherMembers, remarks);
    }

    /** Compares the documents that would be written, as {@link ArrayMetadata} does: not the remarks. */
    @Override
    public boolean equals(Object other) {
        return other instanceof GroupMetadata g
                && attributes.equals(g.attributes)
                && consolidated.equals(g.consolidated)
                && otherMembers.equals(g.otherMembers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(attributes, consolidated, otherMembers);
    }
}
