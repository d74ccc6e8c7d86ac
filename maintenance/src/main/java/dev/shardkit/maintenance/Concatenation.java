package dev.shardkit.maintenance;

import dev.shardkit.ChunkManifest;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.Handles;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.store.Store;
import java.util.List;

/**
 * Makes one array of several, one behind the other along a dimension, without decoding them: their chunk shapes may
 * differ along it, and the new array has the registered {@code rectilinear} chunk grid (zarr-extensions), or a regular
 * one where all chunks turn out to have one shape. Data type, fill value, codecs (with them the shape of inner chunks)
 * and everything in the other dimensions must agree. Attributes, names of dimensions and chunk keys are the first
 * array's, but for a list of its chunks ({@link ChunkManifest}).
 *
 * <p>Two ways. {@link #copying} copies stored objects byte for byte; the sources stay. {@link #moving} renames them,
 * where the store can ({@link dev.shardkit.store.Moves}; files: within one file system), and removes the sources in the
 * end. Nothing is ever linked: a change in place would change both arrays.
 *
 * <p>Where a source ends within a chunk, that chunk is stored in full length, padded (Zarr core specification, "Regular
 * grids"). At the end of the new array it may stay so; in the middle, a chunk must have exactly the length that the
 * grid states. Such chunks, if any are stored, are refused, or decoded and encoded anew with {@link #reencodingEdges},
 * nothing else being touched; where shards hold inner chunks that do not divide what is left, it cannot be done.
 *
 * <p>The new array's metadata come last. A call that was cut short leaves no array there, and the same call again ends
 * it: until its first object is moved, all sources are what they were; from then on they are no arrays any more (their
 * {@code zarr.json} lies beside as {@code __concatenated-zarr.json}), rather than arrays with holes. Nobody may write
 * to the sources meanwhile; a copy has each object as it was when it was copied. Immutable and thread-safe.
 */
public final class Concatenation {
    private final List<Source> sources;
    private final int axis;
    private final Way way;
    private final Edges edges;
    private final ZarrOptions options;

    /** How stored objects get there. */
    enum Way {
        COPY,
        MOVE
    }

    /** What becomes of chunks that are stored too long. */
    enum Edges {
        REFUSE,
        REENCODE
    }

    /**
     * An array to concatenate.
     *
     * @param store where it is; must write where arrays are moved
     * @param path its path there
     */
    public record Source(Store store, String path) {}

    /**
     * What was done.
     *
     * @param objects how many stored objects the new array was given by this call
     * @param reencoded how many of them were encoded anew
     * @param found how many it had already from a call that was cut short
     * @param bytes the bytes of those that were moved or copied as they are; moved ones are not counted
     */
    public record Summary(long objects, long reencoded, long found, long bytes) {}

    private Concatenation(List<Source> sources, int axis, Way way, Edges edges, ZarrOptions options) {
        this.sources = List.copyOf(sources);
        this.axis = axis;
        this.way = way;
        this.edges = edges;
        this.options = options;
    }

    /** Copies of these arrays along dimension {@code axis}, chunks being refused that would have to be encoded anew. */
    public static Concatenation copying(List<Source> sources, int axis, ZarrOptions options) {
        return new Concatenation(sources, axis, Way.COPY, Edges.REFUSE, options);
    }

    /** These arrays themselves along dimension {@code axis}, in the same way. */
    public static Concatenation moving(List<Source> sources, int axis, ZarrOptions options) {
        return new Concatenation(sources, axis, Way.MOVE, Edges.REFUSE, options);
    }

    /** The same with chunks encoded anew where a source ends within one. */
    public Concatenation reencodingEdges() {
        return new Concatenation(sources, axis, way, Edges.REENCODE, options);
    }

    /**
     * The metadata that the new array would have; nothing is written.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the arrays do not fit together
     */
    public ArrayMetadata describe() {
        return run("").plan().metadata();
    }

    /**
     * Does it, or ends what a call of the same kind left undone.
     *
     * @param target where the new array goes; there must be nothing but what such a call left
     * @throws dev.shardkit.spi.error.MetadataException if the arrays do not fit together
     * @throws dev.shardkit.spi.error.UnsupportedException if chunks would have to be encoded anew, or cannot be moved
     */
    public Summary to(Store target, String path) {
        return run(path).to(new Session(target, settings()));
    }

    private Settings settings() {
        return Handles.inside(options, Settings.class);
    }

    private ConcatRun run(String path) {
        return new ConcatRun(
                sources.stream()
                        .map(s -> new ConcatSource(new Session(s.store(), settings()), s.path()))
                        .toList(),
                axis,
                way,
                edges,
                path);
    }
}
