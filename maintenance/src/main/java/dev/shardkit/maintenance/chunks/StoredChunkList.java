package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The stored chunks of an array or of a range of its grid, in C order. If the store cannot list, or chunk keys cannot
 * be parsed, it contains all chunks of the grid or the range. Immutable.
 */
public final class StoredChunkList {
    /** About the number of chunks whose sizes {@link #meanSize} reads. */
    private static final int SAMPLES = 256;

    private final long[] grid;
    /** The number of the first chunk, if all chunks of a range count as stored. */
    private final long first;
    /** The numbers of the listed chunks in the whole grid, ascending; null if all chunks of a range count as stored. */
    private final long @Nullable [] numbers;

    private final long count;
    private final OptionalLong bytes;
    /** The sizes of the listed chunks in bytes, in the order of the numbers; null if not requested or not known. */
    private final long @Nullable [] sizes;

    private StoredChunkList(long[] grid, long first, long @Nullable [] numbers, long count) {
        this(grid, first, numbers, count, OptionalLong.empty(), null);
    }

    private StoredChunkList(
            long[] grid,
            long first,
            long @Nullable [] numbers,
            long count,
            OptionalLong bytes,
            long @Nullable [] sizes) {
        this.grid = grid;
        this.first = first;
        this.numbers = numbers;
        this.count = count;
        this.bytes = bytes;
        this.sizes = sizes;
    }

    /** Receives the entries below an array that are not its chunks. */
    public interface OtherEntries {
        /** Receives an object whose key is not the key of a chunk in the grid. */
        void foreign(String key);

        /** Receives a directory at a chunk key, on a local disk; the chunk reads as absent. */
        void directory(String key);

        /**
         * Receives an entry that is not a directory where chunks need one. The reason says why the chunks cannot be
         * read.
         */
        void unreadable(String key, String reason);
    }

    /** Returns the stored chunks of {@code array}. Throws if an entry hides chunks. */
    public static StoredChunkList of(ZarrArray array) {
        return of(array, chunksOnly(), new Numbers());
    }

    /**
     * Returns the stored chunks of {@code array} with the sizes that a listing has. Holds sixteen bytes for each stored
     * chunk. Returns empty if the store cannot list, chunk keys cannot be parsed, or the listing has no sizes.
     */
    static Optional<StoredChunkList> listedWithSizes(ZarrArray array) {
        return Optional.of(of(array, chunksOnly(), new SizedNumbers())).filter(cells -> cells.sizes != null);
    }

    private static OtherEntries chunksOnly() {
        return new OtherEntries() {
            @Override
            public void foreign(String key) {
                return; // not a chunk
            }

            @Override
            public void directory(String key) {
                return; // readers see no chunk there
            }

            @Override
            public void unreadable(String key, String fact) {
                throw new StoreException("finding the chunks below " + key + ": " + fact);
            }
        };
    }

    /** Returns the stored chunks of {@code array}. */
    public static StoredChunkList of(ZarrArray array, OtherEntries others) {
        return of(array, others, new Numbers());
    }

    private static StoredChunkList of(ZarrArray array, OtherEntries others, Numbers listed) {
        StoredArray chunks = ArrayInternals.of(array);
        long[] grid = chunks.cells();
        if (!canParseKeys(chunks, grid)) {
            return all(grid);
        }
        List<String> refused = new ArrayList<>();
        try {
            chunks.entries(
                    (key, entry) -> {
                        Entry.Kind kind = entry.kind();
                        Optional<long[]> cell = chunks.cell(key).filter(c -> isInside(c, grid));
                        if (kind == Entry.Kind.PREFIX) {
                            // in a bucket, a prefix hides no object; the objects below it are reported separately
                            cell.filter(c -> LocalFolders.of(array.location()).isPresent())
                                    .ifPresent(c -> others.directory(key));
                        } else if (cell.isPresent()) {
                            listed.add(number(cell.get(), grid), entry.size());
                        } else if (kind == Entry.Kind.OTHER) {
                            refused.add(key);
                        } else {
                            others.foreign(key);
                        }
                    },
                    (prefix, e) -> others.unreadable(prefix, e.fact()));
        } catch (UnsupportedException e) {
            return all(grid);
        }
        refused.forEach(key -> findChunkBelow(chunks, key, grid)
                .ifPresentOrElse(cell -> others.unreadable(key, readerError(chunks, cell)), () -> others.foreign(key)));
        long[] sorted = listed.sorted();
        return new StoredChunkList(grid, 0, sorted, listed.size, listed.bytes(), listed.sizes(sorted));
    }

    /** Returns a chunk of the grid whose key begins with {@code prefix} as its directory. */
    private static Optional<long[]> findChunkBelow(StoredArray chunks, String prefix, long[] grid) {
        String key = prefix;
        for (int d = 0; d < grid.length; d++) {
            key += "/0";
            Optional<long[]> cell = chunks.cell(key).filter(c -> isInside(c, grid));
            if (cell.isPresent()) {
                return cell;
            }
        }
        return Optional.empty();
    }

    /** Returns the error that a reader of this chunk gets. */
    private static String readerError(StoredArray chunks, long[] cell) {
        try {
            chunks.storedSize(cell);
            return "an entry that is not a directory";
        } catch (ZarrException e) {
            return e.fact();
        }
    }

    private static StoredChunkList all(long[] grid) {
        return range(grid, 0, count(grid));
    }

    /**
     * Returns the stored chunks of a range of the grid in C order; if they cannot be listed, all chunks of the range.
     */
    public static StoredChunkList listedInRange(ZarrArray array, long first, long end) {
        long[] grid = ArrayInternals.of(array).cells();
        return StoredBoxes.listed(array, Box.of(grid), first, end)
                .map(numbers -> new StoredChunkList(grid, 0, numbers, numbers.length))
                .orElseGet(() -> range(grid, first, end));
    }

    /** Returns all chunks of a range of the grid in C order, stored or not. */
    public static StoredChunkList range(long[] grid, long first, long end) {
        return new StoredChunkList(grid, first, null, end - first);
    }

    private static long count(long[] grid) {
        try {
            return Shapes.count(grid);
        } catch (ArithmeticException e) {
            throw new UnsupportedException("a grid of more than 2^63-1 chunks: " + Arrays.toString(grid));
        }
    }

    private static long number(long[] cell, long[] grid) {
        count(grid); // throws if the numbers do not fit into a long
        return Shapes.ravel(cell, grid);
    }

    private static boolean isInside(long[] cell, long[] grid) {
        for (int d = 0; d < grid.length; d++) {
            if (cell[d] >= grid[d]) {
                return false;
            }
        }
        return true;
    }

    /** Whether keys can be parsed; tested with the key of the last chunk. */
    public static boolean canParseKeys(StoredArray chunks, long[] grid) {
        long[] last = Arrays.stream(grid).map(n -> Math.max(0, n - 1)).toArray();
        return chunks.cell(chunks.key(last)).map(c -> Arrays.equals(c, last)).orElse(false);
    }

    /** Returns the mean size of the stored objects of {@code array}, in bytes, from a sample; 0 if there are none. */
    public double meanSize(ZarrArray array) {
        StoredArray stored = ArrayInternals.of(array);
        long step = Math.max(1, count() / SAMPLES);
        double sum = 0;
        long found = 0;
        for (long i = 0; i < count(); i += step) {
            OptionalLong size = stored.storedSize(cell(i));
            sum += size.orElse(0);
            found += size.isPresent() ? 1 : 0;
        }
        return found > 0 ? sum / found : 0;
    }

    /** Returns the number of chunks. */
    public long count() {
        return count;
    }

    /** Returns the size of all chunks in bytes, if the listing has all sizes. */
    public OptionalLong bytes() {
        return bytes;
    }

    /** Returns the size of chunk {@code i}, if the list has sizes. */
    OptionalLong sizeOf(long i) {
        return sizes == null ? OptionalLong.empty() : OptionalLong.of(sizes[(int) i]);
    }

    /** Returns the size of the chunk with this number in the whole grid; -1 if it is not stored. Needs listed sizes. */
    long size(long number) {
        int at = Arrays.binarySearch(Objects.requireNonNull(numbers), number);
        return at < 0 ? -1 : Objects.requireNonNull(sizes)[at];
    }

    /** Whether the chunk at {@code cell} is one of these. */
    public boolean contains(long[] cell) {
        long number = number(cell, grid);
        return numbers == null ? number >= first && number < first + count : Arrays.binarySearch(numbers, number) >= 0;
    }

    /** Whether the chunks come from a listing. Otherwise the list contains all chunks of the grid or the range. */
    public boolean areListed() {
        return numbers != null;
    }

    /** Returns the cell of chunk {@code i}. */
    public long[] cell(long i) {
        return Shapes.unravel(number(i), grid);
    }

    /** Returns the number of chunk {@code i} in the whole grid. */
    long number(long i) {
        return numbers == null ? first + i : numbers[(int) i];
    }

    /** A list of numbers, eight bytes each. It grows by pages, because an array would be copied when it grows. */
    private static class Numbers {
        private static final int PAGE = 1 << 16;

        private final List<long[]> pages = new ArrayList<>();
        int size;
        private int unsized;
        private long bytes;

        void add(long value, OptionalLong objectSize) {
            unsized += objectSize.isPresent() ? 0 : 1;
            bytes += objectSize.orElse(0);
            if (size % PAGE == 0) {
                pages.add(new long[PAGE]);
            }
            pages.get(size / PAGE)[size % PAGE] = value;
            size++;
        }

        OptionalLong bytes() {
            return unsized == 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
        }

        /** Returns the sizes in the order of the sorted numbers; null if the list has no sizes. */
        long @Nullable [] sizes(long[] sorted) {
            return null;
        }

        long value(int i) {
            return pages.get(i / PAGE)[i % PAGE];
        }

        long[] sorted() {
            long[] sorted = new long[size];
            for (int i = 0; i < pages.size(); i++) {
                System.arraycopy(pages.get(i), 0, sorted, i * PAGE, Math.min(PAGE, size - i * PAGE));
            }
            Arrays.sort(sorted);
            return sorted;
        }
    }

    /** A list of numbers with the sizes of their objects. */
    private static final class SizedNumbers extends Numbers {
        private final Numbers sizes = new Numbers();

        @Override
        void add(long value, OptionalLong objectSize) {
            sizes.add(objectSize.orElse(0), OptionalLong.empty());
            super.add(value, objectSize);
        }

        @Override
        long @Nullable [] sizes(long[] sorted) {
            if (bytes().isEmpty()) {
                return null;
            }
            long[] ordered = new long[size];
            for (int i = 0; i < size; i++) {
                ordered[Arrays.binarySearch(sorted, value(i))] = sizes.value(i);
            }
            return ordered;
        }
    }
}
