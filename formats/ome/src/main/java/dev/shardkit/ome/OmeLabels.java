package dev.shardkit.ome;

import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The group {@code labels} of an image, which lists its label images (section "labels"). Stateless. */
public final class OmeLabels {
    private static final String OME = "ome";
    private static final String LABELS = "labels";

    private OmeLabels() {}

    /**
     * Adds a label image to the list at the root of a store, and makes the group there if it does not exist. All other
     * attributes stay. A name that is listed already is not added again. In version 0.5, several processes may add
     * names at once.
     *
     * @param labels the group {@code labels} of an image, as a store
     * @param name the path of the label image below that group, such as {@code cells}
     * @param version the version of the image: 0.4 or 0.5
     * @param options the options for writing
     * @throws StoreException if there is a node of another kind or format
     */
    public static void add(Store labels, String name, OmeVersion version, ZarrOptions options) {
        Optional<ZarrNode> found = Zarr.find(labels, "", options);
        if (found.isPresent()
                && !(found.get() instanceof ZarrGroup group
                        && group.nodeFormat().isPresent() == (version == OmeVersion.V0_4))) {
            throw new StoreException("cannot list the label image \"" + name + "\" in " + labels.describe()
                    + ": expected a group of OME-Zarr " + version.text() + ", found another node");
        } else if (version == OmeVersion.V0_4) {
            Json.Obj before = found.map(ZarrNode::attributes).orElseGet(Json::object);
            Destination place = Destination.of(labels);
            place.put(V2Documents.ATTRIBUTES, added(before, name, version), options.durability());
            place.put(V2Documents.GROUP, V2Documents.group(), options.durability());
        } else if (found.isEmpty()) {
            Zarr.createGroup(labels, "", added(Json.object(), name, version), Existing.REFUSE, options);
        } else {
            ((ZarrGroup) found.get()).changeAttributes(now -> added(now, name, version));
        }
    }

    private static Json.Obj added(Json.Obj attributes, String name, OmeVersion version) {
        boolean isOld = version == OmeVersion.V0_4;
        Json.Obj holder = isOld
                ? attributes
                : attributes.get(OME).orElse(null) instanceof Json.Obj ome
                        ? ome
                        : Json.object().with("version", Json.of(version.text()));
        List<Json> names = new ArrayList<>(
                holder.get(LABELS).orElse(null) instanceof Json.Arr listed ? listed.items() : List.of());
        if (names.contains(Json.of(name))) {
            return attributes;
        }
        names.add(Json.of(name));
        Json.Obj changed = holder.with(LABELS, new Json.Arr(names));
        return isOld ? changed : attributes.with(OME, changed);
    }
}
