package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.ObjectCopy;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.Session;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/** Copies stored objects unchanged, if source and copy have the same encoding. Stateless. */
public final class EncodedCopy {
    /** The members of the metadata that determine the elements of stored objects, besides the codecs. */
    private static final List<String> STORED = List.of("shape", "data_type", "fill_value", "chunk_grid");

    /** The maximum number of concurrent copies inside a remote store. */
    private static final int AT_ONCE = 16;

    private EncodedCopy() {}

    /**
     * Whether stored objects of {@code from} can be copied unchanged: the copy has the same ones, possibly under other
     * keys, and both stores are local, or a server copies objects between them.
     */
    public static boolean isPossible(ZarrArray from, ArrayMetadata copy, Store target) {
        Session source = ArrayInternals.of(from).node().session();
        boolean areLocal = source.isLocal() && target.reads() instanceof LocalReads;
        return (areLocal || ObjectCopy.isInside(source.store(), target)) && keepsObjects(from, copy);
    }

    /**
     * Whether the copy has the same stored objects as {@code from}, wherever they lie. Arrays of Zarr v2 and N5 count
     * as their translation to Zarr v3, whose codecs read the stored objects.
     */
    public static boolean keepsObjects(ZarrArray from, ArrayMetadata copy) {
        return from.metadata().storageTransformers().isEmpty() && isSame(from.metadata(), copy);
    }

    /**
     * Whether two arrays have the same elements if their stored objects are the same. Codecs are compared with all
     * defaults, and without options that make no difference, however their documents state them.
     */
    public static boolean isSame(ArrayMetadata one, ArrayMetadata other) {
        Json.Obj first = MetadataWriter.document(one);
        Json.Obj second = MetadataWriter.document(other);
        return STORED.stream().allMatch(m -> first.get(m).equals(second.get(m)))
                && codecs(one).equals(codecs(other));
    }

    private static List<Json> codecs(ArrayMetadata array) {
        if (Box.of(array.shape()).isEmpty()) {
            return array.codecs().json(); // it has no chunk
        }
        long[] chunk = array.chunkGrid().chunk(new long[array.rank()]).shape();
        return array.codecs()
                .forType(ChunkType.of(array.dataType(), array.fillValue(), chunk))
                .json();
    }

    /**
     * Copies the objects.
     *
     * @param resumed whether to skip existing objects of the same size, which an earlier run copied
     */
    public static void run(ZarrArray from, ZarrArray to, String path, boolean resumed, Progress progress) {
        Optional<StoredChunkList> sourceChunks = isLocal(to) ? Optional.empty() : StoredChunkList.listedWithSizes(from);
        Optional<StoredChunkList> copied =
                resumed && sourceChunks.isPresent() ? StoredChunkList.listedWithSizes(to) : Optional.empty();
        if (copied.isPresent()) {
            LongPredicate missing =
                    number -> copied.get().size(number) != sourceChunks.get().size(number);
            run(from, to, sourceChunks.get(), missing, path, false, progress);
        } else {
            run(
                    from,
                    to,
                    sourceChunks.orElseGet(() -> StoredChunkList.of(from)),
                    number -> true,
                    path,
                    resumed,
                    progress);
        }
    }

    private static boolean isLocal(ZarrArray array) {
        return ArrayInternals.of(array).node().session().isLocal();
    }

    /**
     * Copies the objects of these cells.
     *
     * @param wanted selects cells by their numbers in the grid
     * @param resumed whether to skip existing objects of the same size, which an earlier run copied
     * @return the number of objects that were skipped because an earlier run had copied them
     */
    public static long run(
            ZarrArray from,
            ZarrArray to,
            StoredChunkList cells,
            LongPredicate wanted,
            String path,
            boolean resumed,
            Progress progress) {
        StoredArray source = ArrayInternals.of(from);
        StoredArray target = ArrayInternals.of(to);
        boolean isOneStore = ObjectCopy.isInside(
                source.node().session().store(), target.node().session().store());
        Deque<CompletableFuture<Long>> running = new ArrayDeque<>();
        long skipped = 0;
        try {
            for (long i = 0; i < cells.count(); i++) {
                Engine.refuseInterrupted();
                progress.at(path, i, cells.count());
                long[] cell = cells.cell(i);
                if (!wanted.test(cells.number(i))) {
                    continue;
                } else if (resumed && isCopied(source, target, cell)) {
                    skipped++;
                } else if (isOneStore) {
                    OptionalLong size = cells.sizeOf(i);
                    running.add(target.node().session().async(() -> copy(source, target, cell, size)));
                    awaitAtMost(running, AT_ONCE - 1);
                } else {
                    copy(source, target, cell, cells.sizeOf(i));
                }
            }
            awaitAtMost(running, 0);
        } finally {
            running.forEach(copy -> copy.cancel(true));
        }
        progress.at(path, cells.count(), cells.count());
        return skipped;
    }

    /**
     * Returns the key of a stored object that the copy lacks, or has with another size or, if both stores are local,
     * with other bytes. Empty if the copy is complete. The sizes of a remote store are those of its listings.
     */
    public static Optional<String> findMissing(ZarrArray from, ZarrArray to) {
        StoredArray source = ArrayInternals.of(from);
        StoredArray target = ArrayInternals.of(to);
        boolean areLocal = isLocal(from) && isLocal(to);
        Optional<StoredChunkList> sourceChunks = areLocal ? Optional.empty() : StoredChunkList.listedWithSizes(from);
        Optional<StoredChunkList> copied =
                sourceChunks.isPresent() ? StoredChunkList.listedWithSizes(to) : Optional.empty();
        if (copied.isPresent()) {
            return findMissing(sourceChunks.get(), copied.get()).map(target::key);
        }
        StoredChunkList cells = sourceChunks.orElseGet(() -> StoredChunkList.of(from));
        for (long i = 0; i < cells.count(); i++) {
            Engine.refuseInterrupted();
            long[] cell = cells.cell(i);
            long size = size(source, cell);
            if (size >= 0 && (size != size(target, cell) || areLocal && !isEqual(source, target, cell))) {
                return Optional.of(target.key(cell));
            }
        }
        return Optional.empty();
    }

    private static Optional<long[]> findMissing(StoredChunkList from, StoredChunkList to) {
        for (long i = 0; i < from.count(); i++) {
            if (to.size(from.number(i)) != from.size(from.number(i))) {
                return Optional.of(from.cell(i));
            }
        }
        return Optional.empty();
    }

    /** Whether two stored objects have the same bytes. */
    private static boolean isEqual(StoredArray source, StoredArray target, long[] cell) {
        return source.node().store(from -> StoredObjects.find(from, source.key(cell), one -> target.node()
                        .store(to -> StoredObjects.find(to, target.key(cell), other -> ObjectBackup.isEqual(one, other))
                                .orElse(false)))
                .orElse(false));
    }

    /** Copies one object. Checks the listed size before, to copy nothing in vain, and the copied size after. */
    private static long copy(StoredArray source, StoredArray target, long[] cell, OptionalLong size) {
        size.ifPresent(listed -> requireSize(source, cell, listed));
        long copied = ObjectCopy.run(source.node(), source.key(cell), target.node(), target.key(cell), size);
        requireSize(source, cell, copied);
        return copied;
    }

    /**
     * Refuses a stored chunk whose size contradicts its codecs, such as the page of a login in place of the object.
     *
     * @param size -1 if there is no object
     */
    private static void requireSize(StoredArray array, long[] cell, long size) {
        OptionalLong expected = array.codec(cell).encodedSize();
        if (size >= 0 && expected.isPresent() && expected.getAsLong() != size) {
            throw array.node()
                    .located(new CorruptDataException(array.key(cell) + " is not copied: expected "
                            + expected.getAsLong() + " bytes, as the array's codecs determine, found " + size));
        }
    }

    /** Waits until at most {@code max} copies are under way. */
    private static void awaitAtMost(Deque<CompletableFuture<Long>> running, int max) {
        while (running.size() > max) {
            Engine.await(running.remove(), "copying chunks inside a store");
        }
    }

    private static boolean isCopied(StoredArray source, StoredArray target, long[] cell) {
        long size = size(target, cell);
        return size >= 0 && size == size(source, cell);
    }

    /** Returns the size of an object, -1 if it does not exist. */
    private static long size(StoredArray array, long[] cell) {
        return array.node().store(store -> StoredObjects.find(store, array.key(cell), ObjectSnapshot::size)
                .orElse(-1L));
    }
}
