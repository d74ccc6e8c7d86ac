package dev.shardkit.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a label image, {@code IMAGE/labels/NAME}, whose image exists. Immutable.
 *
 * @param labels the location of the group of labels
 * @param name the name of the label image
 * @param levels the number of levels of the image, and thus of its labels
 * @param version the version of the image
 */
public record LabelLocation(String labels, String name, int levels, OmeVersion version) {
    private static final String FILE = "file:";
    private static final String ARCHIVE = "zip:";
    /** The location of the image, which may end in the mark of an archive; that of its labels; the name. */
    private static final Pattern LOCATION =
            Pattern.compile("(?s)(?<labels>(?:(?<image>.*?)/+|(?<file>.*!))?labels)" + "/+(?<name>[^/!?#|]+)/*");

    /**
     * Returns the place that a location names; empty if it is not below the labels of an image.
     *
     * @throws ZarrException if the store of the image cannot be opened or read
     */
    public static Optional<LabelLocation> of(String location, ZarrOptions options) {
        Matcher parts = LOCATION.matcher(location);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String above = parts.group("image") != null
                ? parts.group("image")
                : parts.group("file") != null ? parts.group("file") : ".";
        try (Store store = Zarr.openStore(above, options)) {
            Optional<ZarrNode> image = Zarr.find(store, "", options);
            if (image.orElse(null) instanceof ZarrGroup found) {
                return OmeMetadata.find(found.attributes(), found.location())
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
     * Adds the name of a label image at the root of a store to the list of labels in the group above, if this place is
     * below the labels of an image.
     *
     * @throws StoreException if the group above cannot be reached by its location; the label image is complete
     */
    static void list(Store label, OmeVersion version, ZarrOptions options) {
        String location = label.describe();
        try {
            Optional<LabelLocation> place = of(toOpen(location), options);
            if (place.isPresent()) {
                place.get().list(version, options);
            }
        } catch (ZarrException e) {
            throw new StoreException(
                    "the label image " + location + " is complete, but the list of labels above it does not name it: "
                            + e.fact(),
                    e);
        }
    }

    /** Returns the location that opens a store which describes itself so: descriptions of files are not escaped. */
    private static String toOpen(String described) {
        int inside = described.indexOf('!');
        if (described.startsWith(FILE)) {
            return described.substring(FILE.length());
        } else if (described.startsWith(ARCHIVE + FILE) && inside > 0) {
            Path file = Path.of(described.substring((ARCHIVE + FILE).length(), inside));
            return ARCHIVE + file.toUri() + "!" + escaped(described.substring(inside + 1));
        }
        return described;
    }

    private static String escaped(String path) {
        try {
            return new URI(null, null, "/" + path, null).getRawPath().substring(1);
        } catch (URISyntaxException e) {
            throw new StoreException("no URL can name " + path, e);
        }
    }

    private void list(OmeVersion written, ZarrOptions options) {
        try (Store store = Zarr.openStore(labels, options)) {
            if (Zarr.find(store, name, options).isEmpty()) {
                throw new StoreException(
                        "the location " + labels + " leads to another place than the store of the label image");
            }
            OmeLabels.add(store, name, written, options);
        }
    }
}
