package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns a local store into a remote one: an executor answers requests, immediately or when a test allows it, and
 * answers to writes can be lost. It has the reads, {@link Writes}, {@link Listings} and {@link TreeDeletions} of the
 * wrapped store; {@link #keeping} adds further abilities. {@link #copyingRanges} makes it copy ranges as object stores
 * do. Thread-safe.
 */
public final class RemoteAdapter implements Store, RemoteReads, Writes, Listings {
    /** Whether the answer to a write is delivered or lost. */
    public enum Answer {
        /** The answer arrives. */
        COMES,
        /** The answer is lost after the write was made. */
        LOST,
        /** The answer is lost with the request: the write was not made. */
        LOST_WITH_THE_REQUEST
    }

    /** Decides about the answers to writes; called once for each. */
    public interface Answers {
        /** Returns what happens to the answer. */
        Answer of(String key);
    }

    /** The abilities that this class provides itself, if the wrapped store has them. */
    private static final Set<Class<?>> ADAPTED = Set.of(Writes.class, Listings.class);

    private final Store local;
    private final LocalReads reads;
    private final Executor executor;
    private final int maxRequests;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    /** The bytes that {@link #bytesCarried} returns. */
    private final AtomicLong carried = new AtomicLong();

    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger maxUnderWay = new AtomicInteger();
    /** The abilities of the wrapped store that are passed on unchanged. */
    private final Set<Class<?>> passedOn = ConcurrentHashMap.newKeySet();

    private volatile Answers answers = key -> Answer.COMES;
    private volatile @Nullable PutParts ranges;

    private RemoteAdapter(Store local, Executor executor, int maxRequests) {
        this.local = local;
        this.reads = (LocalReads) local.reads();
        this.executor = executor;
        this.maxRequests = maxRequests;
        passedOn.add(TreeDeletions.class);
    }

    /** Returns {@code local} as a remote store that answers on the calling thread, up to 16 requests of a call. */
    public static RemoteAdapter of(Store local) {
        return new RemoteAdapter(local, Runnable::run, 16);
    }

    /**
     * Returns {@code local} as a remote store.
     *
     * @param executor runs the answers
     * @param maxRequests the maximum number of concurrent requests of one call
     */
    public static RemoteAdapter of(Store local, Executor executor, int maxRequests) {
        return new RemoteAdapter(local, executor, maxRequests);
    }

    /**
     * Also exposes abilities of the wrapped store, such as {@link Locks} and {@link Copies}, unchanged: their calls
     * block.
     *
     * @return this store
     * @throws IllegalArgumentException for {@link Patches}, which need a local store
     */
    public RemoteAdapter keeping(Set<Class<? extends Ability>> abilities) {
        if (abilities.contains(Patches.class)) {
            throw new IllegalArgumentException("a remote store does not change objects in place");
        }
        passedOn.addAll(abilities);
        return this;
    }

    /**
     * Accepts ranges of stored objects as parts of puts ({@link Writes#copiesRanges}).
     *
     * @return this store
     */
    public RemoteAdapter copyingRanges() {
        this.ranges = new PutParts(local.describe(), reads);
        return this;
    }

    /** Returns the number of bytes that puts copied from stored objects. */
    public long bytesCopied() {
        PutParts copying = ranges;
        return copying == null ? 0 : copying.bytesCopied();
    }

    /**
     * Returns the number of bytes that reads and puts transferred, without bytes that puts copied from stored objects.
     */
    public long bytesCarried() {
        return carried.get();
    }

    /** Sets which answers to writes are lost from now on. */
    public void loseAnswers(Answers which) {
        this.answers = which;
    }

    /** Returns the number of requests, writes included. */
    public int requests() {
        return requests.get();
    }

    /** Returns the number of puts and deletes. */
    public int writes() {
        return writes.get();
    }

    /** Returns the maximum number of concurrent requests so far. */
    public int maxUnderWay() {
        return maxUnderWay.get();
    }

    @Override
    public String describe() {
        return "remote form of " + local.describe();
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        if (ADAPTED.contains(ability)) {
            return local.can(ability) ? Optional.of(ability.cast(this)) : Optional.empty();
        }
        return passedOn.contains(ability) ? local.find(ability) : Optional.empty();
    }

    /** Counts a request, and returns the future of its answer, which the executor computes. */
    private <T> CompletableFuture<T> answer(Callable<T> request) {
        requests.incrementAndGet();
        maxUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        CompletableFuture<T> future = new CompletableFuture<>();
        AtomicBoolean isCounted = new AtomicBoolean(true);
        // A request stops counting before its future completes, because dependents may send the next request at once.
        // Runs again when the future completes, for futures that the caller cancelled; only the first run counts.
        Runnable ended = () -> underWay.addAndGet(isCounted.getAndSet(false) ? -1 : 0);
        future.whenComplete((value, thrown) -> ended.run());
        executor.execute(() -> {
            if (future.isDone()) {
                return;
            }
            try {
                T value = request.call();
                ended.run();
                future.complete(value);
            } catch (Throwable e) {
                ended.run();
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    @Override
    public int maxRequests() {
        return maxRequests;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return answer(() -> readNow(request.key(), request.range(), request.pin()));
    }

    /** Reads a range from the wrapped store, on the calling thread. */
    private FetchResult readNow(String key, ByteRange range, Optional<String> pin) throws IOException {
        Optional<ObjectSnapshot> opened = reads.open(key);
        if (opened.isEmpty()) {
            if (pin.isPresent()) {
                throw new ObjectChangedException("expected version " + pin.get() + ", found no object");
            }
            return new FetchResult.Absent();
        }
        try (ObjectSnapshot object = opened.get()) {
            if (pin.isPresent() && !pin.get().equals(object.version())) {
                throw new ObjectChangedException("expected version " + pin.get() + ", found " + object.version());
            }
            ByteBuffer all = ByteBuffer.allocate((int) object.size());
            object.read(0, all);
            try {
                Bytes part = Bytes.of(all.flip()).slice(range);
                carried.addAndGet(part.size());
                return new FetchResult.Found(part, object.size(), Optional.of(object.version()));
            } catch (IndexOutOfBoundsException e) {
                throw new CorruptDataException("a range past the end: " + range + " of " + object.size() + " bytes");
            }
        }
    }

    @Override
    public Set<Condition.Kind> honours() {
        return localWrites().honours();
    }

    @Override
    public boolean copiesRanges() {
        return ranges != null;
    }

    private BlockingWrites localWrites() {
        return (BlockingWrites) local.need(Writes.class, "write");
    }

    @Override
    public CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability) {
        PutParts copying = ranges;
        return write(key, () -> {
            Content all = copying != null ? copying.joined(content) : content;
            carried.addAndGet(copying != null ? PutParts.literalBytes(content) : content.size());
            return localWrites().putNow(key, all, condition, durability);
        });
    }

    @Override
    public CompletionStage<WriteResult> delete(String key, Condition condition) {
        return write(key, () -> localWrites().deleteNow(key, condition));
    }

    private CompletionStage<WriteResult> write(String key, Callable<WriteResult> write) {
        writes.incrementAndGet();
        return answer(() -> switch (answers.of(key)) {
            case COMES -> write.call();
            case LOST -> {
                write.call();
                yield lost();
            }
            case LOST_WITH_THE_REQUEST -> lost();
        });
    }

    private static WriteResult lost() {
        return new WriteResult.Unknown(new StoreException("the answer was lost"));
    }

    @Override
    public Names list(String prefix, Depth depth) {
        Names names = local.need(Listings.class, "list").list(prefix, depth);
        return () -> answer(() -> names.next().toCompletableFuture().join());
    }

    @Override
    public void close() {
        local.close();
    }
}
