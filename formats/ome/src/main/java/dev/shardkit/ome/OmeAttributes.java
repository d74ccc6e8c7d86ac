package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attributes of OME-Zarr images. Version 0.4 belongs to Zarr v2, version 0.5 to Zarr v3. Stateless. */
public final class OmeAttributes {
    private static final String OME = "ome";
    private static final String MULTISCALES = "multiscales";
    private static final String VERSION = "version";
    private static final String LABELS = "labels";
    private static final String LAYOUT = "bioformats2raw.layout";
    private static final List<String> PARTS = List.of(MULTISCALES, "plate", "well", "image-label");
    private static final List<String> MEMBERS =
            List.of(MULTISCALES, "omero", LABELS, "image-label", "plate", "well", LAYOUT);

    private OmeAttributes() {}

    /**
     * Returns the attributes of a group of Zarr v3. Those of OME-Zarr 0.4 are moved below {@code ome}, as version 0.5
     * has them; all others stay.
     *
     * @param name the name of the group: a list {@code labels} is of OME-Zarr only in a group of that name
     */
    public static Json.Obj ofVersion3(Json.Obj attributes, String name) {
        boolean isOld = attributes.get(OME).isEmpty()
                && (PARTS.stream()
                                .anyMatch(part -> attributes.get(part).stream().anyMatch(OmeAttributes::isVersion4))
                        || attributes.get(LAYOUT).isPresent()
                        || name.equals(LABELS) && attributes.get(LABELS).orElse(null) instanceof Json.Arr);
        if (!isOld) {
            return attributes;
        }
        Map<String, Json> others = new LinkedHashMap<>(attributes.members());
        Json.Obj ome = Json.object().with(VERSION, Json.of("0.5"));
        for (String part : MEMBERS) {
            Optional<Json> member = Optional.ofNullable(others.remove(part));
            if (member.isPresent()) {
                ome = ome.with(part, withoutVersion(member.get()));
            }
        }
        return new Json.Obj(others).with(OME, ome);
    }

    /** Whether a part, or its first item, states version 0.4. */
    private static boolean isVersion4(Json part) {
        Json stated = part instanceof Json.Arr list && !list.items().isEmpty()
                ? list.items().get(0)
                : part;
        return stated instanceof Json.Obj object && object.get(VERSION).equals(Optional.of(Json.of("0.4")));
    }

    private static Json withoutVersion(Json member) {
        if (member instanceof Json.Obj object) {
            Map<String, Json> members = new LinkedHashMap<>(object.members());
            members.remove(VERSION);
            return new Json.Obj(members);
        } else if (member instanceof Json.Arr list) {
            List<Json> items = new ArrayList<>();
            list.items().forEach(item -> items.add(withoutVersion(item)));
            return new Json.Arr(items);
        }
        return member;
    }
}
