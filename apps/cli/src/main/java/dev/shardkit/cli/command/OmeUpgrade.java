package dev.shardkit.cli.command;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.copy.DimensionNames;
import dev.shardkit.ome.Axis;
import dev.shardkit.ome.OmeAttributes;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns OME-Zarr 0.4 in groups of Zarr v3 into 0.5. Version 0.4 belongs to Zarr v2, so a copy of such an image in Zarr
 * v3 is valid in no version. Stateless.
 */
final class OmeUpgrade {
    private static final int MAX_DEPTH = 8;

    private OmeUpgrade() {}

    /** Returns the path of the first group of Zarr v3 with metadata of 0.4, relative to {@code root}. */
    static Optional<String> first(ZarrGroup root) {
        return first(root, "", 0);
    }

    private static Optional<String> first(ZarrGroup group, String path, int depth) {
        if (group.nodeFormat().isEmpty() && isOld(group)) {
            return Optional.of(path);
        }
        for (Map.Entry<String, ZarrNode> child : children(group, depth).entrySet()) {
            if (child.getValue() instanceof ZarrGroup below) {
                Optional<String> found = first(below, StoreKeys.join(path, child.getKey()), depth + 1);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isOld(ZarrGroup group) {
        return !OmeAttributes.ofVersion3(group.attributes(), name(group)).equals(group.attributes());
    }

    private static String name(ZarrGroup group) {
        String path = group.path().isEmpty() ? group.location().replaceAll("/+$", "") : group.path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Rewrites the attributes of a group and of all groups below it that have metadata of 0.4, and names the dimensions
     * of the arrays of images by their axes, as 0.5 demands. May be repeated.
     *
     * @return how many groups were changed
     */
    static int run(ZarrGroup root) {
        return run(root, 0);
    }

    private static int run(ZarrGroup group, int depth) {
        int changed = 0;
        for (ZarrNode child : children(group, depth).values()) {
            changed += child instanceof ZarrGroup below ? run(below, depth + 1) : 0;
        }
        if (!isOld(group)) {
            return changed;
        } else if (group.nodeFormat().isPresent()) {
            throw new UnsupportedException("the group " + group.location() + " is stored in Zarr v2, to which OME-Zarr "
                    + "0.4 belongs; make a copy in Zarr v3 first: shardkit convert SRC DST");
        }
        boolean isImage = OmeMetadata.find(group.attributes(), group.location())
                .filter(metadata -> !metadata.multiscales().isEmpty())
                .isPresent();
        if (isImage) {
            OmeImage image = OmeImage.open(group);
            List<String> names = image.axes().stream().map(Axis::name).toList();
            for (OmeLevel level : image.levels()) {
                DimensionNames.add(level.array(), names);
            }
        }
        group.changeAttributes(now -> OmeAttributes.ofVersion3(now, name(group)));
        return changed + 1;
    }

    private static Map<String, ZarrNode> children(ZarrGroup group, int depth) {
        return depth >= MAX_DEPTH ? Map.of() : group.children();
    }
}
