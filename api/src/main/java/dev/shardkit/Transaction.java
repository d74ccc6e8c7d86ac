package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.Copies;
import dev.shardkit.region.FillFeed;
import dev.shardkit.region.Regions;
import dev.shardkit.region.StagedShards;
import dev.shardkit.region.StagedShards.Staged;
import dev.shardkit.region.StagedShards.Staging;
import dev.shardkit.region.Writes;
import dev.shardkit.session.Session;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Unit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Writes that are staged in memory and published together, so that each shard is read, changed and written once,
 * however many writes touch it. Later writes lie over earlier ones.
 *
 * <p>{@link #commit} publishes shard by shard, several side by side, each under its own lock and whole: readers never
 * see half a shard's writes (as far as the write policy's strategy promises), but they may see one shard published and
 * another not yet. {@link #close} without commit drops all that is staged. What is staged cannot be read before.
 *
 * <p>Thread-safe: several threads may stage. A commit publishes what was staged when it began.
 */
public final class Transaction implements AutoCloseable {
    /** What a write takes of the budget for each shard that it touches, beside its elements. */
    private static final long BYTES_PER_SHARD = 128;

    /** So many keys stand in a message. */
    private static final int NAMED = 16;

    private final Session session;
    private final ArrayMetadata metadata;
    private final Chunks chunks;
    private final Writes writes;
    private final long budget;
    private final WhenFull whenFull;
    private final Object committing = new Object();
    private final StagedShards staged = new StagedShards();
    private final List<String> published = new ArrayList<>();
    private long bytes;
    private boolean closed;

    Transaction(Session session, ArrayMetadata metadata, Chunks chunks, Writes writes, long budget, WhenFull whenFull) {
        if (budget < 0) {
            throw new IllegalArgumentException("a budget of " + budget + " bytes");
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
     * Stages a write; the values are copied.
     *
     * @throws IllegalStateException if it does not fit into the budget ({@link WhenFull#REFUSE}), or it was closed
     */
    public void write(Box region, NdArray values) {
        write(region, values.filling(region).array(), 0);
    }

    /**
     * Stages a write of a Java array of the data type's carrier, in C order from place {@code offset}; it is copied.
     */
    public void write(Box region, Object array, int offset) {
        long[] shape = check(region).shape();
        stage(
                region,
                Copies.bytes(metadata.dataType(), shape, array, offset),
                () -> JavaArrays.feed(
                        metadata.dataType(), shape, Copies.of(metadata.dataType(), shape, array, offset), 0));
    }

    /** Stages a write without a copy: the values are taken over, and must stay as they are until it is published. */
    public void take(Box region, NdArray values) {
        Object array = values.filling(check(region)).array();
        stage(
                region,
                Copies.bytes(metadata.dataType(), region.shape(), array, 0),
                () -> JavaArrays.feed(metadata.dataType(), region.shape(), array, 0));
    }

    /** Stages that a region goes back to the fill value. */
    public void erase(Box region) {
        stage(check(region), 0, () -> new FillFeed(metadata.fillValue()));
    }

    private Box check(Box region) {
        return Regions.in(metadata.shape(), region);
    }

    /** A feed that is made when there is room for it. */
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
        while (!fits(region, cells, needed, content)) {
            commit();
            if (needed.compareTo(BigInteger.valueOf(budget)) > 0) {
                synchronized (committing) {
                    publish(region, content.feed());
                }
                return;
            }
        }
    }

    private void publish(Box region, Feed feed) {
        if (feed instanceof FillFeed) {
            writes.erase(region); // visits what is stored alone
        } else {
            writes.write(region, feed);
        }
    }

    /** How many shards {@code cells} holds, which may be more than a {@code long} can say. */
    private static BigInteger count(Box cells) {
        BigInteger count = BigInteger.ONE;
        for (long edge : cells.shape()) {
            count = count.multiply(BigInteger.valueOf(edge));
        }
        return count;
    }

    /** Stages a write that fits the budget; returns false if room has to be made first. */
    private synchronized boolean fits(Box region, Box cells, BigInteger needed, Content content) {
        open();
        if (needed.compareTo(BigInteger.valueOf(budget - bytes)) <= 0) {
            staged.add(new Staging(region, content.feed(), needed.longValueExact(), cells.count()), cells);
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

    private synchronized void open() {
        if (closed) {
            throw new IllegalStateException("the transaction is closed");
        }
    }

    /** How many bytes of the budget are taken. */
    public synchronized long stagedBytes() {
        return bytes;
    }

    /** The keys of the shards that something is staged for, in the order of first touch. */
    public List<String> pending() {
        List<long[]> cells;
        synchronized (this) {
            cells = staged.cells();
        }
        return cells.stream().map(chunks::storedKey).toList();
    }

    /** The keys of the shards that the last commit published, whether it came to its end or not. */
    public synchronized List<String> published() {
        return List.copyOf(published);
    }

    /**
     * Publishes what is staged, each shard once. After a failure, what was published stays so ({@link #published}), the
     * rest stays staged ({@link #pending}), and the call can be repeated; the failure carries both as a suppressed
     * exception's message.
     */
    public void commit() {
        synchronized (committing) {
            List<Staged> all = begin();
            BitSet done = new BitSet(all.size());
            try {
                writes.changeCells(
                        all.size(),
                        i -> all.get((int) i).cell().origin(),
                        (i, cell) -> all.get((int) i)
                                .content(chunks.inside(cell), chunks.codec(cell).readShape()),
                        i -> published(all.get((int) i), (int) i, done));
            } catch (Throwable e) {
                giveBack(all, done, e);
                throw e;
            }
        }
    }

    private synchronized List<Staged> begin() {
        open();
        published.clear();
        return staged.takeAll();
    }

    private synchronized void published(Staged shard, int number, BitSet done) {
        done.set(number);
        published.add(chunks.storedKey(shard.cell().origin()));
        bytes = closed ? 0 : bytes - StagedShards.free(shard);
    }

    private synchronized void giveBack(List<Staged> all, BitSet done, Throwable failure) {
        if (!closed) {
            staged.putBack(IntStream.range(0, all.size())
                    .filter(i -> !done.get(i))
                    .mapToObj(all::get)
                    .toList());
        }
        failure.addSuppressed(new StoreException("the commit published " + done.cardinality() + " of " + all.size()
                + " shards: " + some(published) + "; not published: " + some(pending())));
    }

    private static String some(List<String> keys) {
        return keys.size() <= NAMED
                ? keys.toString()
                : keys.subList(0, NAMED) + " and " + (keys.size() - NAMED) + " more";
    }

    /** As {@link #commit}, without waiting; cancelling the future ends it between shards. */
    public CompletableFuture<Unit> commitAsync() {
        return session.async(() -> {
            commit();
            return Unit.UNIT;
        });
    }

    /** Drops what is staged and was not committed. */
    @Override
    public synchronized void close() {
        closed = true;
        staged.takeAll();
        bytes = 0;
    }
}
