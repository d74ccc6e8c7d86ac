package dev.shardkit.maintenance.concat;

import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.Settings;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.publication.PublicationRecord;
import dev.shardkit.store.Store;
import java.util.List;

/**
 * Concatenates arrays along a dimension into a new array without decoding chunks. Chunk shapes may differ along that
 * dimension. The new array has the registered {@code rectilinear} chunk grid (zarr-extensions), or a regular grid if
 * all chunks have one shape. The data type, fill value, codecs (including the shape of inner chunks) and the layout of
 * all other dimensions must agree.
 *
 * <p>Attributes, dimension names and chunk keys come from the first array, except its list of chunks
 * ({@link NonemptyChunksAttribute}). Therefore attributes that define the meaning of elements must agree too. These are
 * the attributes of the CF conventions such as {@code units}, {@code calendar}, {@code scale_factor},
 * {@code add_offset}, {@code _FillValue}, {@code missing_value}, {@code _Unsigned} and {@code valid_range}, and those
 * that state a coordinate reference system, such as {@code grid_mapping}. Variables beside the arrays, and groups above
 * them, may state the reference system too. {@link #recodingTimes} allows other units of time.
 *
 * <p>Elements are joined by their position, so the coordinates of the other dimensions must agree too. Coordinates are
 * the variables with the names of these dimensions, and the variables that the attribute {@code coordinates} of both
 * arrays names; they are beside the arrays or in groups above them. Their shapes, units and elements are compared, up
 * to 64 MiB of each variable. A variable that only one array has is not compared. Arrays with the same dimension names
 * in another order are refused.
 *
 * <p>{@link #copying} copies stored objects byte for byte and keeps the sources. {@link #moving} renames them if the
 * store supports it ({@link dev.shardkit.store.Moves}; for files, within one file system), and deletes the sources at
 * the end. Objects are never linked, because a change in place would then change both arrays.
 *
 * <p>If a source ends within a chunk, that chunk is stored in full length, padded (Zarr core specification, "Regular
 * grids"). This is allowed at the end of the new array. In the middle, a chunk must have exactly the length that the
 * grid states. By default such stored chunks are refused; {@link #reencodingEdges} decodes them and encodes them again.
 * That is impossible for shards whose inner chunks do not divide the remaining length.
 *
 * <p>The new array's metadata is written last. An interrupted call leaves no array at the target, and repeating the
 * call resumes it. The sources stay unchanged until the first object is moved. Before the first move, their
 * {@code zarr.json} is renamed to {@code __concatenated-zarr.json}, so that readers do not see arrays with missing
 * chunks. Other programs must not write to the sources during a call. Immutable and thread-safe.
 */
public final class Concatenation {
    private final List<Source> sources;
    private final int axis;
    private final Transfer transfer;
    private final Edges edges;
    private final Times times;
    private final ZarrOptions options;

    /** How stored objects reach the new array. */
    enum Transfer {
        COPY,
        MOVE
    }

    /** The handling of stored chunks that are too long for the new array. */
    enum Edges {
        REFUSE,
        REENCODE
    }

    /** The handling of times in other units than those of the first array. */
    enum Times {
        REFUSE,
        RECODE
    }

    /**
     * A source array.
     *
     * @param store its store; moving requires write support
     * @param path its path in the store
     */
    public record Source(Store store, String path) {}

    /**
     * The totals of a call.
     *
     * @param objects the number of stored objects that this call added to the new array
     * @param reencoded the number of these objects that were encoded again
     * @param found the number of objects that an interrupted call had added before
     * @param bytes the number of bytes that were copied without decoding; moved objects do not count
     */
    public record Summary(long objects, long reencoded, long found, long bytes) {}

    private Concatenation(
            List<Source> sources, int axis, Transfer transfer, Edges edges, Times times, ZarrOptions options) {
        this.sources = List.copyOf(sources);
        this.axis = axis;
        this.transfer = transfer;
        this.edges = edges;
        this.times = times;
        this.options = options;
    }

    /** Concatenates copies of these arrays along dimension {@code axis}. Refuses chunks that must be encoded again. */
    public static Concatenation copying(List<Source> sources, int axis, ZarrOptions options) {
        return new Concatenation(sources, axis, Transfer.COPY, Edges.REFUSE, Times.REFUSE, options);
    }

    /** Moves these arrays into a new array along dimension {@code axis}. Refuses chunks that must be encoded again. */
    public static Concatenation moving(List<Source> sources, int axis, ZarrOptions options) {
        return new Concatenation(sources, axis, Transfer.MOVE, Edges.REFUSE, Times.REFUSE, options);
    }

    /** Returns a copy that encodes the last chunk of a source again if the source ends within it. */
    public Concatenation reencodingEdges() {
        return new Concatenation(sources, axis, transfer, Edges.REENCODE, times, options);
    }

    /**
     * Returns a copy that changes times to the units of the first array, such as {@code days since 2000-01-01}, if
     * other arrays have other units of the same calendar. It decodes and encodes all chunks of these arrays. If a time
     * has no exact number of the array's data type in these units, nothing is concatenated
     * ({@link dev.shardkit.spi.error.UnsupportedException}).
     *
     * @throws IllegalStateException if arrays are moved
     */
    public Concatenation recodingTimes() {
        if (transfer == Transfer.MOVE) {
            throw new IllegalStateException("times can only be changed in copies: use copying, not moving");
        }
        return new Concatenation(sources, axis, transfer, edges, Times.RECODE, options);
    }

    /**
     * Returns the metadata of the first source, which defines the dimension names of the new array. After an
     * interrupted move, reads them from the renamed document or, if the source was removed, from the new array.
     *
     * @param first the first source
     * @param target the store of the new array
     * @param path its path in the store
     * @throws dev.shardkit.spi.error.MetadataException if there is neither a source nor a new array
     */
    public static ArrayMetadata metadataOfFirst(Source first, Store target, String path, ZarrOptions options) {
        Settings settings = InternalAccess.inside(options, Settings.class);
        ConcatSource source = new ConcatSource(new StoredNode(new Session(first.store(), settings), first.path()));
        ConcatSource result = new ConcatSource(new StoredNode(new Session(target, settings), path));
        boolean isRemoved = !source.has(source.node().documentKey())
                && !source.has(source.key(ConcatAuxiliaries.RENAMED_DOCUMENT))
                && result.has(result.key(PublicationRecord.KEY))
                && result.has(result.node().documentKey());
        return (isRemoved ? result : source).metadata();
    }

    /**
     * Returns the metadata of the new array without writing anything.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the arrays do not fit together
     */
    public ArrayMetadata describe() {
        return run().plan().metadata();
    }

    /**
     * Concatenates the arrays, or resumes an interrupted call. In an archive, all changes are published together, and
     * an interrupted call is not resumed ({@link AllOrNothing}).
     *
     * @param target the store of the new array; {@code path} must be empty or hold the result of an interrupted call
     * @throws dev.shardkit.spi.error.MetadataException if the arrays do not fit together
     * @throws dev.shardkit.spi.error.UnsupportedException if chunks must be encoded again, or cannot be moved
     */
    public Summary to(Store target, String path) {
        return AllOrNothing.run(target, () -> run().run(new StoredNode(new Session(target, settings()), path)));
    }

    private Settings settings() {
        return InternalAccess.inside(options, Settings.class);
    }

    private ConcatRun run() {
        return new ConcatRun(
                sources.stream()
                        .map(s -> new ConcatSource(new StoredNode(new Session(s.store(), settings()), s.path())))
                        .toList(),
                axis,
                transfer,
                edges,
                times,
                options);
    }
}
