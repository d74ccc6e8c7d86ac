package dev.shardkit.maintenance;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.Adopting;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes shards of files of other formats (HDF5, say) whose chunks lie at known places: no chunk is copied.
 *
 * <ul>
 *   <li>{@link #append} puts an index, and a mark of 64 bytes before it, behind the file, and gives the file a second
 *       name (a hard link): that of a shard in the folder of an array. Nothing else of the file ever changes. Formats
 *       that let bytes follow, as HDF5 does, read it as before; a program that lets the file grow overwrites the index,
 *       which then reads as corrupt.
 *   <li>{@link #undo} takes the second name and the index away again.
 *   <li>{@link #beside} leaves the file as it is, and writes a document of references that holds the index.
 * </ul>
 *
 * <p>Writing to an adopted shard changes it nowhere: in place and append are declined, and a rewrite, which the policy
 * refuses unless it is told what becomes of foreign bytes, puts a new file in the place of the second name.
 *
 * <p>A call that was cut short leaves a file that is what it was but for bytes behind its end; the same call ends it.
 * Files only, in file systems with hard links. Immutable; nobody else should change the file meanwhile.
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
     * @param cell its inner chunk, counted within the shard
     * @param offset its first byte in the file
     * @param size how many bytes
     */
    public record Chunk(long[] cell, long offset, long size) {}

    /**
     * What came of it. Immutable.
     *
     * @param key the key of the shard
     * @param chunks how many chunks it has
     * @param fileSize the size of the foreign file by itself
     * @param added how many bytes were put behind it, or beside it; 0 if they were there already
     */
    public record Result(String key, long chunks, long fileSize, long added) {}

    /**
     * Adoption into an array of such metadata, as the shard at {@code shard}.
     *
     * @throws UnsupportedException if the array's stored chunks are not simply shards
     */
    public static Adoption of(ArrayMetadata metadata, long[] shard, ZarrOptions options) {
        List<Codec> codecs = metadata.codecs().codecs();
        if (codecs.size() != 1 || !metadata.storageTransformers().isEmpty()) {
            throw new UnsupportedException(
                    "a foreign file becomes a shard: expected sharding_indexed as the only codec and "
                            + "no storage transformer, found "
                            + codecs.stream().map(Codec::name).toList());
        }
        return new Adoption(metadata, shard.clone(), options.withOwnership(dev.shardkit.store.Ownership.SHARED));
    }

    /** Makes {@code file} a shard of the array in the folder {@code array}, which is made if it is not there. */
    public Result append(Path file, Path array, Iterable<Chunk> chunks, Mode mode) throws IOException {
        try (Store store = Zarr.openStore(array.toString(), options)) {
            boolean exists = checkNode(store, array);
            ZarrArray target = Zarr.openArray(store, "", metadata, options);
            String key = key(target);
            AdoptedChunks checked = AdoptedChunks.of(partitioned(target), chunks);
            checked.checkFile(Files.size(file));
            Path link = array.resolve(key);
            if (Files.exists(link) && !Files.isSameFile(file, link)) {
                throw new StoreException("there already is a shard, which is another file: " + link);
            } else if (mode == Mode.DRY_RUN) {
                Bytes trailer = adopting(target).trailer(Files.size(file), checked.extents());
                return new Result(key, checked.count(), Files.size(file), trailer.size());
            }
            link(file, link);
            Result result = change(target, checked);
            if (!exists) {
                Zarr.stageArray(store, "", metadata, Zarr.Existing.REFUSE, options)
                        .publish();
            }
            return result;
        }
    }

    /** Whether the array is there already; refuses another one. */
    private boolean checkNode(Store store, Path array) {
        Optional<ZarrNode> found = Zarr.find(store, "", options);
        boolean same = found.isEmpty()
                || found.get() instanceof ZarrArray a
                        && MetadataWriter.document(a.metadata()).equals(MetadataWriter.document(metadata));
        if (!same) {
            throw new StoreException("there already is another array or group at " + array);
        }
        return found.isPresent();
    }

    private String key(ZarrArray target) {
        long[] cells = Inside.of(target).cells();
        boolean inside = shard.length == cells.length;
        for (int d = 0; inside && d < shard.length; d++) {
            inside = shard[d] >= 0 && shard[d] < cells[d];
        }
        if (!inside) {
            throw new IllegalArgumentException("shard " + java.util.Arrays.toString(shard) + ": expected one of "
                    + java.util.Arrays.toString(cells) + " shards");
        }
        return Inside.of(target).key(shard);
    }

    private Partitioned partitioned(ZarrArray target) {
        return Inside.of(target)
                .codec(shard)
                .partitioned()
                .orElseThrow(() -> new UnsupportedException(
                        "a foreign file becomes a shard: expected an array with shards, found none"));
    }

    private Adopting adopting(ZarrArray target) {
        return partitioned(target)
                .adopting()
                .orElseThrow(() -> new UnsupportedException("shards of this codec cannot be made of foreign files"));
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
                    "no second name (hard link) can be given to " + file + " at " + link
                            + "; expected both on one file system that has them. Adopting it beside the file needs none",
                    e);
        }
    }

    private Result change(ZarrArray target, AdoptedChunks chunks) {
        Adopting codec = adopting(target);
        Last last = new Last();
        String key = key(target);
        Inside.of(target)
                .change(
                        shard,
                        o -> o.with(o.writing().policy().with(WritePolicy.Strategy.APPEND)),
                        (source, allowed) -> size(source)
                                .then(size -> codec.fileSize(source).then(known -> {
                                    long fileSize = known.orElse(size);
                                    chunks.checkFile(fileSize);
                                    Bytes trailer = codec.trailer(fileSize, chunks.extents());
                                    last.result = new Result(
                                            key, chunks.count(), fileSize, known.isPresent() ? 0 : trailer.size());
                                    return known.isPresent()
                                            ? keepIfSame(source, trailer)
                                            : Plan.done(patch(fileSize, List.of(new Piece.Literal(trailer))));
                                })));
        return last.result;
    }

    /** What the plan came to, the last time it ran. */
    private static final class Last {
        private volatile Result result = new Result("", 0, 0, 0);
    }

    private static Plan<Edit> keepIfSame(Source source, Bytes trailer) {
        return source.read(new ByteRange.Suffix(trailer.size()), (answer, scratch) -> {
            if (!((Answer.Found) answer).bytes().contentEquals(trailer)) {
                throw new StoreException("the file is adopted already, with another index; undo that first");
            }
            return (Edit) new Edit.Keep();
        });
    }

    private static Plan<Long> size(Source source) {
        return source.read(
                new ByteRange.Suffix(1), (answer, scratch) -> answer instanceof Answer.Found f ? f.sourceSize() : 0L);
    }

    private static Edit patch(long size, List<Piece> appended) {
        return new Edit.Patch(
                size, appended, List.of(), Edit.Recovery.JOURNAL, WritePolicy.Strategy.APPEND, Optional.empty());
    }

    /** Refuses a file that is another shard than the one that was said: cutting it would cut that. */
    private static void checkNoOther(ZarrArray target, Path file, Path array) throws IOException {
        StoredCells cells = StoredCells.of(target);
        for (long i = 0; i < cells.count(); i++) {
            Path other = array.resolve(Inside.of(target).key(cells.at(i)));
            if (Files.exists(other) && Files.isSameFile(file, other)) {
                throw new StoreException("the file is another shard: " + other + ", which is to be named (--shard)");
            }
        }
    }

    /**
     * Takes back what {@link #append} did: the shard's name in the folder of the array, and what stands behind the
     * file, which must be a file of another name too. The array's metadata stay. A shard that is another file by now,
     * as a rewrite makes it, stays too.
     *
     * @throws StoreException if what stands behind the file is not, unchanged, what an adoption put there
     */
    public Result undo(Path file, Path array, Mode mode) throws IOException {
        try (Store store = Zarr.openStore(array.toString(), options)) {
            ZarrArray target = Zarr.openArray(store, "", metadata, options);
            String key = key(target);
            Path link = array.resolve(key);
            boolean linked = Files.exists(link);
            if (linked && file.toRealPath().equals(link.toRealPath())) {
                throw new StoreException(
                        "expected the file by its own name, of which " + link + " is the second, found " + file);
            }
            boolean own = linked && Files.isSameFile(file, link);
            if (!own) {
                checkNoOther(target, file, array);
            }
            long size = Files.size(file);
            OptionalLong before = FileTail.read(file, adopting(target));
            if (before.isEmpty()) {
                throw new StoreException("what stands behind " + file + " is not what an adoption put there");
            }
            if (mode == Mode.APPLY) {
                if (own) {
                    Inside.of(target).change(shard, o -> o, (source, allowed) -> Plan.done(new Edit.Absent()));
                }
                FileTail.cut(file, before.getAsLong(), size);
            }
            return new Result(key, 0, before.getAsLong(), before.getAsLong() - size);
        }
    }

    /**
     * Writes, or adds to, the document of references at {@code document}: an array whose shard is the file and, behind
     * it, an index that only the document has. The file must keep its size. It is opened as {@code reference:DOCUMENT}.
     *
     * @param url what the document calls the file; relative to the document where it is not absolute
     */
    public Result beside(Path file, String url, Path document, Iterable<Chunk> chunks, Mode mode) throws IOException {
        try (Store own = Zarr.openStore(document.toAbsolutePath().getParent().toString(), options)) {
            ZarrArray target = Zarr.openArray(own, "", metadata, options);
            String key = key(target);
            AdoptedChunks checked = AdoptedChunks.of(partitioned(target), chunks);
            long size = Files.size(file);
            checked.checkFile(size);
            Bytes trailer = adopting(target).trailer(size, checked.extents());
            BesideDocument adopted =
                    BesideDocument.read(own, document, metadata, options).with(key, url, size, trailer);
            if (mode == Mode.APPLY) {
                adopted.write(own, document, options);
            }
            return new Result(key, checked.count(), size, trailer.size());
        }
    }
}
