package dev.shardkit.ome.pyramid;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The location of a label image in OME-Zarr, {@code IMAGE/labels/NAME}, where an image exists at {@code IMAGE}.
 * Immutable.
 *
 * @param labels the location of the group of labels
 * @param name the name of the label image
 * @param levels the number of levels of the image, and thus of its labels
 * @param version the version of the image
 */
public record LabelLocation(String labels, String name, int levels, OmeVersion version) {
    private static final String FILE = "file:";
    private static final String ARCHIVE = "zip:";
    /**
     * The parts of a location: those of the image and of its labels, and the name. If the image is the root of an
     * archive, its location is that of the file and ends in {@code !}, for example {@code zip:image.zip!labels/cells}.
     */
    private static final Pattern LOCATION =
            Pattern.compile("(?s)(?<labels>(?:(?<image>.*?)/+|(?<file>.*!))?labels)" + "/+(?<name>[^/!?#|]+)/*");

    /**
     * Parses a location; empty if it is not below the labels of an existing image.
     *
     * @throws ZarrException if the store of the image cannot be opened or read
     */
    public static Optional<LabelLocation> find(String location, ZarrOptions options) {
        boolean isWindowsPath = File.separatorChar == '\\' && !location.contains("://");
        Matcher parts = LOCATION.matcher(isWindowsPath ? location.replace('\\', '/') : location);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String imageLocation = Optional.ofNullable(parts.group("image"))
                .or(() -> Optional.ofNullable(parts.group("file")))
                .orElse(".");
        try (Store store = Zarr.openStore(imageLocation, options)) {
            Optional<ZarrNode> image = Zarr.find(store, "", options);
            if (image.orElse(null) instanceof ZarrGroup group) {
                return OmeMetadata.find(group.attributes(), group.location())
                        .filter(metadata -> !metadata.multiscales().isEmpty())
                        .map(metadata -> new LabelLocation(
                                parts.group("labels"),
                                parts.group("name"),
                                metadata.multiscales().get(0).datasets().size(),
                                metadata.version()));
            }
            return Optional.empty();
        }
    }

    /**
     * Adds the name of a label image to the list of labels in the group above it. No-op if the label image is not below
     * the labels of an image.
     *
     * @param label a store whose root is the label image
     * @throws StoreException if the group above cannot be reached by its location; the label image is complete
     */
    static void addToList(Store label, OmeVersion version, ZarrOptions options) {
        String location = label.describe();
        try {
            Optional<LabelLocation> labelLocation = find(toLocation(location), options);
            if (labelLocation.isPresent()) {
                labelLocation.get().addToList(version, options);
            }
        } catch (ZarrException e) {
            throw new StoreException(
                    "the label image " + location + " is complete, but the list of labels above it does not name it: "
                            + e.fact(),
                    e);
        }
    }

    /**
     * Converts a description of a store to a location that opens it. Descriptions of files are not escaped, so URLs
     * must be built from them.
     */
    private static String toLocation(String description) {
        int archiveEnd = description.indexOf('!');
        if (description.startsWith(FILE)) {
            return description.substring(FILE.length());
        } else if (description.startsWith(ARCHIVE + FILE) && archiveEnd > 0) {
            Path file = Path.of(description.substring((ARCHIVE + FILE).length(), archiveEnd));
            return ARCHIVE + file.toUri() + "!" + escapePath(description.substring(archiveEnd + 1));
        }
        return description;
    }

    private static String escapePath(String path) {
        try {
            return new URI(null, null, "/" + path, null).getRawPath().substring(1);
        } catch (URISyntaxException e) {
            throw new StoreException("no URL can name " + path, e);
        }
    }

    /** Adds the name to the list, after checking that the location really leads to the label image. */
    private void addToList(OmeVersion labelVersion, ZarrOptions options) {
        try (Store store = Zarr.openStore(labels, options)) {
            if (Zarr.find(store, name, options).isEmpty()) {
                throw new StoreException(
                        "the location " + labels + " leads to another place than the store of the label image");
            }
            OmeLabels.add(store, name, labelVersion, options);
        }
    }
}
