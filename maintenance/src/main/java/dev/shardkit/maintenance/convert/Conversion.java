package dev.shardkit.maintenance.convert;

import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import dev.shardkit.store.SystemErrorText;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts arrays and groups of other formats (Zarr v2, N5, the 2022 draft) to Zarr v3, and storage transformers to
 * shards. Encoded chunks are kept whenever Zarr v3 can describe them. In place, only {@code zarr.json} is written,
 * beside the old documents. To another store, stored chunks are copied. If Zarr v3 has no name for a codec, chunks are
 * decoded and encoded again, to another store only.
 *
 * <p>The whole tree is checked first: if one of its nodes has no counterpart in Zarr v3, nothing is written. Documents
 * are written last, those of groups after those of their children. An interrupted run therefore leaves the source
 * intact and no incomplete node. Repeating the call resumes it. Nodes that are converted already are skipped.
 * Conversion does not change chunk shapes: use {@link dev.shardkit.maintenance.copy.Copy}.
 *
 * <p>Immutable and thread-safe. An interrupt ends the run with {@link java.util.concurrent.CancellationException}.
 * Other programs must not write to the source during a run.
 */
public final class Conversion {
    private final Store source;
    private final @Nullable BlockingStore target;
    private final ZarrOptions options;
    private final PortableArray.CodecNames names;
    private final Progress progress;

    private Conversion(
            Store source,
            @Nullable BlockingStore target,
            ZarrOptions options,
            PortableArray.CodecNames names,
            Progress progress) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.names = names;
        this.progress = progress;
    }

    /** The outcome of a conversion for one node. */
    public enum Outcome {
        /** The document was written; the chunks stay where they are. */
        DESCRIBED,
        /** The document was written and the stored chunks were copied. */
        COPIED,
        /** The document was written and the chunks were decoded and encoded again. */
        RECODED,
        /** The node is converted already. */
        UNCHANGED,
        /** The node has no counterpart in Zarr v3; {@link Node#reason} says why. Nothing is written. */
        REFUSED
    }

    /**
     * The result for a node. Immutable.
     *
     * @param path the path of the node
     * @param outcome the outcome; in a dry run, the expected outcome
     * @param objects the number of chunks written
     * @param reason why the node was refused; empty for other outcomes
     * @param notes remarks about the result: why chunks are encoded again; which valid parts of the new document some
     *     other implementation cannot open; and which members shardkit does not read exactly as stored
     *     ({@link dev.shardkit.metadata.NodeMetadata#remarks})
     */
    public record Node(String path, Outcome outcome, long objects, Optional<String> reason, List<String> notes) {
        /** Copies the notes. */
        public Node {
            notes = List.copyOf(notes);
        }
    }

    /**
     * The totals of a run. Immutable.
     *
     * @param nodes the number of nodes
     * @param converted the number of nodes that were described, copied or recoded, or would be
     * @param unchanged the number of nodes that were converted already
     * @param refused the number of nodes without a counterpart
     * @param objects the number of chunks written
     */
    public record Summary(long nodes, long converted, long unchanged, long refused, long objects) {}

    /**
     * Creates a conversion in place of the node at the root of {@code store} and of all nodes below it.
     *
     * @throws UnsupportedException if the store does not support writes
     */
    public static Conversion inPlace(Store store, ZarrOptions options) {
        requireWritable(store);
        return new Conversion(store, null, options, PortableArray.CodecNames.ZARR_V3, (array, done, total) -> {});
    }

    /**
     * Creates a conversion of the node at the root of {@code source} and of all nodes below it to another store. That
     * store must be empty or hold the result of an earlier run.
     */
    public static Conversion to(Store source, Store target, ZarrOptions options) {
        target.need(Listings.class, "finding out whether the target of a conversion is empty");
        return new Conversion(
                source, requireWritable(target), options, PortableArray.CodecNames.ZARR_V3, (array, done, total) -> {});
    }

    private static BlockingStore requireWritable(Store store) {
        store.need(Writes.class, "converting an array or group");
        return BlockingStore.to(store);
    }

    /** Returns a copy that keeps codecs which only numcodecs names, and their chunks. zarr-python reads them. */
    public Conversion withNamesOfNumcodecs() {
        return new Conversion(source, target, options, PortableArray.CodecNames.ZARR_V3_AND_NUMCODECS, progress);
    }

    /** Returns a copy that reports its progress to {@code listener}. */
    public Conversion withProgress(Progress listener) {
        return new Conversion(source, target, options, names, listener);
    }

    /**
     * Converts the nodes, or reports what it would do. In an archive, all changes are published together, and an
     * interrupted run is not resumed ({@link AllOrNothing}).
     *
     * @param nodes receives the result for each node, children before their groups; in an archive, after it is
     *     published
     */
    public Summary run(Mode mode, Consumer<? super Node> nodes) {
        try {
            return AllOrNothing.<Node, Summary, IOException>run(
                    target == null ? source : target.store(), nodes, reports -> new ConversionRun(this, mode, reports)
                            .run());
        } catch (IOException e) {
            throw new StoreException(
                    "the store failed: " + SystemErrorText.of(e)
                            + "; converted nodes are kept, and repeating the conversion resumes it",
                    e);
        }
    }

    /**
     * Returns the metadata of a copy of an array of another format, with the same elements and chunks, using only chunk
     * keys and codecs that Zarr v3 names. Chunks that the array's edge clips become full chunks.
     */
    public static ArrayMetadata portable(ArrayMetadata metadata, ZarrOptions options) {
        ArrayMetadata plain = ClippedEdgeDetection.toRegular(metadata).toBuilder()
                .storageTransformers(List.of())
                .build();
        return PortableArray.of(plain, PortableArray.CodecNames.ZARR_V3, options.registry(), options.limits())
                .metadata();
    }

    Store source() {
        return source;
    }

    Optional<BlockingStore> target() {
        return Optional.ofNullable(target);
    }

    ZarrOptions options() {
        return options;
    }

    Progress progress() {
        return progress;
    }

    PortableArray portableArray(ArrayMetadata metadata) {
        return PortableArray.of(metadata, names, options.registry(), options.limits());
    }
}
