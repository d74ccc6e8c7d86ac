package dev.shardkit.grid.rectilinear;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The registered {@code rectilinear} chunk grid (zarr-extensions, chunk-grids/rectilinear): the lengths of chunks vary
 * along each dimension. With a sharding codec its chunks are shards, each with as many inner chunks as its shape holds.
 * Metadata may list chunks beyond the array's end, for arrays that will grow. The grid keeps these for its metadata,
 * but they are not cells of the grid. An immutable value.
 */
public final class RectilinearGrid implements ChunkGrid {
    static final String NAME = "rectilinear";
    static final String KIND = "kind";
    static final String INLINE = "inline";
    static final String CHUNK_SHAPES = "chunk_shapes";

    private final long[] arrayShape;
    /** The lengths of the chunks in each dimension, as the metadata states them. */
    private final List<ChunkLengths> edges;

    /** The cells of each dimension, within the array. */
    private final DimensionEdges[] axes;

    private RectilinearGrid(long[] arrayShape, List<ChunkLengths> edges, DimensionEdges[] axes) {
        this.arrayShape = arrayShape;
        this.edges = edges;
        this.axes = axes;
    }

    /**
     * Creates the grid that divides an array of {@code arrayShape} into chunks of these lengths.
     *
     * @param edges the chunk lengths of each dimension
     * @throws MetadataException if the ranks differ, or the chunks of a dimension end before the array does
     */
    public static RectilinearGrid of(long[] arrayShape, List<ChunkLengths> edges) {
        if (arrayShape.length != edges.size()) {
            throw new MetadataException(CHUNK_SHAPES + ": expected " + arrayShape.length
                    + " members, one for each dimension, found " + edges.size());
        }
        DimensionEdges[] axes = new DimensionEdges[arrayShape.length];
        for (int d = 0; d < axes.length; d++) {
            if (arrayShape[d] < 0) {
                throw new MetadataException("expected an array's length of at least 0, found " + arrayShape[d]);
            }
            axes[d] = DimensionEdges.of(edges.get(d), arrayShape[d], d);
        }
        return new RectilinearGrid(arrayShape.clone(), List.copyOf(edges), axes);
    }

    /** Returns the metadata of a grid with these chunk lengths, for example for {@code ArraySpec.chunkGrid}. */
    public static Json metadata(ChunkLengths... edges) {
        return Json.object().with("name", Json.of(NAME)).with("configuration", configuration(List.of(edges)));
    }

    /** Returns the lengths of the chunks in dimension {@code d}, including chunks beyond the array's end. */
    public ChunkLengths edges(int d) {
        return edges.get(d);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return configuration(edges);
    }

    private static Json.Obj configuration(List<ChunkLengths> edges) {
        return Json.object()
                .with(KIND, Json.of(INLINE))
                .with(
                        CHUNK_SHAPES,
                        new Json.Arr(edges.stream().map(ChunkLengths::json).toList()));
    }

    @Override
    public long[] gridShape() {
        return Arrays.stream(axes).mapToLong(DimensionEdges::cells).toArray();
    }

    @Override
    public Box chunk(long[] indices) {
        long[] origin = new long[axes.length];
        long[] shape = new long[axes.length];
        for (int d = 0; d < origin.length; d++) {
            if (indices[d] < 0 || indices[d] >= axes[d].cells()) {
                throw new IllegalArgumentException(
                        "no chunk " + Arrays.toString(indices) + " in a grid of " + Arrays.toString(gridShape()));
            }
            origin[d] = axes[d].origin(indices[d]);
            shape[d] = axes[d].length(indices[d]);
        }
        return Box.of(origin, shape);
    }

    @Override
    public Box touched(Box region) {
        long[] first = new long[axes.length];
        long[] count = new long[axes.length];
        if (!region.isEmpty()) {
            for (int d = 0; d < first.length; d++) {
                first[d] = axes[d].cellOf(region.origin(d));
                count[d] = axes[d].cellOf(region.end(d) - 1) - first[d] + 1;
            }
        }
        return Box.of(first, count);
    }

    /** Returns the shape of the first chunk, and shapes that differ from it in one dimension. */
    @Override
    public List<long[]> sampleShapes(int maximum) {
        List<long[]> shapes = new ArrayList<>();
        long[] first = chunk(new long[axes.length]).shape();
        shapes.add(first);
        for (int d = 0; d < axes.length; d++) {
            Set<Long> lengths = new LinkedHashSet<>();
            axes[d].lengths(lengths, maximum);
            for (long length : lengths) {
                if (length != first[d] && shapes.size() < maximum) {
                    long[] shape = first.clone();
                    shape[d] = length;
                    shapes.add(shape);
                }
            }
        }
        return shapes;
    }

    /**
     * Returns this grid for another shape. Lists of chunks that end before the new shape are continued with their last
     * length.
     */
    @Override
    public RectilinearGrid resize(long[] newShape) {
        if (newShape.length != edges.size()) {
            throw new MetadataException("expected " + edges.size() + " dimensions, found " + Arrays.toString(newShape));
        }
        List<ChunkLengths> grown = new ArrayList<>();
        for (int d = 0; d < newShape.length; d++) {
            grown.add(edges.get(d).grownTo(newShape[d]));
        }
        return of(newShape, grown);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RectilinearGrid g && Arrays.equals(arrayShape, g.arrayShape) && edges.equals(g.edges);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(arrayShape) + edges.hashCode();
    }

    @Override
    public String toString() {
        return NAME + edges;
    }
}
