package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small picture of an array: a plane, or several planes of a volume side by side. A plane consists of the last two
 * dimensions. An array of uint8 whose last dimension has length 3 or 4 is drawn as RGB or RGBA. In other pictures, the
 * colours span the middle 99 % of the values. Immutable and thread-safe.
 */
public final class Preview {
    /** The default length of the longer side in pixels. */
    private static final int DEFAULT_SIZE = 512;

    private static final int MAX_PLANES = 12;
    /** The distance between planes in pixels. */
    private static final int GAP = 4;

    private static final int MAX_SIZE = 8192;

    private final ZarrArray array;
    private final Box region;
    private final String colours;
    private final int size;

    private Preview(ZarrArray array, Box region, String colours, int size) {
        this.array = array;
        this.region = region;
        this.colours = colours;
        this.size = size;
    }

    /**
     * Creates the preview of an array, or of an OME-Zarr image. An image is drawn from its coarsest level whose plane
     * has a side of at least the preview's size, or from its finest one. Label images get a colour for each label.
     *
     * @throws UnsupportedException if the node is a group without an image
     * @throws MetadataException if the image names a level outside of its group
     */
    public static Preview of(ZarrNode node) {
        return of(node, DEFAULT_SIZE);
    }

    /**
     * Creates the preview of an array or of an OME-Zarr image, as {@link #of(ZarrNode)} does, with another size.
     *
     * @param size the length of the longer side in pixels, about; from 16 to 8192
     */
    public static Preview of(ZarrNode node, int size) {
        if (size < 16 || size > MAX_SIZE) {
            throw new IllegalArgumentException("expected a size from 16 to " + MAX_SIZE + ", found " + size);
        }
        ZarrArray array = node instanceof ZarrArray a ? a : level((ZarrGroup) node, size);
        String colours = isLabels(node.attributes()) || isLabels(array.attributes()) ? "labels" : "gray";
        return new Preview(array, array.domain(), colours, size);
    }

    /**
     * Returns this preview for a region.
     *
     * @throws IndexOutOfBoundsException if the region exceeds the array
     */
    public Preview within(Box part) {
        if (!array.domain().contains(part)) {
            throw new IndexOutOfBoundsException(
                    "region " + part + " of an array of shape " + Arrays.toString(array.shape()));
        }
        return new Preview(array, part, colours, size);
    }

    /**
     * Returns this preview with other colours.
     *
     * @throws IllegalArgumentException if {@link Colours} has no map with this name
     */
    public Preview withColours(String name) {
        if (Colours.named(name).isEmpty()) {
            throw new IllegalArgumentException(
                    "expected gray, viridis, magma, diverging or labels, found \"" + name + "\"");
        }
        return new Preview(array, region, name, size);
    }

    /** Returns the array that is drawn, such as the level of a pyramid. */
    public ZarrArray array() {
        return array;
    }

    private static boolean isLabels(Json.Obj attributes) {
        return member(attributes, "image-label").isPresent();
    }

    /**
     * Returns a member of the OME-Zarr metadata. It is in the attribute {@code ome} since version 0.5, and is an
     * attribute itself in earlier versions.
     */
    private static Optional<Json> member(Json.Obj attributes, String name) {
        Optional<Json> inOme =
                attributes.get("ome").flatMap(ome -> ome instanceof Json.Obj o ? o.get(name) : Optional.empty());
        return inOme.isPresent() ? inOme : attributes.get(name);
    }

    /**
     * Returns the level that is drawn: the coarsest one with a side of at least {@code size}, or the finest one. Reads
     * only the paths of levels from the metadata. So it accepts images of every version of OME-Zarr, even versions that
     * the module shardkit-ome refuses.
     */
    private static ZarrArray level(ZarrGroup group, int size) {
        List<String> paths = member(group.attributes(), "multiscales")
                .filter(Json.Arr.class::isInstance)
                .flatMap(list -> ((Json.Arr) list).items().stream().findFirst())
                .filter(Json.Obj.class::isInstance)
                .flatMap(image -> ((Json.Obj) image).get("datasets"))
                .filter(Json.Arr.class::isInstance)
                .map(sets -> ((Json.Arr) sets)
                        .items().stream()
                                .filter(Json.Obj.class::isInstance)
                                .flatMap(set -> ((Json.Obj) set).get("path").stream())
                                .filter(Json.Str.class::isInstance)
                                .map(path -> ((Json.Str) path).value())
                                .toList())
                .orElse(List.of());
        @Nullable ZarrArray best = null;
        for (int i = paths.size() - 1; i >= 0; i--) {
            Optional<ZarrNode> level = group.find(checked(group, paths.get(i)));
            if (level.isPresent() && level.get() instanceof ZarrArray array) {
                best = array;
                long[] shape = array.shape();
                if (Arrays.stream(shape, Math.max(0, shape.length - 2), shape.length)
                        .anyMatch(n -> n >= size)) {
                    break;
                }
            }
        }
        if (best == null) {
            throw new UnsupportedException("the group " + StoreKeys.location("/", group.path())
                    + " is not an OME-Zarr image; choose one of its arrays");
        }
        return best;
    }

    /**
     * Returns the path of a level. Throws if it leads out of the image, because a hostile file may contain any path.
     */
    private static String checked(ZarrGroup group, String path) {
        if (path.isEmpty() || !Arrays.stream(path.split("/", -1)).allMatch(NodePath::isName)) {
            throw new MetadataException("the attributes of the group " + StoreKeys.location("/", group.path())
                    + ": multiscales: expected datasets with paths of nodes below the image, found \"" + path + "\"");
        }
        return path;
    }

    /**
     * Writes a PNG image.
     *
     * @throws UnsupportedException if the elements are not numbers
     * @throws ZarrException if a chunk cannot be read
     * @throws IOException if the stream throws it
     */
    public void write(OutputStream out) throws IOException {
        if (region.isEmpty()) {
            throw new UnsupportedException("the region has no elements: shape " + Arrays.toString(region.shape()));
        }
        BigInteger count = Shapes.exactCount(region.shape());
        if (count.bitLength() >= Long.SIZE) {
            throw new UnsupportedException("the region " + Arrays.toString(region.shape()) + " has " + count
                    + " elements; a picture reads at most 2^63-1: choose a smaller region");
        }
        Montage montage = Montage.of(array, region, size, MAX_PLANES, GAP);
        if (montage.samples() > 1) {
            colour(montage, out);
        } else {
            gray(montage, out);
        }
    }

    /** Draws one sample for each pixel, in the colours of a map. */
    private void gray(Montage montage, OutputStream out) throws IOException {
        double[][] planes = montage.read(array);
        double[] contrast = Samples.contrast(
                Arrays.stream(planes).flatMapToDouble(Arrays::stream).toArray());
        Colours map = Colours.named(colours).orElseThrow();
        byte[] row = new byte[montage.width()];
        try (PngWriter png = PngWriter.to(out, montage.width(), montage.height(), map.palette())) {
            for (int y = 0; y < montage.height(); y++) {
                Arrays.fill(row, (byte) 0);
                montage.row(y, (x, plane, at) -> row[x] = map.of(planes[plane][at], contrast[0], contrast[1]));
                png.row(row, 0);
            }
            png.end();
        }
    }

    /** Draws RGB or RGBA. */
    private void colour(Montage montage, OutputStream out) throws IOException {
        double[][] planes = montage.read(array);
        int samples = montage.samples();
        byte[] row = new byte[4 * montage.width()];
        try (PngWriter png = PngWriter.to(out, montage.width(), montage.height(), PngWriter.Samples.RGBA, 8)) {
            for (int y = 0; y < montage.height(); y++) {
                Arrays.fill(row, (byte) 0);
                montage.row(y, (x, plane, at) -> {
                    row[4 * x + 3] = (byte) 0xff; // opaque, unless the array has an alpha sample
                    for (int s = 0; s < samples; s++) {
                        row[4 * x + s] = (byte) planes[plane][at * samples + s];
                    }
                });
                png.row(row, 0);
            }
            png.end();
        }
    }
}
