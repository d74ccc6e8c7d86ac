package dev.shardkit;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.UnsupportedNode;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Collects the metadata of all descendants of a group. Used once, by one thread. */
final class Descendants {
    private final Map<String, NodeMetadata> all = new LinkedHashMap<>();

    /** Returns the metadata by path below {@code group}. A node that needs a missing plug-in keeps its document. */
    static Map<String, NodeMetadata> of(ZarrGroup group) {
        Descendants descendants = new Descendants();
        descendants.collect(group, "");
        return descendants.all;
    }

    private void collect(ZarrGroup group, String prefix) {
        for (String name : group.childNames()) {
            Optional<ZarrNode> child;
            try {
                child = group.find(name);
            } catch (UnsupportedException e) {
                unsupported(group.descendant(name), prefix + name, e);
                continue;
            }
            if (child.isPresent() && child.get() instanceof ZarrArray a) {
                all.put(prefix + name, a.metadata());
            } else if (child.isPresent() && child.get() instanceof ZarrGroup g) {
                all.put(prefix + name, g.metadata().withoutConsolidated());
                collect(g, StoreKeys.prefix(prefix + name));
            }
        }
    }

    private void unsupported(StoredNode node, String path, UnsupportedException reason) {
        Json.Obj document = node.call(node::document)
                .filter(json -> json.get("zarr_format").equals(Optional.of(Json.of(3))))
                .orElseThrow(() -> reason);
        Map<String, Json> members = new LinkedHashMap<>(document.members());
        members.remove("consolidated_metadata");
        UnsupportedNode kept = new UnsupportedNode(new Json.Obj(members), reason);
        all.put(path, kept);
        if (document.get("node_type").equals(Optional.of(Json.of("group")))) {
            collect(new ZarrGroup(node, GroupMetadata.of(kept.attributes())), StoreKeys.prefix(path));
        }
    }
}
