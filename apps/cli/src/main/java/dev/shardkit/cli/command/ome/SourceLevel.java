package dev.shardkit.cli.command.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.option.ChildLocation;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.Omero;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;

/**
 * The level of an OME-Zarr image to which an array belongs. Commands that make a new image from the array take over its
 * pixel sizes, units and channels.
 *
 * @param image the location of the image
 * @param level the description of the level; its array is not open
 * @param omero the display settings of the channels
 */
record SourceLevel(String image, OmeLevel level, Optional<Omero> omero) {
    /**
     * Finds the image that contains an array, in the groups above the array. Prints a note if metadata cannot be read.
     *
     * @param array the location of the array
     */
    static Optional<SourceLevel> find(String array, ZarrOptions options, Output output) {
        String location = array;
        String path = "";
        try {
            while (true) {
                ChildLocation child = ChildLocation.split(location);
                path = path.isEmpty() ? child.name() : child.name() + "/" + path;
                location = child.parent();
                try (Store store = Zarr.openStore(location, options)) {
                    if (!(Zarr.find(store, "", options).orElse(null) instanceof ZarrGroup group)) {
                        return Optional.empty();
                    }
                    Optional<OmeMetadata> metadata = OmeMetadata.find(group.attributes(), group.location())
                            .filter(found -> !found.multiscales().isEmpty());
                    if (metadata.isPresent()) {
                        return find(OmeImage.open(group), location, path);
                    }
                }
            }
        } catch (UsageException e) {
            return Optional.empty(); // from ChildLocation.split: the location is the root of a store
        } catch (ZarrException e) {
            output.printMessage("note: the metadata above " + array + " cannot be read, so no pixel sizes, units and "
                    + "channels are taken over from them: " + e.fact());
            return Optional.empty();
        }
    }

    /** Returns the level of an image whose array is at {@code path}, relative to the image. */
    private static Optional<SourceLevel> find(OmeImage image, String location, String path) {
        for (OmeLevel level : image.levels()) {
            if (level.dataset().path().equals(path)) {
                level.scale(); // throws if the metadata is wrong
                return Optional.of(
                        new SourceLevel(location, level, image.metadata().omero()));
            }
        }
        return Optional.empty();
    }

    /** Returns the path of the finest level of an image; empty if the group is not an image. */
    static Optional<String> finestPath(ZarrGroup group) {
        return OmeMetadata.find(group.attributes(), group.location())
                .filter(metadata -> !metadata.multiscales().isEmpty())
                .flatMap(metadata ->
                        metadata.multiscales().get(0).datasets().stream().findFirst())
                .map(dataset -> dataset.path());
    }
}
