package dev.shardkit.serve;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attributes of OME-Zarr images. Version 0.4 belongs to Zarr v2, version 0.5 to Zarr v3. */
final class OmeAttributes {
    private static final String OME = "ome";
    private static final String MULTISCALES = "multiscales";
    private static final String VERSION = "version";
    private static final List<String> MEMBERS =
            List.of(MULTISCALES, "omero", "labels", "image-label", "plate", "well", "bioformats2raw.layout");

    private OmeAttributes() {}

    /**
     * Returns the attributes of a group of Zarr v3. Those of OME-Zarr 0.4 are moved below {@code ome}, as version 0.5
     * has them; all others stay.
     */
    static Json.Obj ofVersion3(Json.Obj attributes) {
        boolean isOld = attributes.get(OME).isEmpty()
                && attributes.get(MULTISCALES).filter(OmeAttributes::isVersion4).isPresent();
        if (!isOld) {
            return attributes;
        }
        Map<String, Json> others = new LinkedHashMap<>(attributes.members());
        Json.Obj ome = Json.object().with(VERSION, Json.of("0.5"));
        for (String name : MEMBERS) {
            Optional<Json> member = Optional.ofNullable(others.remove(name));
            if (member.isPresent()) {
                ome = ome.with(name, withoutVersion(member.get()));
            }
        }
        return new Json.Obj(others).with(OME, ome);
    }

    private static boolean isVersion4(Json multiscales) {
        return multiscales instanceof Json.Arr list
                && !list.items().isEmpty()
                && list.items().get(0) instanceof Json.Obj first
                && first.get(VERSION).equals(Optional.of(Json.of("0.4")));
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
