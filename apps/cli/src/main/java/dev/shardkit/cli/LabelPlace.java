package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmeLabels;
import dev.shardkit.ome.OmeMetadata;
import dev.shardkit.ome.OmeVersion;
import dev.shardkit.store.Store;
import java.util.Optional;

/**
 * The place of a label image, {@code IMAGE/labels/NAME}, whose image exists. Immutable.
 *
 * @param labels the location of the group of labels
 * @param name the name of the label image
 * @param levels the number of levels of the image, and thus of its labels
 * @param version the version of the image
 */
record LabelPlace(String labels, String name, int levels, OmeVersion version) {
    private static final String LABELS = "labels";

    /** Returns the place that a location names; empty if it is not below the labels of an image. */
    static Optional<LabelPlace> of(String location, ZarrOptions options) {
        ChildNode label;
        ChildNode group;
        try {
            label = ChildNode.of(location);
            group = ChildNode.of(label.parent());
        } catch (WrongUse e) {
            return Optional.empty(); // the root of a store
        }
        if (!group.name().equals(LABELS)) {
            return Optional.empty();
        }
        try (Store store = Zarr.openStore(group.parent(), options)) {
            Optional<ZarrNode> image = Zarr.find(store, "", options);
            if (image.orElse(null) instanceof ZarrGroup found) {
                return OmeMetadata.find(found.attributes(), found.location())
                        .filter(metadata -> !metadata.multiscales().isEmpty())
                        .map(metadata -> new LabelPlace(
                                label.parent(),
                                label.name(),
                                metadata.multiscales().get(0).datasets().size(),
                                metadata.version()));
            }
            return Optional.empty();
        }
    }

    /** Adds the name to the list of labels, and makes the group of labels if it does not exist. */
    void list(OmeVersion written, ZarrOptions options) {
        try (Store store = Zarr.openStore(labels, options)) {
            OmeLabels.add(store, name, written, options);
        }
    }
}
