package dev.shardkit.cli.command.ome;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.maintenance.tree.DimensionNames;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.OmeAttributes;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Upgrades OME-Zarr 0.4 in groups of Zarr v3 to 0.5. Version 0.4 requires Zarr v2, so a copy of such an image in Zarr
 * v3 is not valid in any version. Stateless.
 */
final class OmeUpgrade {
    /** How many levels of groups below the root are searched. */
    private static final int MAX_DEPTH = 8;

    private OmeUpgrade() {}

    /** Returns the path of the first group of Zarr v3 with metadata of 0.4, relative to {@code root}. */
    static Optional<String> findOutdated(ZarrGroup root) {
        return findOutdated(root, "", 0);
    }

    private static Optional<String> findOutdated(ZarrGroup group, String path, int depth) {
        boolean isVersion3 = group.nodeFormat().isEmpty(); // only other formats have a name
        if (isVersion3 && isOutdated(group)) {
            return Optional.of(path);
        }
        for (Map.Entry<String, ZarrNode> child : children(group, depth).entrySet()) {
            if (child.getValue() instanceof ZarrGroup childGroup) {
                Optional<String> found = findOutdated(childGroup, StoreKeys.join(path, child.getKey()), depth + 1);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the group has metadata of OME-Zarr 0.4, which an upgrade changes. */
    private static boolean isOutdated(ZarrGroup group) {
        return !OmeAttributes.upgrade(group.attributes(), groupName(group)).equals(group.attributes());
    }

    private static String groupName(ZarrGroup group) {
        String path = group.path().isEmpty() ? group.location().replaceAll("/+$", "") : group.path();
        return LocalFolders.of(path)
                .map(folder -> String.valueOf(folder.getFileName()))
                .orElseGet(() -> path.substring(path.lastIndexOf('/') + 1));
    }

    /**
     * Upgrades the attributes of a group and of all groups below it. Names the dimensions of the arrays by the axes of
     * their image, as 0.5 requires. Idempotent.
     *
     * @return the number of changed groups
     */
    static int upgrade(ZarrGroup root) {
        return upgrade(root, 0);
    }

    /** Upgrades the groups below a group first: if the upgrade of one fails, those above are unchanged. */
    private static int upgrade(ZarrGroup group, int depth) {
        int changed = 0;
        for (ZarrNode child : children(group, depth).values()) {
            changed += child instanceof ZarrGroup childGroup ? upgrade(childGroup, depth + 1) : 0;
        }
        if (!isOutdated(group)) {
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
        group.changeAttributes(attributes -> OmeAttributes.upgrade(attributes, groupName(group)));
        return changed + 1;
    }

    /** Returns the children of a group, or none at the maximum depth. */
    private static Map<String, ZarrNode> children(ZarrGroup group, int depth) {
        return depth >= MAX_DEPTH ? Map.of() : group.children();
    }
}
