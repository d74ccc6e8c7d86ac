package dev.shardkit.ome;

import dev.shardkit.ZarrGroup;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.metadata.Well;

/**
 * A well of an {@link OmePlate}, with an image for each field of view. Thread-safe. It becomes invalid when its plate
 * is closed.
 */
public final class OmeWell {
    private final ZarrGroup group;
    private final Well well;

    OmeWell(ZarrGroup group, Well well) {
        this.group = group;
        this.well = well;
    }

    /** Returns the group. */
    public ZarrGroup group() {
        return group;
    }

    /** Returns the description of the well. */
    public Well well() {
        return well;
    }

    /**
     * Opens a field of view, by its position in {@link Well#images}.
     *
     * @throws IndexOutOfBoundsException if the well has no such field
     */
    public OmeImage field(int index) {
        return OmeImage.openOrClose(group.group(Members.requireBelow(
                group.location(),
                "well.images[" + index + "].path",
                well.images().get(index).path())));
    }

    @Override
    public String toString() {
        return "OME-Zarr well " + group.location() + ", " + well.images().size() + " fields";
    }
}
