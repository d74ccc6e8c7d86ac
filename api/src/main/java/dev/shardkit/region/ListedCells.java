package dev.shardkit.region;

import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Iterates, in C order, over the cells in a box of the chunk grid whose chunks may exist. These are the cells that the
 * store lists. If the box is small, the store does not support listing, or the keys do not contain the cells, these are
 * all cells of the box. Looks up no single chunk. If each dimension has its own directories, holds the names in one
 * directory per dimension in memory; otherwise a number, or a cell, for each stored chunk. Lazy, not thread-safe.
 */
public final class ListedCells implements Iterator<long[]> {
    /** Up to this number of chunks, looking up each chunk is cheaper than listing. */
    private static final int MAX_UNLISTED = 64;
    /** The same limit for a whole array in a remote store, where one request may list all objects. */
    private static final int MAX_UNLISTED_REMOTE = 8;

    private final Iterator<long[]> cells;
    private final boolean areListed;

    private ListedCells(Iterator<long[]> cells, boolean areListed) {
        this.cells = cells;
        this.areListed = areListed;
    }

    /** Iterates over {@code count} chunks that may exist, without a listing. */
    public static ListedCells unlisted(long count, LongFunction<long[]> cell) {
        boolean areListed = false;
        return new ListedCells(LongStream.range(0, count).mapToObj(cell).iterator(), areListed);
    }

    /** Iterates over the chunks of {@code box} that may exist. */
    public static ListedCells of(StoredNode node, ChunkPlans chunks, Box box) {
        if (box.isEmpty()) {
            return unlisted(0, i -> new long[0]);
        }
        Optional<Long> count = count(box.shape());
        boolean isSmall = count.isPresent() && count.get() <= MAX_UNLISTED;
        boolean isListedInOneRequest = isSmall
                && count.get() > MAX_UNLISTED_REMOTE
                && !node.session().isLocal()
                && isWhole(box, chunks.grid().gridShape());
        if (!isSmall || isListedInOneRequest) {
            try {
                Optional<Iterator<long[]>> listed = listed(node, chunks, box);
                if (listed.isPresent()) {
                    boolean areListed = true;
                    return new ListedCells(listed.get(), areListed);
                }
            } catch (UnsupportedException e) {
                // the store cannot list: look up each chunk
            } catch (StoreException e) {
                if (!isSmall) {
                    throw e;
                }
                // perhaps listing is forbidden: look up each chunk
            }
        }
        long limit = count.orElse(Long.MAX_VALUE); // no iteration gets that far
        return unlisted(limit, box::at);
    }

    /** Returns the cells in a box by a listing; empty if a listing does not show them. */
    private static Optional<Iterator<long[]>> listed(StoredNode node, ChunkPlans chunks, Box box) {
        Optional<String> root = chunks.directories();
        if (root.isPresent()
                && (node.session().isLocal() || !isWhole(box, chunks.grid().gridShape()))) {
            Directories directories = new Directories(node.session(), box);
            directories.enter(root.get());
            return Optional.of(directories);
        }
        long[] grid = chunks.grid().gridShape();
        long[] last = Arrays.stream(grid).map(n -> n - 1).toArray();
        boolean keysContainCells =
                chunks.cell(chunks.key(last)).map(c -> Arrays.equals(c, last)).orElse(false);
        if (!keysContainCells) {
            return Optional.empty();
        }
        if (count(grid).isEmpty()) { // more cells than a long can number
            List<long[]> found = new ArrayList<>();
            listed(node, chunks, box, found::add);
            found.sort(Arrays::compare);
            return Optional.of(found.iterator());
        }
        LongStream.Builder numbers = LongStream.builder();
        listed(node, chunks, box, cell -> numbers.add(Shapes.ravel(cell, grid)));
        return Optional.of(
                numbers.build().sorted().mapToObj(n -> Shapes.unravel(n, grid)).iterator());
    }

    /**
     * Returns whether a box has all cells. Then one listing of all objects of a remote store takes fewer requests than
     * a listing of each directory.
     */
    private static boolean isWhole(Box box, long[] grid) {
        return box.contains(Box.of(grid));
    }

    private static void listed(StoredNode node, ChunkPlans chunks, Box box, Consumer<long[]> cells) {
        // A key may have any index. contains() is asked first, with an empty box, because the end of a box of one cell
        // at the largest index would overflow.
        new StoredArray(node, chunks.metadata(), chunks).objects(key -> chunks.cell(key)
                .filter(cell -> box.contains(Box.of(cell, new long[cell.length]))
                        && !box.intersect(Box.of(cell, ones(cell.length))).isEmpty())
                .ifPresent(cells));
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static Optional<Long> count(long[] shape) {
        try {
            return Optional.of(Shapes.count(shape));
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Returns whether the chunks come from a listing, so that all of them exist. */
    public boolean areListed() {
        return areListed;
    }

    @Override
    public boolean hasNext() {
        return cells.hasNext();
    }

    @Override
    public long[] next() {
        return cells.next();
    }

    /** Walks directories named by index, one level per dimension. Skips directories outside the box. */
    private static final class Directories implements Iterator<long[]> {
        private final Session session;
        private final Box box;
        /** The open directories; the innermost one is first. */
        private final Deque<Directory> path = new ArrayDeque<>();
        /** The indices of the open directories, and of the last chunk. */
        private final long[] cell;

        public Directories(Session session, Box box) {
            this.session = session;
            this.box = box;
            this.cell = new long[box.rank()];
        }

        private static final class Directory {
            private final String prefix;
            /** The indices that name its entries, sorted. */
            private final long[] names;
            /** The position of the next name. */
            private int next;

            public Directory(String prefix, long[] names) {
                this.prefix = prefix;
                this.names = names;
            }
        }

        /** Lists a directory and opens it. */
        public void enter(String prefix) {
            int d = path.size();
            // Entries of any other kind are kept, even if they are no chunks: reads refuse them and say why.
            Entry.Kind wrong = d == box.rank() - 1 ? Entry.Kind.PREFIX : Entry.Kind.OBJECT;
            LongStream.Builder names = LongStream.builder();
            session.<Boolean>store(prefix, store -> {
                store.list(prefix, entry -> {
                    if (entry.kind() != wrong) {
                        index(entry.name())
                                .filter(i -> i >= box.origin(d) && i < box.end(d))
                                .ifPresent(names::add);
                    }
                });
                return true;
            });
            path.push(new Directory(prefix, names.build().sorted().toArray()));
        }

        private static Optional<Long> index(String name) {
            try {
                long index = Long.parseLong(name);
                return Long.toString(index).equals(name) ? Optional.of(index) : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        @Override
        public boolean hasNext() {
            while (!path.isEmpty()) {
                Directory top = path.peek();
                if (top.next == top.names.length) {
                    path.pop();
                } else if (path.size() == box.rank()) {
                    return true;
                } else {
                    long name = top.names[top.next++];
                    cell[path.size() - 1] = name;
                    enter(StoreKeys.join(top.prefix, Long.toString(name)));
                }
            }
            return false;
        }

        @Override
        public long[] next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Directory top = path.peek();
            cell[cell.length - 1] = top.names[top.next++];
            return cell.clone();
        }
    }
}
