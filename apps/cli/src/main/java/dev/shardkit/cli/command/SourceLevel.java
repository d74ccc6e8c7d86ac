package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.OmeMetadata;
import dev.shardkit.ome.Omero;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.Optional;

/**
 * The level of an OME-Zarr image that an array is.
 *
 * @param image the location of the image
 * @param level its description; the array is not open
 * @param omero how the image shows its channels
 */
record SourceLevel(String image, OmeLevel level, Optional<Omero> omero) {
    /**
     * Finds the image above an array, through the groups that hold the array. Metadata that cannot be read are said.
     *
     * @param array the location of the array
     */
    static Optional<SourceLevel> of(String array, ZarrOptions options, Output output) {
        String location = array;
        String path = "";
        try {
            while (true) {
                ChildNode child = ChildNode.of(location);
                path = path.isEmpty() ? child.name() : child.name() + "/" + path;
                location = child.parent();
                try (Store store = Zarr.openStore(location, options)) {
                    if (!(Zarr.find(store, "", options).orElse(null) instanceof ZarrGroup group)) {
                        return Optional.empty();
                    }
                    Optional<OmeMetadata> metadata = OmeMetadata.find(group.attributes(), group.location())
                            .filter(found -> !found.multiscales().isEmpty());
                    if (metadata.isPresent()) {
                        return of(OmeImage.open(group), location, path);
                    }
                }
            }
        } catch (WrongUse e) {
            return Optional.empty(); // no group can be above
        } catch (ZarrException e) {
            output.message("note: the metadata above " + array + " cannot be read, so no pixel sizes, units and "
                    + "channels are taken over from them: " + e.fact());
            return Optional.empty();
        }
    }

    private static Optional<SourceLevel> of(OmeImage image, String location, String path) {
        for (OmeLevel level : image.levels()) {
            if (level.dataset().path().equals(path)) {
                level.scale(); // wrong metadata are found here
                return Optional.of(
                        new SourceLevel(location, level, image.metadata().omero()));
            }
        }
        return Optional.empty();
    }

    /** Returns the path of the finest level of an image; empty if the group is none. */
    static Optional<String> first(ZarrGroup group) {
        return OmeMetadata.find(group.attributes(), group.location())
                .filter(metadata -> !metadata.multiscales().isEmpty())
                .flatMap(metadata ->
                        metadata.multiscales().get(0).datasets().stream().findFirst())
                .map(dataset -> dataset.path());
    }
}
