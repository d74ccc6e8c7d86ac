package dev.shardkit.hdf5;

import java.util.ArrayList;
import java.util.List;

/** Reads the index of the chunks of a dataset, of any kind (sections III.A, III.C and VI). Used once. */
final class ChunkIndex {
    /** More chunks would not fit into a document of references. */
    static final long MAX_CHUNKS = 2_000_000;

    private final FileBytes file;
    private final Layout.Chunked layout;
    private final Dataspace space;
    private final boolean isFiltered;
    private final long chunkBytes;
    private final long[] cells;
    private final List<Chunk> chunks = new ArrayList<>();

    /**
     * A stored chunk. Immutable.
     *
     * @param cell the index of the chunk in each dimension
     * @param address where its bytes are
     * @param size the number of its bytes
     * @param mask bit i is set if filter i was not applied
     */
    record Chunk(long[] cell, long address, long size, int mask) {}

    private ChunkIndex(FileBytes file, Layout.Chunked layout, Dataspace space, boolean isFiltered, long chunkBytes) {
        this.file = file;
        this.layout = layout;
        this.space = space;
        this.isFiltered = isFiltered;
        this.chunkBytes = chunkBytes;
        this.cells = cells(space.shape());
    }

    /**
     * Returns the stored chunks within the shape.
     *
     * @param chunkBytes the size of a chunk without filters
     */
    static List<Chunk> read(
            FileBytes file, Layout.Chunked layout, Dataspace space, boolean isFiltered, long chunkBytes) {
        ChunkIndex index = new ChunkIndex(file, layout, space, isFiltered, chunkBytes);
        if (space.count() != 0) {
            index.read();
        }
        return index.chunks;
    }

    private void read() {
        Layout.Index index = layout.index();
        if (index instanceof Layout.Index.Single single) {
            put(
                    new long[cells.length],
                    single.address(),
                    single.size() < 0 ? chunkBytes : single.size(),
                    single.mask());
        } else if (index instanceof Layout.Index.Tree tree && tree.version() == 1) {
            if (tree.address() != Cursor.UNDEFINED) {
                BTree1.chunks(file, tree.address(), cells.length, this::atElement);
            }
        } else if (index instanceof Layout.Index.Tree tree) {
            int type = isFiltered ? BTree2.FILTERED_CHUNKS : BTree2.CHUNKS;
            int least = file.widths().offset() + 8 * cells.length + (isFiltered ? 5 : 0);
            BTree2.walk(file, tree.address(), type, least, this::record);
        } else if (index instanceof Layout.Index.Implicit implicit) {
            implicit(implicit.address());
        } else if (index instanceof Layout.Index.Fixed fixed) {
            ArrayIndex.fixed(file, fixed.address(), this::entry);
        } else if (index instanceof Layout.Index.Extensible extensible) {
            ExtensibleArray.read(file, extensible.address(), this::entry);
        }
    }

    private long[] cells(long[] shape) {
        long[] count = new long[shape.length];
        for (int d = 0; d < count.length; d++) {
            count[d] = shape[d] < 0 ? 0 : (shape[d] + layout.shape()[d] - 1) / layout.shape()[d];
        }
        return count;
    }

    private void atElement(long[] offset, long address, long size, int mask) {
        long[] cell = new long[offset.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = offset[d] / layout.shape()[d];
            if (offset[d] < 0 || offset[d] % layout.shape()[d] != 0) {
                throw Hdf5.corrupt("the index of chunks: expected a chunk at a multiple of " + layout.shape()[d]
                        + " in dimension " + d + ", found " + offset[d]);
            }
        }
        put(cell, address, size, mask);
    }

    private void record(Cursor in) {
        long address = in.address();
        int sizeBytes = in.left() - 4 - 8 * cells.length;
        long size = isFiltered ? in.unsigned(sizeBytes) : chunkBytes;
        int mask = isFiltered ? (int) in.u32() : 0;
        long[] cell = new long[cells.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = in.unsigned(8);
        }
        put(cell, address, size, mask);
    }

    private void implicit(long address) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        long[] all = cells(space.most());
        long count = 1;
        for (long n : cells) {
            count = Math.multiplyExact(count, n);
            if (count > MAX_CHUNKS) {
                throw tooMany();
            }
        }
        for (long i = 0; i < count; i++) {
            long[] cell = unravel(i, cells);
            long number = 0;
            for (int d = 0; d < cell.length; d++) {
                number = number * all[d] + cell[d];
            }
            put(cell, address + number * chunkBytes, chunkBytes, 0);
        }
    }

    /** Receives the entry of an array: the chunks are in the order of C, the dimension that grows comes first. */
    private void entry(long number, Cursor in, boolean grows) {
        long address = in.address();
        long size = isFiltered ? in.unsigned(in.left() - 4) : chunkBytes;
        int mask = isFiltered ? (int) in.u32() : 0;
        if (address == Cursor.UNDEFINED) {
            return;
        }
        put(grows ? growing(number) : unravel(number, cells(space.most())), address, size, mask);
    }

    private long[] growing(long number) {
        int unlimited = 0;
        while (unlimited < cells.length && space.most()[unlimited] >= 0) {
            unlimited++;
        }
        if (unlimited == cells.length) {
            throw Hdf5.corrupt("an extensible array: expected a shape that can grow without end, found none");
        }
        long[] all = cells(space.most());
        long[] cell = new long[cells.length];
        for (int d = cell.length; d-- > 0; ) {
            if (d != unlimited) {
                cell[d] = number % Math.max(1, all[d]);
                number /= Math.max(1, all[d]);
            }
        }
        cell[unlimited] = number;
        return cell;
    }

    /** Returns the index in each dimension; beyond the shape for a number that is too large. */
    private static long[] unravel(long number, long[] cells) {
        long[] cell = new long[cells.length];
        for (int d = cells.length; d-- > 0; ) {
            cell[d] = d == 0 ? number : number % Math.max(1, cells[d]);
            number /= Math.max(1, cells[d]);
        }
        return cell;
    }

    /** Keeps a chunk; those outside the shape are left over from before the dataset shrank. */
    private void put(long[] cell, long address, long size, int mask) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        boolean isCut = false;
        for (int d = 0; d < cell.length; d++) {
            if (cell[d] < 0 || cell[d] >= cells[d]) {
                return;
            }
            isCut |= cell[d] == cells[d] - 1 && space.shape()[d] % layout.shape()[d] != 0;
        }
        if (chunks.size() >= MAX_CHUNKS) {
            throw tooMany();
        }
        chunks.add(new Chunk(cell, address, size, layout.plainEdges() && isCut ? -1 : mask));
    }

    private static RuntimeException tooMany() {
        return Hdf5.unsupported("a dataset of more than " + MAX_CHUNKS + " chunks");
    }
}
