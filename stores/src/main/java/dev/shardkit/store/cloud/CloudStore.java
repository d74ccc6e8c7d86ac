package dev.shardkit.store.cloud;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Lists;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.Prunes;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.remote.RangeRead;
import dev.shardkit.store.remote.Ranges;
import dev.shardkit.store.remote.RemoteOptions;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.Retries;
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

/** The store of a bucket or container, below a prefix. Thread-safe. */
public final class CloudStore implements Store, FarReads, Writes, Lists, Prunes {
    private final RequestContext common;
    private final CloudService service;
    private final Changes changes;
    private final BulkOperations bulk;
    private final @Nullable MergePolicy mergePolicy;
    private final Duration freshFor;
    private final Transports.Lease lease;
    private final Runnable end;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CloudStore(
            RequestContext common,
            CloudService service,
            BulkOperations bulk,
            RemoteOptions options,
            Transports.Lease lease,
            Runnable end) {
        this.common = common;
        this.service = service;
        this.changes = new Changes(common, service);
        this.bulk = bulk;
        this.lease = lease;
        this.mergePolicy = options.mergePolicy();
        this.freshFor = options.freshFor();
        this.end = end;
    }

    /**
     * Opens a store; sends no request.
     *
     * @param bulk makes the operations of several requests
     * @param end releases the resources of the service
     */
    public static CloudStore open(
            CloudService service, RemoteOptions options, Function<Changes, BulkOperations> bulk, Runnable end) {
        // The clouds have nothing newer that would be faster.
        Transports.Lease lease = options.lease(TransportSettings.Protocol.HTTP_1_1);
        RequestContext common = options.common(service, lease);
        common.ranges().set(service.ranges());
        return new CloudStore(common, service, bulk.apply(new Changes(common, service)), options, lease, end);
    }

    /** Returns the default settings of builders. */
    public static RemoteOptions options() {
        return new RemoteOptions(retries(RetryPolicy.standard()));
    }

    /** Returns a policy of the API. */
    public static Retries retries(RetryPolicy policy) {
        return new Retries(policy.tries(), policy.firstPause(), policy.longestPause());
    }

    private void check(String key) {
        service.place().nameOf(key);
        checkOpen();
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("closed: " + describe());
        }
    }

    /** Returns the operations of several requests. */
    public BulkOperations bulk() {
        return bulk;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : bulk.find(ability);
    }

    @Override
    public CompletableFuture<Fetched> fetch(FetchRequest request) {
        check(request.key());
        return new RangeRead(common, request).start();
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public boolean reportsProgress() {
        return common.ranges().get() == Ranges.ANSWERED && !service.checksWholeObjects();
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public MergePolicy mergePolicy() {
        return mergePolicy == null ? common.traffic().policy() : mergePolicy;
    }

    @Override
    public int maxRequests() {
        return mergePolicy == null ? common.traffic().window() : mergePolicy.parallel();
    }

    @Override
    public Set<Condition.Kind> honours() {
        return bulk.honours();
    }

    @Override
    public boolean copiesRanges() {
        return bulk.copiesRanges() && !common.hasEncoded();
    }

    @Override
    public CompletionStage<Outcome> put(String key, Content content, Condition condition, Durability durability) {
        return put(key, content, body -> put(key, body, condition, WriteIds.alone()));
    }

    @Override
    public CompletionStage<Outcome> putExactlyOnce(
            String key, Content content, Condition condition, Durability durability) {
        return put(key, content, body -> changes.once(key, condition, ids -> put(key, body, condition, ids)));
    }

    private CompletionStage<Outcome> put(
            String key, Content content, Function<Body, CompletionStage<Outcome>> putting) {
        check(key);
        try {
            return putting.apply(Body.of(content, changes.what("PUT", key)));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Outcome> put(String key, Body body, Condition condition, WriteIds ids) {
        boolean large = body.size() > bulk.largestPut();
        if (large && !body.isInMemory() && !common.hasEncoded()) {
            return bulk.putMoved(key, body, condition, ids);
        }
        return body.withBytes(
                common,
                bytes -> large ? bulk.putLarge(key, bytes, condition, ids) : changes.put(key, bytes, condition, ids));
    }

    @Override
    public CompletionStage<Outcome> delete(String key, Condition condition) {
        check(key);
        return changes.delete(key, condition);
    }

    @Override
    public Names list(String prefix, Depth depth) {
        String before = service.place().below(prefix);
        checkOpen();
        return new Listing(bulk, before, depth, object -> known(StoreKeys.join(prefix, object.name()), object));
    }

    /** Records the size of an object, so an answer that shortens it is refused. */
    private void known(String key, Entry object) {
        if (object.version().isPresent() && object.size().isPresent()) {
            common.sizes().listed(key, object.version().get(), object.size().getAsLong());
        }
    }

    @Override
    public void deleteAll(String prefix) {
        String before = service.place().below(prefix);
        checkOpen();
        new PrefixDelete(describe(), bulk, bulk::delete).delete(before);
    }

    @Override
    public void reserved(String prefix, Consumer<String> names) {
        String before = service.place().below(prefix);
        checkOpen();
        new PrefixDelete(describe(), bulk, bulk::delete).reserved(before, names);
    }

    @Override
    public String describe() {
        return service.describe();
    }

    /** Cancels the running calls. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            common.failAll(new StoreException("closed: " + describe()));
            lease.close();
            end.run();
        }
    }
}
