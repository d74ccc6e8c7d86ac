package dev.shardkit.ome.metadata;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the attributes of OME-Zarr groups from version 0.4, which belongs to Zarr v2, to version 0.5, which belongs
 * to Zarr v3. Works on JSON; {@link OmeMetadata} parses metadata. Stateless.
 */
public final class OmeAttributes {
    private static final String OME = "ome";
    private static final String MULTISCALES = "multiscales";
    private static final String VERSION = "version";
    private static final String LABELS = "labels";
    private static final String LAYOUT = "bioformats2raw.layout";
    /** The members that have a version of their own in 0.4. */
    private static final List<String> VERSIONED_MEMBERS = List.of(MULTISCALES, "plate", "well", "image-label");
    /** The members that 0.5 has below {@code ome}. */
    private static final List<String> MEMBERS =
            List.of(MULTISCALES, "omero", LABELS, "image-label", "plate", "well", LAYOUT);

    private OmeAttributes() {}

    /**
     * Converts attributes of OME-Zarr 0.4 to version 0.5: moves them below {@code ome}. Other attributes are kept.
     *
     * @param name the name of the group; a list {@code labels} belongs to OME-Zarr only in a group of that name
     */
    public static Json.Obj upgrade(Json.Obj attributes, String name) {
        boolean hasVersion4 = VERSIONED_MEMBERS.stream()
                .anyMatch(member -> attributes.get(member).stream().anyMatch(OmeAttributes::hasVersion4));
        boolean isListOfLabels = name.equals(LABELS) && attributes.get(LABELS).orElse(null) instanceof Json.Arr;
        boolean isVersion4 = attributes.get(OME).isEmpty()
                && (hasVersion4 || attributes.get(LAYOUT).isPresent() || isListOfLabels);
        if (!isVersion4) {
            return attributes;
        }
        Map<String, Json> otherAttributes = new LinkedHashMap<>(attributes.members());
        Json.Obj ome = Json.object().with(VERSION, Json.of("0.5"));
        for (String memberName : MEMBERS) {
            Optional<Json> member = Optional.ofNullable(otherAttributes.remove(memberName));
            if (member.isPresent()) {
                ome = ome.with(memberName, withoutVersion(member.get()));
            }
        }
        return new Json.Obj(otherAttributes).with(OME, ome);
    }

    /** Whether a member, or its first item, has version 0.4. */
    private static boolean hasVersion4(Json member) {
        Json versioned = member instanceof Json.Arr list && !list.items().isEmpty()
                ? list.items().get(0)
                : member;
        return versioned instanceof Json.Obj object && object.get(VERSION).equals(Optional.of(Json.of("0.4")));
    }

    /** Removes the version of a member and of its items; 0.5 has one version for all. */
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
