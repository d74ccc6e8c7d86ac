package dev.shardkit.maintenance.adopt;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.FileAdoption;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Turns files of other formats (HDF5, for example) with known chunk positions into shards, without copying a chunk.
 *
 * <ul>
 *   <li>{@link #append} appends an index to the file, preceded by a marker of 64 bytes. It hard-links the file into the
 *       folder of an array as a shard. The existing bytes of the file never change. Formats that tolerate trailing
 *       bytes, as HDF5 does, read the file as before. A program that extends the file overwrites the index; the shard
 *       is then corrupt.
 *   <li>{@link #undo} removes the hard link and the index.
 *   <li>{@link #writeReferences} leaves the file unchanged and writes the index to a document of references.
 * </ul>
 *
 * <p>Later writes to an adopted shard never change the file. Writes in place and appends do not apply to it. A rewrite
 * stores a new file under the shard's key; the default policy refuses it because of the foreign bytes.
 *
 * <p>An interrupted call leaves the file unchanged except for bytes after its end. Repeating the call completes it.
 * Works on files only, in file systems with hard links. Immutable. Other programs must not change the file during a
 * call.
 */
public final class Adoption {
    private final ArrayMetadata metadata;
    private final long[] shard;
    private final ZarrOptions options;

    private Adoption(ArrayMetadata metadata, long[] shard, ZarrOptions options) {
        this.metadata = metadata;
        this.shard = shard;
        this.options = options;
    }

    /**
     * A chunk of a foreign file.
     *
     * @param cell the cell of its inner chunk within the shard
     * @param offset the offset of its first byte in the file
     * @param size the number of bytes
     */
    public record Chunk(long[] cell, long offset, long size) {}

    /**
     * The result of an adoption. Immutable.
     *
     * @param key the key of the shard
     * @param chunks the number of chunks; 0 for {@link #undo}
     * @param fileSize the size of the foreign file alone
     * @param added the number of bytes appended to it, or written beside it; 0 if they were present already; negative
     *     if {@link #undo} removes them
     */
    public record Result(String key, long chunks, long fileSize, long added) {}

    /**
     * Prepares the adoption of files as the shard at {@code shard} of an array with {@code metadata}.
     *
     * @throws UnsupportedException if sharding_indexed is not the array's only codec
     */
    public static Adoption of(ArrayMetadata metadata, long[] shard, ZarrOptions options) {
        List<Codec> codecs = metadata.codecs().codecs();
        if (codecs.size() != 1 || !metadata.storageTransformers().isEmpty()) {
            throw new UnsupportedException(
                    "only a plain shard can be a foreign file: expected sharding_indexed as the only codec and "
                            + "no storage transformer, found "
                            + codecs.stream().map(Codec::name).toList());
        }
        return new Adoption(
                metadata, shard.clone(), options.withOwnership(dev.shardkit.store.policy.WriteOwnership.SHARED));
    }

    /** Makes {@code file} a shard of the array in the folder {@code array}. Creates the array if it does not exist. */
    public Result append(Path file, Path array, Iterable<Chunk> chunks, Mode mode) throws IOException {
        try (Store store = Zarr.openStore(array.toString(), options)) {
            boolean exists = checkNode(store, array);
            ZarrArray target = Zarr.openArray(store, "", metadata, options);
            String key = key(target);
            AdoptedChunks checked = AdoptedChunks.of(shardAccess(target), chunks);
            checked.checkFile(Files.size(file));
            Path link = array.resolve(key);
            if (Files.exists(link) && !Files.isSameFile(file, link)) {
                throw new StoreException("the shard already exists and is another file: " + link);
            } else if (mode == Mode.DRY_RUN) {
                Bytes trailer = fileAdoption(target).trailer(Files.size(file), checked.extents());
                return new Result(key, checked.count(), Files.size(file), trailer.size());
            }
            link(file, link);
            Result result = adopt(target, checked);
            if (!exists) {
                Zarr.stageArray(store, "", metadata, IfExists.REFUSE, options).publish();
            }
            return result;
        }
    }

    /** Returns whether the array exists. Throws if another node exists. */
    private boolean checkNode(Store store, Path array) {
        Optional<ZarrNode> found = Zarr.find(store, "", options);
        boolean same = found.isEmpty()
                || found.get() instanceof ZarrArray a
                        && MetadataWriter.document(a.metadata()).equals(MetadataWriter.document(metadata));
        if (!same) {
            throw new StoreException("another array or group already exists at " + array);
        }
        return found.isPresent();
    }

    private String key(ZarrArray target) {
        long[] cells = ArrayInternals.of(target).cells();
        boolean inside = shard.length == cells.length;
        for (int d = 0; inside && d < shard.length; d++) {
            inside = shard[d] >= 0 && shard[d] < cells[d];
        }
        if (!inside) {
            throw new IllegalArgumentException("shard " + java.util.Arrays.toString(shard) + ": expected one of "
                    + java.util.Arrays.toString(cells) + " shards");
        }
        return ArrayInternals.of(target).key(shard);
    }

    private ShardAccess shardAccess(ZarrArray target) {
        return ArrayInternals.of(target)
                .codec(shard)
                .shardAccess()
                .orElseThrow(() -> new UnsupportedException(
                        "only a shard can be a foreign file: expected a sharded array, found an array without shards"));
    }

    private FileAdoption fileAdoption(ZarrArray target) {
        return shardAccess(target)
                .adoption()
                .orElseThrow(() -> new UnsupportedException("this sharding codec does not support foreign files"));
    }

    private static void link(Path file, Path link) throws IOException {
        if (Files.exists(link)) {
            return;
        }
        Files.createDirectories(link.toAbsolutePath().getParent());
        try {
            Files.createLink(link, file.toRealPath());
        } catch (UnsupportedOperationException | IOException e) {
            throw new StoreException(
                    "cannot create a hard link to " + file + " at " + link
                            + "; both paths must be on one file system that supports hard links. Adoption beside "
                            + "the file needs no link",
                    e);
        }
    }

    /**
     * Appends the index to the shard, which is a link to the file. Keeps a file that has this index already, and throws
     * if it has another one.
     */
    private Result adopt(ZarrArray target, AdoptedChunks chunks) {
        FileAdoption codec = fileAdoption(target);
        LatestResult latest = new LatestResult();
        String key = key(target);
        ArrayInternals.of(target)
                .change(
                        shard,
                        o -> o.with(o.writing().policy().withStrategy(ShardWritePolicy.Strategy.APPEND)),
                        (source, allowed) -> size(source)
                                .then(size -> codec.fileSize(source).then(known -> {
                                    long fileSize = known.orElse(size);
                                    chunks.checkFile(fileSize);
                                    Bytes trailer = codec.trailer(fileSize, chunks.extents());
                                    latest.result = new Result(
                                            key, chunks.count(), fileSize, known.isPresent() ? 0 : trailer.size());
                                    return known.isPresent()
                                            ? keepIfSame(source, trailer)
                                            : Plan.done(appendPatch(fileSize, List.of(new Piece.Literal(trailer))));
                                })));
        return latest.result;
    }

    /** Holds the result of the plan's latest run. */
    private static final class LatestResult {
        private volatile Result result = new Result("", 0, 0, 0);
    }

    /** Keeps the object if it ends with this index. */
    private static Plan<Edit> keepIfSame(Source source, Bytes trailer) {
        return source.read(new ByteRange.Suffix(trailer.size()), (answer, scratch) -> {
            if (!((ReadResult.Found) answer).bytes().contentEquals(trailer)) {
                throw new StoreException("the file is already adopted with another index; undo that adoption first");
            }
            return (Edit) new Edit.Keep();
        });
    }

    private static Plan<Long> size(Source source) {
        return source.read(
                new ByteRange.Suffix(1),
                (answer, scratch) -> answer instanceof ReadResult.Found f ? f.sourceSize() : 0L);
    }

    private static Edit appendPatch(long size, List<Piece> appended) {
        return new Edit.Patch(
                size, appended, List.of(), Edit.Recovery.JOURNAL, ShardWritePolicy.Strategy.APPEND, Optional.empty());
    }

    /** Refuses a file that is another shard of the array, because truncating the file would truncate that shard. */
    private static void refuseOtherShard(ZarrArray target, Path file, Path array) throws IOException {
        StoredChunkList cells = StoredChunkList.of(target);
        for (long i = 0; i < cells.count(); i++) {
            Path other = array.resolve(ArrayInternals.of(target).key(cells.cell(i)));
            if (Files.exists(other) && Files.isSameFile(file, other)) {
                throw new StoreException(
                        "the file is another shard of the array: " + other + "; give the position of that shard");
            }
        }
    }

    /**
     * Undoes {@link #append}: removes the hard link and truncates the file to its original size. Keeps the metadata of
     * the array. If a rewrite has replaced the shard by another file, the shard stays too.
     *
     * @throws StoreException if the bytes after the file's original end are not exactly those of an adoption
     */
    public Result undo(Path file, Path array, Mode mode) throws IOException {
        try (Store store = Zarr.openStore(array.toString(), options)) {
            ZarrArray target = Zarr.openArray(store, "", metadata, options);
            String key = key(target);
            Path link = array.resolve(key);
            boolean linked = Files.exists(link);
            if (linked && file.toRealPath().equals(link.toRealPath())) {
                throw new StoreException(
                        "expected the original path of the file, whose hard link is " + link + ", found " + file);
            }
            boolean own = linked && Files.isSameFile(file, link);
            if (!own) {
                refuseOtherShard(target, file, array);
            }
            long size = Files.size(file);
            OptionalLong before = AppendedIndex.read(file, fileAdoption(target));
            if (before.isEmpty()) {
                throw new StoreException("the end of " + file + " is not an unchanged index of an adoption");
            }
            if (mode == Mode.APPLY) {
                if (own) {
                    ArrayInternals.of(target).change(shard, o -> o, (source, allowed) -> Plan.done(new Edit.Delete()));
                }
                AppendedIndex.truncate(file, before.getAsLong(), size);
            }
            return new Result(key, 0, before.getAsLong(), before.getAsLong() - size);
        }
    }

    /**
     * Writes the document of references at {@code document}, or extends it. The document holds the array's metadata,
     * and the shard as the file followed by an index that only the document contains. The file must keep its size. Open
     * the array as {@code reference:DOCUMENT}.
     *
     * @param url the URL of the file in the document, absolute or relative to the document
     */
    public Result writeReferences(Path file, String url, Path document, Iterable<Chunk> chunks, Mode mode)
            throws IOException {
        try (Store own = Zarr.openStore(document.toAbsolutePath().getParent().toString(), options)) {
            ZarrArray target = Zarr.openArray(own, "", metadata, options);
            String key = key(target);
            AdoptedChunks checked = AdoptedChunks.of(shardAccess(target), chunks);
            long size = Files.size(file);
            checked.checkFile(size);
            Bytes trailer = fileAdoption(target).trailer(size, checked.extents());
            AdoptionReferences adopted =
                    AdoptionReferences.read(own, document, metadata, options).with(key, url, size, trailer);
            if (mode == Mode.APPLY) {
                adopted.write(own, document, options);
            }
            return new Result(key, checked.count(), size, trailer.size());
        }
    }
}
