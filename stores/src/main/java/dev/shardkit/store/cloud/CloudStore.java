package dev.shardkit.store.cloud;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RemoteOptions;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedRead;
import dev.shardkit.store.remote.RetryLimits;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.Transports;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the objects of a bucket or container, below a prefix. The public stores of the clouds wrap it; the
 * differences between clouds are in {@link CloudService} and {@link BulkOperations}. Thread-safe.
 */
public final class CloudStore implements Store, RemoteReads, Writes, Listings, TreeDeletions {
    private final RequestContext context;
    private final CloudService service;
    private final CloudWrites changes;
    private final BulkOperations bulk;
    private final @Nullable MergePolicy mergePolicy;
    private final Duration freshFor;
    private final Transports.Lease lease;
    private final Runnable end;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CloudStore(
            RequestContext context,
            CloudService service,
            BulkOperations bulk,
            RemoteOptions options,
            Transports.Lease lease,
            Runnable end) {
        this.context = context;
        this.service = service;
        this.changes = new CloudWrites(context, service);
        this.bulk = bulk;
        this.lease = lease;
        this.mergePolicy = options.mergePolicy();
        this.freshFor = options.freshFor();
        this.end = end;
    }

    /**
     * Opens a store; sends no request.
     *
     * @param bulk creates the cloud's bulk operations, which send their changes through the given writes
     * @param end releases the resources of the service
     */
    public static CloudStore open(
            CloudService service, RemoteOptions options, Function<CloudWrites, BulkOperations> bulk, Runnable end) {
        // The clouds offer no newer version of HTTP that would be faster.
        Transports.Lease lease = options.lease(TransportSettings.Protocol.HTTP_1_1);
        RequestContext context = options.common(service, lease);
        context.ranges().set(service.ranges());
        return new CloudStore(context, service, bulk.apply(new CloudWrites(context, service)), options, lease, end);
    }

    /** Returns the default settings of builders. */
    public static RemoteOptions options() {
        return new RemoteOptions(retries(RetryPolicy.standard()));
    }

    /** Converts the policy of a builder to the limits of requests. */
    public static RetryLimits retries(RetryPolicy policy) {
        return new RetryLimits(policy.maxAttempts(), policy.firstPause(), policy.longestPause());
    }

    private void check(String key) {
        service.location().nameOf(key);
        checkOpen();
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("closed: " + describe());
        }
    }

    /** Returns the cloud's operations on large objects and on many objects. */
    public BulkOperations bulk() {
        return bulk;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : bulk.find(ability);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        check(request.key());
        return new RetriedRead(context, request).start();
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public boolean reportsProgress() {
        return context.ranges().get() == RangeSupport.ANSWERED && !service.checksWholeObjects();
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public MergePolicy mergePolicy() {
        return mergePolicy == null ? context.traffic().policy() : mergePolicy;
    }

    @Override
    public int maxRequests() {
        return mergePolicy == null ? context.traffic().window() : mergePolicy.parallel();
    }

    @Override
    public Set<Condition.Kind> honours() {
        return bulk.honours();
    }

    @Override
    public boolean copiesRanges() {
        return bulk.copiesRanges() && !context.hasEncoded();
    }

    @Override
    public CompletionStage<WriteResult> put(String key, Content content, Condition condition, Durability durability) {
        return put(key, content, body -> put(key, body, condition, WriteIds.alone()));
    }

    @Override
    public CompletionStage<WriteResult> putExactlyOnce(
            String key, Content content, Condition condition, Durability durability) {
        return put(key, content, body -> changes.once(key, condition, ids -> put(key, body, condition, ids)));
    }

    private CompletionStage<WriteResult> put(
            String key, Content content, Function<PutBody, CompletionStage<WriteResult>> putBody) {
        check(key);
        try {
            return putBody.apply(PutBody.of(content, changes.what("PUT", key)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<WriteResult> put(String key, PutBody body, Condition condition, WriteIds ids) {
        boolean large = body.size() > bulk.largestPut();
        if (large && !body.isInMemory() && !context.hasEncoded()) {
            return bulk.putMoved(key, body, condition, ids);
        }
        return body.withBytes(
                context,
                bytes -> large ? bulk.putLarge(key, bytes, condition, ids) : changes.put(key, bytes, condition, ids));
    }

    @Override
    public CompletionStage<WriteResult> delete(String key, Condition condition) {
        check(key);
        return changes.delete(key, condition);
    }

    @Override
    public Names list(String prefix, Depth depth) {
        String listPrefix = service.location().below(prefix);
        checkOpen();
        return new CloudListing(
                bulk, listPrefix, depth, object -> rememberSize(StoreKeys.join(prefix, object.name()), object));
    }

    /** Records the size of a listed object, so that a later read detects a response that was cut short. */
    private void rememberSize(String key, Entry object) {
        if (object.version().isPresent() && object.size().isPresent()) {
            context.sizes().listed(key, object.version().get(), object.size().getAsLong());
        }
    }

    @Override
    public void deleteAll(String prefix) {
        String listPrefix = service.location().below(prefix);
        checkOpen();
        new PrefixDelete(describe(), bulk, bulk::delete).delete(listPrefix);
    }

    @Override
    public void reserved(String prefix, Consumer<String> names) {
        String listPrefix = service.location().below(prefix);
        checkOpen();
        new PrefixDelete(describe(), bulk, bulk::delete).reserved(listPrefix, names);
    }

    @Override
    public String describe() {
        return service.describe();
    }

    /** Cancels the running calls. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            context.failAll(new StoreException("closed: " + describe()));
            lease.close();
            end.run();
        }
    }
}
