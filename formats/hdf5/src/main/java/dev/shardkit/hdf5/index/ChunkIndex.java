package dev.shardkit.hdf5.index;

import dev.shardkit.hdf5.file.BTree1;
import dev.shardkit.hdf5.file.BTree2;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.Dataspace;
import dev.shardkit.hdf5.message.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the chunk index of a dataset: the structure in an HDF5 file that says where each chunk is stored (HDF5 file
 * format specification, sections III.A, III.C and VI). Supports all kinds of indexes. Used once.
 */
public final class ChunkIndex {
    /** The maximum number of chunks that fit into a document of references. */
    public static final long MAX_CHUNKS = 2_000_000;

    private final FileBytes file;
    private final Layout.Chunked layout;
    private final Dataspace space;
    /** Whether the dataset has filters. Entries of the index then contain the size and the mask of the chunk. */
    private final boolean isFiltered;
    /** The size of a chunk without filters. */
    private final long chunkBytes;
    /** The number of chunks in each dimension of the current shape. */
    private final long[] gridShape;

    private final List<Chunk> chunks = new ArrayList<>();

    /**
     * A stored chunk. Immutable.
     *
     * @param cell the index of the chunk in each dimension
     * @param address the address of its bytes
     * @param size the number of its bytes
     * @param mask bit i is set if filter i was not applied
     */
    public record Chunk(long[] cell, long address, long size, int mask) {}

    private ChunkIndex(FileBytes file, Layout.Chunked layout, Dataspace space, boolean isFiltered, long chunkBytes) {
        this.file = file;
        this.layout = layout;
        this.space = space;
        this.isFiltered = isFiltered;
        this.chunkBytes = chunkBytes;
        this.gridShape = gridShapeOf(space.shape());
    }

    /**
     * Returns the stored chunks within the shape.
     *
     * @param chunkBytes the size of a chunk without filters
     */
    public static List<Chunk> read(
            FileBytes file, Layout.Chunked layout, Dataspace space, boolean isFiltered, long chunkBytes) {
        ChunkIndex index = new ChunkIndex(file, layout, space, isFiltered, chunkBytes);
        if (space.count() != 0) {
            index.read();
        }
        return index.chunks;
    }

    /** Adds the chunks of the index, whatever its kind. */
    private void read() {
        Layout.Index index = layout.index();
        if (index instanceof Layout.Index.Single single) {
            addChunk(
                    new long[gridShape.length],
                    single.address(),
                    single.lengthSize() < 0 ? chunkBytes : single.lengthSize(),
                    single.mask());
        } else if (index instanceof Layout.Index.Tree tree && tree.version() == 1) {
            if (tree.address() != Cursor.UNDEFINED) {
                BTree1.visitChunks(file, tree.address(), gridShape.length, this::addAtOffset);
            }
        } else if (index instanceof Layout.Index.Tree tree) {
            int type = isFiltered ? BTree2.FILTERED_CHUNKS : BTree2.CHUNKS;
            // address and indices; with filters also a mask of 4 bytes and a size of at least 1
            int minRecordSize = file.widths().offset() + 8 * gridShape.length + (isFiltered ? 5 : 0);
            BTree2.visit(file, tree.address(), type, minRecordSize, this::readRecord);
        } else if (index instanceof Layout.Index.Implicit implicit) {
            addImplicit(implicit.address());
        } else if (index instanceof Layout.Index.Fixed fixed) {
            FixedArray.readFixed(file, fixed.address(), this::readEntry);
        } else if (index instanceof Layout.Index.Extensible extensible) {
            ExtensibleArray.read(file, extensible.address(), this::readEntry);
        }
    }

    /**
     * Returns the number of chunks in each dimension; 0 for an unlimited dimension, whose maximum length is negative.
     */
    private long[] gridShapeOf(long[] shape) {
        long[] count = new long[shape.length];
        for (int d = 0; d < count.length; d++) {
            count[d] = shape[d] <= 0 ? 0 : (shape[d] - 1) / layout.shape()[d] + 1;
        }
        return count;
    }

    /** Adds a chunk of a B-tree of version 1, which stores the indices of the chunk's first element. */
    private void addAtOffset(long[] offset, long address, long size, int mask) {
        long[] cell = new long[offset.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = offset[d] / layout.shape()[d];
            if (offset[d] < 0 || offset[d] % layout.shape()[d] != 0) {
                throw Hdf5Errors.corrupt("the index of chunks: expected a chunk at a multiple of " + layout.shape()[d]
                        + " in dimension " + d + ", found " + offset[d]);
            }
        }
        addChunk(cell, address, size, mask);
    }

    /** Adds the chunk of a record in a B-tree of version 2. */
    private void readRecord(Cursor cursor) {
        long address = cursor.address();
        // the field for the size has the bytes of the record that mask and indices do not need
        int sizeBytes = cursor.remaining() - 4 - 8 * gridShape.length;
        long size = isFiltered ? cursor.unsigned(sizeBytes) : chunkBytes;
        int mask = isFiltered ? (int) cursor.u32() : 0;
        long[] cell = new long[gridShape.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = cursor.unsigned(8);
        }
        addChunk(cell, address, size, mask);
    }

    /** Adds all chunks of a dataset without an index. Its chunks follow one another from {@code address} on. */
    private void addImplicit(long address) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        // HDF5 allocates the chunks of the maximum shape in C order. The current shape may have fewer chunks.
        long[] maxGridShape = gridShapeOf(space.maxShape());
        long count = 1;
        for (long n : gridShape) {
            count = Math.multiplyExact(count, n);
            if (count > MAX_CHUNKS) {
                throw tooManyChunks();
            }
        }
        for (long i = 0; i < count; i++) {
            long[] cell = unravel(i, gridShape);
            long chunkNumber = 0;
            for (int d = 0; d < cell.length; d++) {
                chunkNumber = chunkNumber * maxGridShape[d] + cell[d];
            }
            addChunk(cell, address + chunkNumber * chunkBytes, chunkBytes, 0);
        }
    }

    /**
     * Receives an entry of a fixed or extensible array. The number of a chunk is its place in C order in the maximum
     * shape. In extensible arrays, the unlimited dimension counts as the first one.
     */
    private void readEntry(long chunkNumber, Cursor cursor, boolean isExtensible) {
        long address = cursor.address();
        long size = isFiltered ? cursor.unsigned(cursor.remaining() - 4) : chunkBytes;
        int mask = isFiltered ? (int) cursor.u32() : 0;
        if (address == Cursor.UNDEFINED) {
            return;
        }
        addChunk(
                isExtensible ? cellInExtensibleArray(chunkNumber) : unravel(chunkNumber, gridShapeOf(space.maxShape())),
                address,
                size,
                mask);
    }

    /** Returns the indices of a chunk of an extensible array, which has exactly one unlimited dimension. */
    private long[] cellInExtensibleArray(long chunkNumber) {
        int unlimited = 0;
        while (unlimited < gridShape.length && space.maxShape()[unlimited] >= 0) {
            unlimited++;
        }
        if (unlimited == gridShape.length) {
            throw Hdf5Errors.corrupt("an extensible array: expected a shape that can grow without end, found none");
        }
        long[] maxGridShape = gridShapeOf(space.maxShape());
        long[] cell = new long[gridShape.length];
        for (int d = cell.length; d-- > 0; ) {
            if (d != unlimited) {
                cell[d] = chunkNumber % Math.max(1, maxGridShape[d]);
                chunkNumber /= Math.max(1, maxGridShape[d]);
            }
        }
        cell[unlimited] = chunkNumber;
        return cell;
    }

    /**
     * Returns the index of a chunk in each dimension from its number in C order. If the number is too large, the first
     * index lies beyond the shape, and {@link #addChunk} ignores the chunk.
     */
    private static long[] unravel(long chunkNumber, long[] gridShape) {
        long[] cell = new long[gridShape.length];
        for (int d = gridShape.length; d-- > 0; ) {
            cell[d] = d == 0 ? chunkNumber : chunkNumber % Math.max(1, gridShape[d]);
            chunkNumber /= Math.max(1, gridShape[d]);
        }
        return cell;
    }

    /** Adds a chunk. Ignores chunks outside the shape, which remain in the file when a dataset shrinks. */
    private void addChunk(long[] cell, long address, long size, int mask) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        boolean isPartial = false;
        for (int d = 0; d < cell.length; d++) {
            if (cell[d] < 0 || cell[d] >= gridShape[d]) {
                return;
            }
            isPartial |= cell[d] == gridShape[d] - 1 && space.shape()[d] % layout.shape()[d] != 0;
        }
        if (chunks.size() >= MAX_CHUNKS) {
            throw tooManyChunks();
        }
        // with plain edges, HDF5 skips all filters for chunks that exceed the shape; -1 sets the bits of all filters
        chunks.add(new Chunk(cell, address, size, layout.plainEdges() && isPartial ? -1 : mask));
    }

    private static RuntimeException tooManyChunks() {
        return Hdf5Errors.unsupported("a dataset of more than " + MAX_CHUNKS + " chunks");
    }
}
