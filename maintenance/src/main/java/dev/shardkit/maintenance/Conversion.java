package dev.shardkit.maintenance;

import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.Writes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes arrays and groups that other documents describe (Zarr v2, the draft of 2022) into those of Zarr v3, and storage
 * transformers into shards. Encoded chunks stay as they are wherever Zarr v3 can say what they are: in place only
 * {@code zarr.json} is written, beside the old documents; to another store chunks are copied as they are stored. Where
 * Zarr v3 has no name for a codec, chunks are decoded and encoded again, to another store only.
 *
 * <p>A whole tree is looked at first: if a node of it has no counterpart, nothing is written. Documents come last,
 * those of groups behind those of their children, so what was cut short is no node yet, the source is whole, and the
 * same call again goes on. What is converted already is left as it is. Not for changing chunk shapes: that is a copy.
 *
 * <p>Immutable and thread-safe. Interrupting it ends it with {@link java.util.concurrent.CancellationException}. Nobody
 * should write to the source meanwhile.
 */
public final class Conversion {
    private final Store source;
    private final @Nullable StoreAccess target;
    private final ZarrOptions options;
    private final V3Form.Names names;
    private final Progress progress;

    private Conversion(
            Store source, @Nullable StoreAccess target, ZarrOptions options, V3Form.Names names, Progress progress) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.names = names;
        this.progress = progress;
    }

    /** What becomes of a node. */
    public enum Outcome {
        /** Its document is written; its chunks stay where they are. */
        DESCRIBED,
        /** Its document is written and its chunks are copied as they are stored. */
        COPIED,
        /** Its document is written and its chunks are decoded and encoded again. */
        RECODED,
        /** There is nothing to do. */
        ALREADY,
        /** It has no counterpart, for a reason; then nothing at all is written. */
        REFUSED
    }

    /**
     * A node. Immutable.
     *
     * @param path its path
     * @param outcome what became of it, or would
     * @param objects how many chunks were written
     * @param reason why it was refused
     * @param note what some other implementation does not open of it, although Zarr v3 has it
     */
    public record Node(String path, Outcome outcome, long objects, Optional<String> reason, Optional<String> note) {}

    /**
     * A run in numbers. Immutable.
     *
     * @param nodes the nodes
     * @param converted those that were described, copied or recoded, or would be
     * @param already those that were left as they are
     * @param refused those without a counterpart
     * @param objects the chunks that were written
     */
    public record Summary(long nodes, long converted, long already, long refused, long objects) {}

    /**
     * Of the node at the root of {@code store} and all below it, where they are.
     *
     * @throws UnsupportedException if the store cannot write
     */
    public static Conversion inPlace(Store store, ZarrOptions options) {
        writable(store);
        return new Conversion(store, null, options, V3Form.Names.OF_ZARR_V3, (array, done, total) -> {});
    }

    /**
     * Of the node at the root of {@code source} and all below it, to another store, which is empty, or holds what an
     * earlier run has made of it.
     */
    public static Conversion to(Store source, Store target, ZarrOptions options) {
        return new Conversion(source, writable(target), options, V3Form.Names.OF_ZARR_V3, (array, done, total) -> {});
    }

    private static StoreAccess writable(Store store) {
        store.need(Writes.class, "write");
        return StoreAccess.to(store);
    }

    /** The same, but codecs that only numcodecs names keep these names and their chunks; zarr-python reads them. */
    public Conversion withNamesOfNumcodecs() {
        return new Conversion(source, target, options, V3Form.Names.OF_NUMCODECS_TOO, progress);
    }

    /** The same, telling {@code listener} how far it is. */
    public Conversion withProgress(Progress listener) {
        return new Conversion(source, target, options, names, listener);
    }

    /**
     * Converts the nodes, or tells what it would do.
     *
     * @param nodes receives each node when it is done, children before their groups
     */
    public Summary run(Mode mode, Consumer<? super Node> nodes) {
        try {
            return new ConversionRun(this, mode, nodes).run();
        } catch (IOException e) {
            throw new StoreException(
                    "the store failed: " + e + "; what is converted stays so, and the same conversion again goes on",
                    e);
        }
    }

    /**
     * The metadata of an array of the same elements and chunks with chunk keys and codecs that Zarr v3 has names for:
     * those of a copy of an array that other documents describe.
     */
    public static ArrayMetadata portable(ArrayMetadata metadata, ZarrOptions options) {
        ArrayMetadata plain =
                metadata.toBuilder().storageTransformers(List.of()).build();
        return V3Form.of(plain, V3Form.Names.OF_ZARR_V3, options.registry(), options.limits())
                .metadata();
    }

    Store source() {
        return source;
    }

    Optional<StoreAccess> target() {
        return Optional.ofNullable(target);
    }

    ZarrOptions options() {
        return options;
    }

    Progress progress() {
        return progress;
    }

    V3Form form(ArrayMetadata metadata) {
        return V3Form.of(metadata, names, options.registry(), options.limits());
    }
}
