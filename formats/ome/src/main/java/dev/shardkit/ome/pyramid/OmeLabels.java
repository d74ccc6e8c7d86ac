package dev.shardkit.ome.pyramid;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Updates the group {@code labels} of an image, whose attributes list its label images (OME-Zarr specification, section
 * "labels"). Stateless.
 */
public final class OmeLabels {
    private static final String OME = "ome";
    private static final String LABELS = "labels";

    private OmeLabels() {}

    /**
     * Adds a label image to the list at the root of a store. Creates the group if it does not exist. Keeps all other
     * attributes. No-op if the list contains the name. In version 0.5, several processes may add names at the same
     * time.
     *
     * @param labels the group {@code labels} of an image, as a store
     * @param name the path of the label image below that group, such as {@code cells}
     * @param version the version of the image: 0.4 or 0.5
     * @param options the options for writing
     * @throws StoreException if there is a node of another kind or format
     */
    public static void add(Store labels, String name, OmeVersion version, ZarrOptions options) {
        Optional<ZarrNode> existing = Zarr.find(labels, "", options);
        if (existing.isPresent()
                && !(existing.get() instanceof ZarrGroup group
                        && group.nodeFormat().isPresent() == (version == OmeVersion.V0_4))) {
            throw new StoreException("cannot list the label image \"" + name + "\" in " + labels.describe()
                    + ": expected a group of OME-Zarr " + version.text() + ", found another node");
        } else if (version == OmeVersion.V0_4) {
            Json.Obj attributes = existing.map(ZarrNode::attributes).orElseGet(Json::object);
            Destination destination = Destination.of(labels);
            destination.put(V2Documents.ATTRIBUTES, withName(attributes, name, version), options.durability());
            destination.put(V2Documents.GROUP, V2Documents.groupDocument(), options.durability());
        } else if (existing.isEmpty()) {
            Zarr.createGroup(labels, "", withName(Json.object(), name, version), IfExists.REFUSE, options);
        } else {
            ((ZarrGroup) existing.get()).changeAttributes(attributes -> withName(attributes, name, version));
        }
    }

    /** Adds a name to the list. In version 0.4 the list is an attribute, in later ones a member of attribute "ome". */
    private static Json.Obj withName(Json.Obj attributes, String name, OmeVersion version) {
        boolean isVersion4 = version == OmeVersion.V0_4;
        Json.Obj listOwner = isVersion4 ? attributes : omeMember(attributes, version);
        List<Json> names =
                new ArrayList<>(listOwner.get(LABELS).orElse(null) instanceof Json.Arr list ? list.items() : List.of());
        if (names.contains(Json.of(name))) {
            return attributes;
        }
        names.add(Json.of(name));
        Json.Obj updated = listOwner.with(LABELS, new Json.Arr(names));
        return isVersion4 ? updated : attributes.with(OME, updated);
    }

    private static Json.Obj omeMember(Json.Obj attributes, OmeVersion version) {
        return attributes.get(OME).orElse(null) instanceof Json.Obj ome
                ? ome
                : Json.object().with("version", Json.of(version.text()));
    }
}
