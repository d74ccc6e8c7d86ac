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
 * The location of a label image, {@code IMAGE/labels/NAME}, of an existing image. Immutable.
 *
 * @param labels the location of the group of labels
 * @param name the name of the label image
 * @param levels the number of levels of the image, and thus of its labels
 * @param version the version of the image
 */
public record LabelLocation(String labels, String name, int levels, OmeVersion version) {
    private static final String FILE = "file:";
    private static final String ARCHIVE = "zip:";
    /** The locations of the image and of its labels, and the name. The location of the image may end in {@code !}. */
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
        String imageLocation = parts.group("image") != null
                ? parts.group("image")
                : parts.group("file") != null ? parts.group("file") : ".";
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
     * Converts a description of a store to a location that opens it. Descriptions of files are not escaped, so they are
     * no URLs.
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
