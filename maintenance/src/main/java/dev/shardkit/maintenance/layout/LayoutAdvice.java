package dev.shardkit.maintenance.layout;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.region.StoredArray;
import dev.shardkit.store.RemoteReads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Recommends a chunk shape, and shards or none, for an array: from its shape, how it is read, where it is stored and
 * who writes it. The rules are those of the guide to layouts: inner chunks in the shape of typical reads, shards of 10
 * to 100 MiB, and shards only where the number of stored objects matters.
 *
 * <p>Immutable and thread-safe.
 */
public final class LayoutAdvice {
    /** The number of files that burdens a local file system. */
    private static final double MANY_FILES = 1e6;
    /** The maximum number of objects for which a remote store needs no shards. */
    private static final double FEW_OBJECTS = 100;

    /** The minimum chunk size in bytes. Smaller chunks cost more requests and index entries than they save. */
    private static final double MIN_CHUNK_BYTES = 1 << 14;

    private static final double TARGET_SHARD_BYTES = 32 << 20;
    private static final double MAX_SHARD_BYTES = 100 << 20;
    private static final double MAX_INNER_CHUNKS = 1 << 18;
    private static final int INDEX_ENTRY_BYTES = 16;
    private static final int VARIABLE_ELEMENT_BYTES = 32;

    /** How an array is read. */
    public enum Access {
        /** Regions of all kinds: chunks of about 256 KiB. */
        MIXED(1 << 18),
        /** Small regions anywhere: chunks of about 32 KiB. */
        POINTS(1 << 15),
        /**
         * Slices across one dimension, by default the first ({@link LayoutAdvice#withSlices}): chunks of about 256 KiB
         * with length 1 in it, or with several slices if slices are small.
         */
        SLICES(1 << 18),
        /** From one end to the other: chunks of about 1 MiB. */
        WHOLE(1 << 20);

        private final double chunkBytes;

        Access(double chunkBytes) {
            this.chunkBytes = chunkBytes;
        }
    }

    /** Where an array is stored. */
    public enum Place {
        /** A local file system. */
        LOCAL,
        /** A remote store, such as S3 or HTTP, where each object costs a request. */
        REMOTE
    }

    /** Who writes an array. */
    public enum Writers {
        /** One program, or several at different times. */
        ONE,
        /** Several programs at once. */
        PARALLEL
    }

    /**
     * A recommended layout.
     *
     * @param chunkShape the shape of chunks, or of inner chunks if there are shards
     * @param shardShape the shape of shards; empty if there should be none
     * @param chunkBytes the size of a chunk without encoding, in bytes
     * @param objectBytes the estimated size of a stored object, in bytes
     * @param chunks the number of chunks
     * @param objects the number of stored objects, if every chunk is stored
     * @param reasons the reasons, as sentences
     */
    public record Layout(
            long[] chunkShape,
            Optional<long[]> shardShape,
            double chunkBytes,
            double objectBytes,
            double chunks,
            double objects,
            List<String> reasons) {}

    private final long[] shape;
    private final double elementBytes;
    /** The size of stored chunks, as a share of their size without encoding. */
    private final double storedShare;

    private final Access access;
    /** The dimension that slices are across. */
    private final int axis;

    private final Place place;
    private final Writers writers;

    private LayoutAdvice(
            long[] shape,
            double elementBytes,
            double storedShare,
            Access access,
            int axis,
            Place place,
            Writers writers) {
        this.shape = shape;
        this.elementBytes = elementBytes;
        this.storedShare = storedShare;
        this.access = access;
        this.axis = axis;
        this.place = place;
        this.writers = writers;
    }

    /**
     * Creates advice for an array of {@code shape}: mixed access, a local place, one writer, no compression.
     *
     * @param elementBytes the size of an element without encoding; for elements of variable size, the typical size
     */
    public static LayoutAdvice of(long[] shape, int elementBytes) {
        if (elementBytes < 1) {
            throw new IllegalArgumentException("expected elements of at least 1 byte, found " + elementBytes);
        }
        return new LayoutAdvice(shape.clone(), elementBytes, 1, Access.MIXED, 0, Place.LOCAL, Writers.ONE);
    }

    /**
     * Creates advice for an existing array and its store. Measures the compression on a sample of its stored objects.
     */
    public static LayoutAdvice of(ZarrArray array) {
        double size = array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
        double decoded = size * meanElementsInside(array.shape(), array.storedChunkShape());
        StoredArray internals = ArrayInternals.of(array);
        double stored = StoredChunkList.of(array).meanSize(array);
        double share = stored > 0 ? Math.min(1, stored / decoded) : 1;
        Place place = internals.node().session().store().reads() instanceof RemoteReads ? Place.REMOTE : Place.LOCAL;
        return new LayoutAdvice(array.shape(), size, share, Access.MIXED, 0, place, Writers.ONE);
    }

    /** Returns this advice for another kind of access. */
    public LayoutAdvice withAccess(Access other) {
        return new LayoutAdvice(shape, elementBytes, storedShare, other, axis, place, writers);
    }

    /**
     * Returns this advice for reads of slices across a dimension: one index of it at a time.
     *
     * @throws IllegalArgumentException if the array has no such dimension
     */
    public LayoutAdvice withSlices(int dimension) {
        if (dimension < 0 || dimension >= shape.length) {
            throw new IllegalArgumentException(
                    "expected a dimension from 0 to " + (shape.length - 1) + ", found " + dimension);
        }
        return new LayoutAdvice(shape, elementBytes, storedShare, Access.SLICES, dimension, place, writers);
    }

    /** Returns this advice for another place. */
    public LayoutAdvice withPlace(Place other) {
        return new LayoutAdvice(shape, elementBytes, storedShare, access, axis, other, writers);
    }

    /** Returns this advice for other writers. */
    public LayoutAdvice withWriters(Writers other) {
        return new LayoutAdvice(shape, elementBytes, storedShare, access, axis, place, other);
    }

    /** Returns the recommended layout. */
    public Layout layout() {
        List<String> reasons = new ArrayList<>();
        long[] chunk = chooseChunk();
        double chunkBytes = elementBytes * product(chunk);
        reasons.add(chunkReason(chunk, chunkBytes));
        long[] grid = new long[shape.length];
        for (int d = 0; d < grid.length; d++) {
            grid[d] = Math.max(1, (shape[d] - 1) / chunk[d] + 1);
        }
        double chunks = product(grid);
        long[] counts = AutoShards.counts(
                grid, chunkBytes * storedShare, TARGET_SHARD_BYTES, MAX_SHARD_BYTES, MAX_INNER_CHUNKS);
        boolean shards = wantsShards(chunks, product(counts), reasons);
        if (!shards) {
            return new Layout(
                    chunk,
                    Optional.empty(),
                    chunkBytes,
                    chunkBytes * storedShare,
                    chunks,
                    chunks,
                    List.copyOf(reasons));
        }
        double objects = 1;
        long[] shard = new long[chunk.length];
        for (int d = 0; d < shard.length; d++) {
            shard[d] = Math.multiplyExact(counts[d], chunk[d]);
            objects *= Math.ceil((double) grid[d] / counts[d]);
        }
        double objectBytes = chunkBytes * storedShare * product(counts);
        reasons.add("A shard holds " + count(product(counts)) + " inner chunks and is " + size(objectBytes)
                + " (10 to 100 MiB is the aim); its index, which the first read of a shard fetches, has "
                + size(INDEX_ENTRY_BYTES * product(counts)) + ".");
        return new Layout(chunk, Optional.of(shard), chunkBytes, objectBytes, chunks, objects, List.copyOf(reasons));
    }

    /** Chooses a chunk of the access's size; for slices, of length 1 across them unless that is too small. */
    private long[] chooseChunk() {
        long[] maxLengths = shape.clone();
        for (int d = 0; d < maxLengths.length; d++) {
            maxLengths[d] = access == Access.SLICES && d == axis ? 1 : Math.max(1, maxLengths[d]);
        }
        long[] chunk =
                AutoShards.counts(maxLengths, elementBytes, access.chunkBytes, access.chunkBytes, Double.MAX_VALUE);
        double bytes = elementBytes * product(chunk);
        if (access == Access.SLICES && chunk.length > 0 && bytes < MIN_CHUNK_BYTES) {
            chunk[axis] = Math.max(1, Math.min(shape[axis], (long) Math.ceil(MIN_CHUNK_BYTES / bytes)));
        }
        return chunk;
    }

    /** Returns the reason for a chunk shape; {@code bytes} is the size of a chunk without encoding. */
    private String chunkReason(long[] chunk, double bytes) {
        if (access == Access.SLICES && chunk.length > 0 && chunk[axis] > 1) {
            return "Chunks are " + size(bytes) + " before encoding and hold " + count(chunk[axis]) + " slices of "
                    + size(bytes / chunk[axis]) + ": chunks below " + size(MIN_CHUNK_BYTES)
                    + " cost more, as requests and index entries, than they save.";
        }
        if (Arrays.equals(chunk, shape)) {
            return "One chunk holds the whole array, " + size(bytes) + " before encoding.";
        }
        String size = "Chunks are " + size(bytes) + " before encoding";
        return switch (access) {
            case MIXED -> size + ": large enough for a request, small enough for a region.";
            case POINTS -> size + ", because a read of a few elements decodes a whole chunk.";
            case SLICES -> size + " and have length 1 in dimension " + axis + ", because a slice then reads no other.";
            case WHOLE -> size + ", because a read of everything needs few of them.";
        };
    }

    /**
     * Decides whether shards help, and adds the reasons. Shards help where objects are costly, unless writers would
     * repeat each other's work.
     */
    private boolean wantsShards(double chunks, double chunksOfAShard, List<String> reasons) {
        if (chunks <= 1) {
            reasons.add("No shards: one chunk is one object.");
            return false;
        }
        String objects = count(chunks) + " chunks";
        boolean many = place == Place.LOCAL ? chunks >= MANY_FILES : chunks > FEW_OBJECTS;
        if (!many) {
            reasons.add(
                    place == Place.LOCAL
                            ? "No shards: " + objects + " are as many files; shards pay off from a million files on."
                            : "No shards: " + objects + " are few objects.");
            return false;
        }
        if (writers == Writers.PARALLEL && !(place == Place.LOCAL)) {
            reasons.add("No shards: several writers of one shard repeat each other's work. If each writer can be given "
                    + "whole shards, they reduce " + objects + " to fewer objects; ask again for one writer.");
            return false;
        }
        if (chunksOfAShard <= 1) {
            reasons.add("No shards: a chunk is large enough for an object.");
            return false;
        }
        reasons.add(
                place == Place.LOCAL
                        ? "Shards: " + objects + " would be as many files, which burdens a file system."
                        : "Shards: " + objects
                                + " would be as many objects, and each costs requests; inner chunks of a "
                                + "shard are read by ranges.");
        if (writers == Writers.PARALLEL) {
            reasons.add("Give each writer whole shards: writers of one shard wait for each other.");
        }
        return true;
    }

    /**
     * Returns the mean number of elements of a chunk that lie within the array; the others compress to almost nothing.
     */
    private static double meanElementsInside(long[] shape, long[] chunk) {
        double all = 1;
        for (int d = 0; d < shape.length; d++) {
            double parts = Math.ceil((double) shape[d] / chunk[d]);
            all *= parts == 0 ? chunk[d] : shape[d] / parts;
        }
        return all;
    }

    private static double product(long[] lengths) {
        double all = 1;
        for (long length : lengths) {
            all *= length;
        }
        return all;
    }

    private static String count(double count) {
        return String.format(Locale.ROOT, "%,.0f", count);
    }

    private static String size(double bytes) {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        double value = bytes;
        int unit = 0;
        for (; value >= 1024 && unit < units.length - 1; unit++) {
            value /= 1024;
        }
        return String.format(
                Locale.ROOT, value < 10 && value != Math.rint(value) ? "%.1f %s" : "%.0f %s", value, units[unit]);
    }
}
