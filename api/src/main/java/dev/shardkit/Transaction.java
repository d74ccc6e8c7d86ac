package dev.shardkit;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.region.feed.FillFeed;
import dev.shardkit.region.write.CallerCopies;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.region.write.StagedWrites;
import dev.shardkit.region.write.StagedWrites.ShardWrites;
import dev.shardkit.region.write.StagedWrites.StagedWrite;
import dev.shardkit.session.Session;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Stages writes to one array in memory and publishes them together when {@link #commit} is called: each shard by
 * itself, so the commit is not atomic for the whole array. Each shard is read, changed and written once, no matter how
 * many writes touch it. Later writes replace earlier ones.
 *
 * <p>{@link #commit} publishes several shards at a time. It publishes each shard as a whole, under its own lock, as far
 * as the strategy of the write policy allows. Readers may see one shard published and another one not yet.
 * {@link #close} without a commit discards all staged writes. Staged elements cannot be read before they are published.
 *
 * <p>Thread-safe: several threads may stage writes. A commit publishes the writes that were staged when it began.
 */
public final class Transaction implements AutoCloseable {
    /** The bytes of the budget that a write takes for each shard, in addition to its elements. */
    private static final long BYTES_PER_SHARD = 128;

    /** The largest number of keys in a message. */
    private static final int MAX_KEYS_IN_MESSAGE = 16;

    private final Session session;
    private final ArrayMetadata metadata;
    private final ChunkPlans chunks;
    private final RegionWrites writes;
    private final long budget;
    private final WhenFull whenFull;
    /** Locked while shards are published, so that commits run one after the other. */
    private final Object committing = new Object();
    /** The staged writes. The monitor of this transaction guards this field and the fields below. */
    private final StagedWrites staged = new StagedWrites();
    /** The keys of the shards that the last commit published. */
    private final List<String> published = new ArrayList<>();
    /** The bytes of the budget that staged writes use. */
    private long bytes;

    private boolean closed;

    Transaction(
            Session session,
            ArrayMetadata metadata,
            ChunkPlans chunks,
            RegionWrites writes,
            long budget,
            WhenFull whenFull) {
        if (budget < 0) {
            throw new IllegalArgumentException("expected a budget of at least 0 bytes, found " + budget);
        }
        this.session = session;
        this.metadata = metadata;
        this.chunks = chunks;
        this.writes = writes;
        this.budget = budget;
        this.whenFull = whenFull;
        writes.check("a transaction");
    }

    /**
     * Stages a write. The values are copied. Elements of another number type are converted, as
     * {@link ZarrArray#write(Box, NdArray)} does.
     *
     * @throws IllegalArgumentException if the values have another shape, or another data type and one of the types has
     *     no real numbers
     * @throws ArithmeticException if the array's type does not represent a number exactly
     * @throws IllegalStateException if the write does not fit into the budget ({@link WhenFull#REFUSE}), or the
     *     transaction is closed
     */
    public void write(Box region, NdArray values) {
        write(region, values.filling(region).as(metadata.dataType()).array(), 0);
    }

    /**
     * Stages a write of a Java array of the data type's carrier, in C order, beginning at index {@code offset}. The
     * elements are copied.
     */
    public void write(Box region, Object array, int offset) {
        long[] shape = check(region).shape();
        stage(
                region,
                CallerCopies.bytes(metadata.dataType(), shape, array, offset),
                () -> JavaArrayAdapters.feed(
                        metadata.dataType(), shape, CallerCopies.of(metadata.dataType(), shape, array, offset), 0));
    }

    /**
     * Stages a write without copying the values. Do not change them before they are published.
     *
     * @throws IllegalArgumentException if the values have another shape or data type
     */
    public void writeOwned(Box region, NdArray values) {
        Object array = values.filling(check(region)).ofType(metadata.dataType()).array();
        stage(
                region,
                CallerCopies.bytes(metadata.dataType(), region.shape(), array, 0),
                () -> JavaArrayAdapters.feed(metadata.dataType(), region.shape(), array, 0));
    }

    /** Stages the erasure of a region: its elements read as the fill value. */
    public void erase(Box region) {
        stage(check(region), 0, () -> new FillFeed(metadata.fillValue()));
    }

    private Box check(Box region) {
        return RegionCheck.in(metadata.shape(), region);
    }

    /** Creates the feed of a write when the budget has room for its copy. */
    private interface Content {
        Feed feed();
    }

    private void stage(Box region, long size, Content content) {
        if (region.isEmpty()) {
            return;
        }
        Box cells = chunks.grid().touched(region);
        BigInteger needed =
                count(cells).multiply(BigInteger.valueOf(BYTES_PER_SHARD)).add(BigInteger.valueOf(size));
        while (!stageIfFits(region, cells, needed, content)) {
            commit();
            if (needed.compareTo(BigInteger.valueOf(budget)) > 0) {
                synchronized (committing) { // it never fits: publish it without staging
                    publish(region, content.feed());
                }
                return;
            }
        }
    }

    private void publish(Box region, Feed feed) {
        if (feed instanceof FillFeed) {
            writes.erase(region); // visits stored chunks only
        } else {
            writes.write(region, feed);
        }
    }

    /** Returns the number of shards in {@code cells}, which may exceed a {@code long}. */
    private static BigInteger count(Box cells) {
        BigInteger count = BigInteger.ONE;
        for (long edge : cells.shape()) {
            count = count.multiply(BigInteger.valueOf(edge));
        }
        return count;
    }

    /** Stages a write if it fits into the budget. Returns false if the caller must make room first. */
    private synchronized boolean stageIfFits(Box region, Box cells, BigInteger needed, Content content) {
        refuseClosed();
        if (needed.compareTo(BigInteger.valueOf(budget - bytes)) <= 0) {
            staged.add(new StagedWrite(region, content.feed(), needed.longValueExact(), cells.count()), cells);
            bytes += needed.longValueExact();
            return true;
        }
        if (whenFull == WhenFull.REFUSE) {
            throw new IllegalStateException("the transaction's budget is " + budget + " bytes, " + bytes
                    + " are staged, and the write of " + region + " needs " + needed
                    + ": commit before, or choose a larger"
                    + " budget or WhenFull.PUBLISH");
        }
        return false;
    }

    private synchronized void refuseClosed() {
        if (closed) {
            throw new IllegalStateException("the transaction is closed");
        }
    }

    /** Returns how many bytes of the budget are used. */
    public synchronized long stagedBytes() {
        return bytes;
    }

    /** Returns the keys of the shards with staged writes, in the order of first use. */
    public List<String> pending() {
        List<long[]> cells;
        synchronized (this) {
            cells = staged.cells();
        }
        return cells.stream().map(chunks::storedKey).toList();
    }

    /** Returns the keys of the shards that the last commit published, whether or not it failed. */
    public synchronized List<String> published() {
        return List.copyOf(published);
    }

    /**
     * Publishes the staged writes, each shard once. After a failure, published shards stay published
     * ({@link #published}), the rest stays staged ({@link #pending}), and the call can be repeated. The failure lists
     * both in a suppressed exception.
     */
    public void commit() {
        synchronized (committing) {
            List<ShardWrites> shards = takeStaged();
            BitSet publishedShards = new BitSet(shards.size());
            try {
                writes.changeCells(
                        shards.size(),
                        i -> shards.get((int) i).cell().origin(),
                        (i, cell) -> shards.get((int) i)
                                .content(chunks.inside(cell), chunks.codec(cell).readShape()),
                        i -> recordPublished(shards.get((int) i), (int) i, publishedShards));
            } catch (Throwable e) {
                putBackUnpublished(shards, publishedShards, e);
                throw e;
            }
        }
    }

    private synchronized List<ShardWrites> takeStaged() {
        refuseClosed();
        published.clear();
        return staged.takeAll();
    }

    private synchronized void recordPublished(ShardWrites shard, int number, BitSet publishedShards) {
        publishedShards.set(number);
        published.add(chunks.storedKey(shard.cell().origin()));
        bytes = closed ? 0 : bytes - StagedWrites.releasedBytes(shard);
    }

    private synchronized void putBackUnpublished(List<ShardWrites> shards, BitSet publishedShards, Throwable failure) {
        if (!closed) {
            staged.putBack(IntStream.range(0, shards.size())
                    .filter(i -> !publishedShards.get(i))
                    .mapToObj(shards::get)
                    .toList());
        }
        failure.addSuppressed(new StoreException("the commit published " + publishedShards.cardinality() + " of "
                + shards.size() + " shards: " + abbreviated(published) + "; not published: " + abbreviated(pending())));
    }

    private static String abbreviated(List<String> keys) {
        return keys.size() <= MAX_KEYS_IN_MESSAGE
                ? keys.toString()
                : keys.subList(0, MAX_KEYS_IN_MESSAGE) + " and " + (keys.size() - MAX_KEYS_IN_MESSAGE) + " more";
    }

    /** Asynchronous form of {@link #commit}. Cancelling the future stops it between shards. */
    public CompletableFuture<NoResult> commitAsync() {
        return session.async(() -> {
            commit();
            return NoResult.INSTANCE;
        });
    }

    /** Discards staged writes that were not committed. */
    @Override
    public synchronized void close() {
        closed = true;
        staged.takeAll();
        bytes = 0;
    }
}
