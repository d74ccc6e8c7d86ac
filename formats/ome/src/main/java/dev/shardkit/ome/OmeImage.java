package dev.shardkit.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An OME-Zarr image or label image: an array in one or more resolutions, called levels (section "multiscales" of the
 * specification). If the group contains several images, this is the first one; {@link #metadata} describes all of them.
 * The array of a level is opened when it is first used.
 *
 * <p>Thread-safe. Closing an image closes its group, and thereby its levels and labels.
 */
public final class OmeImage implements AutoCloseable {
    private static final String LABELS = "labels";

    private final ZarrGroup group;
    private final OmeMetadata metadata;
    private final Multiscale multiscale;
    private final List<OmeLevel> levels;

    private OmeImage(ZarrGroup group, OmeMetadata metadata, Multiscale multiscale) {
        this.group = group;
        this.metadata = metadata;
        this.multiscale = multiscale;
        this.levels = IntStream.range(0, multiscale.datasets().size())
                .mapToObj(i -> new OmeLevel(group, metadata, multiscale, i))
                .toList();
    }

    /** Opens the image at a location, such as a folder or {@code https://host/image.ome.zarr}, with default options. */
    public static OmeImage open(String location) {
        return open(location, ZarrOptions.defaults());
    }

    /** Opens the image at a location. */
    public static OmeImage open(String location, ZarrOptions options) {
        return openOrClose(Zarr.openGroup(location, options));
    }

    /** Opens an image and closes its group if that fails. */
    static OmeImage openOrClose(ZarrGroup group) {
        try {
            return open(group);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /**
     * Opens the image of a group. Reads nothing from the store, because the group's attributes are in memory.
     *
     * @throws MetadataException if the group is not an image, or its metadata is wrong
     * @throws dev.shardkit.spi.error.UnsupportedException if the metadata is of an unknown version
     */
    public static OmeImage open(ZarrGroup group) {
        OmeMetadata metadata = OmeMetadata.of(group);
        return new OmeImage(
                group,
                metadata,
                metadata.multiscales().stream()
                        .findFirst()
                        .orElseThrow(
                                () -> Members.error(group.location(), "multiscales", "at least one image", "none")));
    }

    /** Returns the group. */
    public ZarrGroup group() {
        return group;
    }

    /** Returns the metadata of the group. */
    public OmeMetadata metadata() {
        return metadata;
    }

    /** Returns the description of this image. */
    public Multiscale multiscale() {
        return multiscale;
    }

    /** Returns the axes, in the order of the dimensions of the arrays. */
    public List<Axis> axes() {
        return multiscale.axes();
    }

    /** Returns the levels, the finest first. */
    public List<OmeLevel> levels() {
        return levels;
    }

    /**
     * Returns a level; 0 is the finest.
     *
     * @throws IndexOutOfBoundsException if there is no such level
     */
    public OmeLevel level(int index) {
        return levels.get(index);
    }

    /**
     * Returns the coarsest level whose pixels are at most {@code pixelSize} large along the last two axes of space,
     * usually y and x. Returns the finest level if all levels have larger pixels.
     *
     * @param pixelSize the size in the unit of these axes
     * @throws IllegalArgumentException unless {@code pixelSize} is positive
     */
    public OmeLevel levelFor(double pixelSize) {
        if (!(pixelSize > 0)) {
            throw new IllegalArgumentException("expected a positive pixel size, found " + pixelSize);
        }
        OmeLevel best = levels.get(0);
        for (OmeLevel level : levels) {
            double size = level.planePixelSize();
            // The tolerance accepts a size that differs only by rounding.
            if (size <= pixelSize * (1 + 1e-9) && size > best.planePixelSize()) {
                best = level;
            }
        }
        return best;
    }

    /** Returns the names of the label images that belong to this image. */
    public List<String> labelNames() {
        Optional<ZarrNode> labels = group.find(LABELS);
        return labels.flatMap(node -> OmeMetadata.find(node.attributes(), node.location()))
                .map(OmeMetadata::labels)
                .orElse(List.of());
    }

    /**
     * Opens a label image that belongs to this image.
     *
     * @throws MetadataException if there is no label image with this name
     */
    public OmeImage label(String name) {
        return openOrClose(group.group(StoreKeys.join(LABELS, Members.requireBelow(group.location(), LABELS, name))));
    }

    /** Returns the description of the labels, if this is a label image. */
    public Optional<ImageLabel> imageLabel() {
        return metadata.imageLabel();
    }

    @Override
    public void close() {
        group.close();
    }

    @Override
    public String toString() {
        return "OME-Zarr image " + group.location() + ", " + levels.size() + " levels";
    }
}
