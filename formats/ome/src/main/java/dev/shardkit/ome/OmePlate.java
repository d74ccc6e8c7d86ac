package dev.shardkit.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.Plate;
import dev.shardkit.ome.metadata.Well;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;

/**
 * A plate of a high-content screen in OME-Zarr, with wells that hold images (section "plate" of the specification).
 * Thread-safe. Closing a plate closes its group, and with it its wells and their images.
 */
public final class OmePlate implements AutoCloseable {
    private final ZarrGroup group;
    private final Plate plate;

    private OmePlate(ZarrGroup group, Plate plate) {
        this.group = group;
        this.plate = plate;
    }

    /** Opens the plate at a location, with default options. */
    public static OmePlate open(String location) {
        return open(location, ZarrOptions.defaults());
    }

    /** Opens the plate at a location. */
    public static OmePlate open(String location, ZarrOptions options) {
        ZarrGroup group = Zarr.openGroup(location, options);
        try {
            return open(group);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /**
     * Opens the plate of a group.
     *
     * @throws MetadataException if the group is not a plate, or its metadata is wrong
     */
    public static OmePlate open(ZarrGroup group) {
        Plate plate = OmeMetadata.of(group)
                .plate()
                .orElseThrow(() -> Members.error(group.location(), "plate", "an object", "nothing"));
        return new OmePlate(group, plate);
    }

    /** Returns the group. */
    public ZarrGroup group() {
        return group;
    }

    /** Returns the description of the plate. */
    public Plate plate() {
        return plate;
    }

    /** Returns the paths of the wells, such as {@code A/1}. */
    public List<String> wellPaths() {
        return plate.wells().stream().map(Plate.WellPosition::path).toList();
    }

    /**
     * Opens a well.
     *
     * @param path the row and the column, such as {@code A/1}
     * @throws MetadataException if the plate has no such well
     */
    public OmeWell well(String path) {
        if (!wellPaths().contains(path)) {
            throw Members.error(group.location(), "plate.wells", "a well at \"" + path + "\"", "none");
        }
        ZarrGroup wellGroup = group.group(Members.requireBelow(group.location(), "plate.wells", path));
        Well well = OmeMetadata.of(wellGroup)
                .well()
                .orElseThrow(() -> Members.error(wellGroup.location(), "well", "an object", "nothing"));
        return new OmeWell(wellGroup, well);
    }

    @Override
    public void close() {
        group.close();
    }

    @Override
    public String toString() {
        return "OME-Zarr plate " + group.location() + ", " + plate.wells().size() + " wells";
    }
}
