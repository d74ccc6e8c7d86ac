package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The document {@code info} of a neuroglancer volume (volume.md, "info JSON file specification"), translated to
 * equivalent {@code zarr.json} documents. Immutable.
 *
 * @param attributes the members that do not describe arrays
 * @param nodes the documents of scales, and of groups above them, by path below the volume
 */
record VolumeInfo(Json.Obj attributes, Map<String, Json.Obj> nodes) {
    static final String DOCUMENT = "info";

    private static final String TYPE = "@type";
    private static final String VOLUME = "neuroglancer_multiscale_volume";
    private static final String TYPE_PREFIX = "neuroglancer_";
    private static final String SCALES = "scales";
    private static final String DATA_TYPE = "data_type";
    private static final String CHANNELS = "num_channels";
    private static final long MAX_CHANNELS = 1 << 20;

    /** Returns whether {@code info} describes an addition to a volume, such as meshes or skeletons. */
    static boolean isPartOfVolume(Json.Obj info) {
        return info.get(TYPE)
                .filter(type -> type instanceof Json.Str s
                        && s.value().startsWith(TYPE_PREFIX)
                        && !s.value().equals(VOLUME))
                .isPresent();
    }

    /**
     * Parses a document; empty if it is not a document of neuroglancer.
     *
     * @throws UnsupportedException if the document describes meshes, skeletons or the like
     * @throws MetadataException if a member is invalid
     */
    static Optional<VolumeInfo> parse(Json json) {
        if (!(json instanceof Json.Obj info)) {
            return Optional.empty();
        }
        Optional<Json> type = info.get(TYPE);
        if (isPartOfVolume(info)) {
            throw new UnsupportedException(DOCUMENT + ": /@type: expected \"" + VOLUME + "\", found " + type.get()
                    + ", which is not an array");
        }
        boolean isVolume = type.equals(Optional.of(Json.of(VOLUME)))
                || type.isEmpty()
                        && info.get(SCALES).isPresent()
                        && info.get(DATA_TYPE).isPresent();
        return isVolume ? Optional.of(parseVolume(info)) : Optional.empty();
    }

    private static VolumeInfo parseVolume(Json.Obj info) {
        Config config = new Config(info, DOCUMENT + ": ", Extensions.none());
        Scale.Elements elements =
                new Scale.Elements(readDataType(config), config.requiredInteger(CHANNELS, 1, MAX_CHANNELS));
        Json scales = config.json(SCALES)
                .orElseThrow(() -> new MetadataException(config.at(SCALES) + ": is required, but missing"));
        if (!(scales instanceof Json.Arr list)) {
            throw Config.expected(config.at(SCALES), "a list of scales", scales);
        }
        Map<String, Json.Obj> nodes = new LinkedHashMap<>();
        for (int i = 0; i < list.items().size(); i++) {
            String pointer = config.at(SCALES) + "/" + i;
            if (!(list.items().get(i) instanceof Json.Obj members)) {
                throw Config.expected(pointer, "an object", list.items().get(i));
            }
            Scale scale = Scale.parse(new Config(members, pointer, Extensions.none()), members, elements);
            if (nodes.put(scale.key(), scale.document()) != null) {
                throw new MetadataException(
                        pointer + "/key: expected a key that no other scale has, found \"" + scale.key() + "\" again");
            }
        }
        addGroups(nodes);
        Map<String, Json> attributes = new LinkedHashMap<>(info.members());
        attributes.keySet().removeAll(java.util.Set.of(TYPE, SCALES, DATA_TYPE, CHANNELS));
        return new VolumeInfo(new Json.Obj(attributes), nodes);
    }

    private static String readDataType(Config config) {
        Json type = config.json(DATA_TYPE)
                .orElseThrow(() -> new MetadataException(config.at(DATA_TYPE) + ": is required, but missing"));
        return Scale.Elements.parseType(type)
                .orElseThrow(
                        () -> Config.expected(config.at(DATA_TYPE), "one of " + Scale.Elements.SIZES.keySet(), type));
    }

    /** Adds groups for the folders between the volume and its scales. */
    private static void addGroups(Map<String, Json.Obj> nodes) {
        for (String key : java.util.List.copyOf(nodes.keySet())) {
            for (String groupPath = StoreKeys.parent(key);
                    !groupPath.isEmpty();
                    groupPath = StoreKeys.parent(groupPath)) {
                if (nodes.containsKey(groupPath)
                        && nodes.get(groupPath).get("shape").isPresent()) {
                    throw new MetadataException(DOCUMENT + ": /scales: expected no scale below another, found \"" + key
                            + "\" below \"" + groupPath + "\"");
                }
                nodes.put(groupPath, emptyGroup(Json.object()));
            }
        }
    }

    /** Returns the document of a group. */
    private static Json.Obj emptyGroup(Json.Obj attributes) {
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("group"))
                .with("attributes", attributes);
    }

    /** Returns the document of the scale or group at {@code path} below the volume; empty if there is none. */
    Optional<Json.Obj> documentOf(String path) {
        return Optional.ofNullable(nodes.get(path));
    }

    /** Returns the document of the volume, including the documents of its scales. */
    Json.Obj toGroupDocument() {
        Json.Obj consolidated = Json.object()
                .with("kind", Json.of("inline"))
                .with("must_understand", Json.of(false))
                .with("metadata", new Json.Obj(new LinkedHashMap<>(nodes)));
        return emptyGroup(attributes).with("consolidated_metadata", consolidated);
    }
}
