package dev.shardkit.session;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.engine.threads.PreparedCall;
import dev.shardkit.engine.threads.SerialCalls;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.registry.Registry;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.session.search.NodeLookup;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.SystemErrorText;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state that all nodes of an opened store share: the store, the options, the engine and the cache. Thread-safe. */
public final class Session {
    /** The most names in a folder that are listed for node formats, which get them in memory. */
    private static final int MAX_NAMES = 1 << 20;

    private final Opened opened;
    private final NodeLifetime lifetime;
    /** Runs when the session is closed; null for views, whose closing is a no-op. */
    private final @Nullable Runnable onClose;

    private final Documents documents;

    /** A blocking call of a store. */
    @FunctionalInterface
    public interface StoreCall<T> {
        T run(BlockingStore store) throws IOException;
    }

    /** An opened store and the options, plug-ins, engine and cache for its nodes. */
    private record Opened(
            Store store, Settings options, Registry registry, Engine engine, ObjectEdits edits, ValueCache cache) {
        static Opened of(Store store, Settings options, Registry registry) {
            return of(
                    NamedFormat.choose(store, options.formats(), registry),
                    options,
                    registry,
                    engine(options),
                    new ValueCache(options.cacheBytes()));
        }

        private static Opened of(Store store, Settings options, Registry registry, Engine engine, ValueCache cache) {
            return new Opened(store, options, registry, engine, new ObjectEdits(engine), cache);
        }

        private static Engine engine(Settings options) {
            return new Engine(
                    Workers.of(options.threads().executor(), options.threads().parallelism()));
        }

        Opened with(Settings newOptions) {
            return of(
                    store,
                    newOptions,
                    registry,
                    options.threads().equals(newOptions.threads()) ? engine : engine(newOptions),
                    options.cacheBytes() == newOptions.cacheBytes() ? cache : new ValueCache(newOptions.cacheBytes()));
        }
    }

    /**
     * Where the metadata of the nodes come from.
     *
     * @param areStored whether the documents were stored when the nodes were opened; if not, the metadata come from the
     *     caller, or will be stored later
     * @param foreign the other format of the documents; null for Zarr v3
     */
    private record Documents(boolean areStored, FoundNode.@Nullable Foreign foreign) {
        static final Documents STORED = new Documents(true, null);
    }

    /** Creates a session of an opened store with these plug-ins. */
    public Session(Store store, Settings options, Registry registry) {
        this(Opened.of(store, options, registry), NodeLifetime.start(), () -> {}, Documents.STORED);
    }

    /** Creates a session of an opened store with the plug-ins of the options. */
    public Session(Store store, Settings options) {
        this(store, options, options.registry().get());
    }

    private Session(Opened opened, NodeLifetime lifetime, @Nullable Runnable onClose, Documents documents) {
        this.opened = opened;
        this.lifetime = lifetime;
        this.onClose = onClose;
        this.documents = documents;
    }

    /** Returns a view with other options but the same plug-ins. Closing it is a no-op. */
    public Session with(Settings options) {
        return new Session(opened.with(options), lifetime, null, documents);
    }

    /**
     * Returns this session for a node whose documents are of another format, or of Zarr v3 if {@code foreign} is null.
     */
    public Session describedBy(FoundNode.@Nullable Foreign foreign) {
        return Objects.equals(foreign, documents.foreign())
                ? this
                : new Session(opened, lifetime, onClose, new Documents(documents.areStored(), foreign));
    }

    /** Returns the other format of the node's documents; empty for Zarr v3. */
    public Optional<FoundNode.Foreign> foreign() {
        return Optional.ofNullable(documents.foreign());
    }

    /** Throws {@code IllegalStateException} if the node was closed or deleted. */
    public void refuseEnded(String path) {
        lifetime.refuseEnded(location(path));
    }

    /** Returns this session for a handle that closes the store when it is closed. */
    public Session owning() {
        return new Session(opened, NodeLifetime.start(), opened.store()::close, documents);
    }

    /** Returns this session for a node that is opened through this one. Closing that node closes only it. */
    public Session below() {
        return new Session(opened, lifetime.below(), () -> {}, documents);
    }

    /** Returns this session for a node whose document is not stored, or not yet. */
    public Session given() {
        return new Session(opened, lifetime, onClose, new Documents(false, documents.foreign()));
    }

    /** Returns this session for the Zarr v3 documents of other nodes, independent of this node's lifetime. */
    public Session ofDocuments() {
        return new Session(opened, NodeLifetime.start(), null, Documents.STORED);
    }

    /** Returns whether the node must have a stored document of Zarr v3. */
    public boolean isStored() {
        return documents.areStored() && documents.foreign() == null;
    }

    /** Returns whether the metadata of the nodes come from stored documents, of any format. */
    public boolean hasDocuments() {
        return documents.areStored();
    }

    public void close() {
        if (onClose != null && lifetime.close()) {
            onClose.run();
        }
    }

    public Store store() {
        return opened.store();
    }

    public Settings options() {
        return opened.options();
    }

    public Registry registry() {
        return opened.registry();
    }

    public Engine engine() {
        return opened.engine();
    }

    public ObjectEdits edits() {
        return opened.edits();
    }

    /** Returns the location of {@code path}, for errors. */
    public String location(String path) {
        return StoreKeys.location(store().describe(), path);
    }

    public ReadContext reading(String path) {
        lifetime.refuseClosed(location(path));
        return options().reading(store().reads(), location(path), opened.cache());
    }

    public WriteContext writing(String path) {
        lifetime.refuseEnded(location(path));
        return options().writing(writable("changing an array or group").store(), path, reading(path));
    }

    /** Returns blocking access to the store's objects. */
    public BlockingStore objects() {
        return BlockingStore.to(store());
    }

    /**
     * Returns blocking access to the objects of a store that supports writing.
     *
     * @param purpose the operation, for the error of a read-only store ({@link Store#need})
     */
    public BlockingStore writable(String purpose) {
        store().need(Writes.class, purpose);
        return objects();
    }

    /** Returns whether the store is local, so that a read has little latency. */
    public boolean isLocal() {
        return store().reads() instanceof LocalReads;
    }

    /** Runs a blocking call on a thread of its own. Cancelling the future interrupts it. */
    public <T> CompletableFuture<T> async(Supplier<T> call) {
        return engine().workers().async(call);
    }

    /** Runs a call that prepares work on a thread of its own. Then begins this work, which holds no thread. */
    public <T> CompletableFuture<T> asyncThen(Supplier<PreparedCall<T>> call) {
        return engine().workers().asyncThen(call);
    }

    /** Reads the node at {@code path} in any format; empty if there is none. */
    public Plan<Optional<FoundNode>> find(String path) {
        return search().find(path);
    }

    /**
     * Makes the next reads check cached values against the store, also values that it would trust for some seconds. A
     * caller that has just read newer metadata needs this.
     */
    public void checkCached() {
        opened.cache().distrust();
    }

    public NodeLookup search() {
        return new NodeLookup(
                registry(), options().limits(), isLocal(), NodeLookup.Stated.of(store()), this::namesBelow);
    }

    /**
     * Returns the names directly below {@code prefix}, for node formats that need them; empty if the store is remote or
     * cannot list.
     */
    private Optional<List<String>> namesBelow(String prefix) {
        if (!isLocal() || !store().can(Listings.class)) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        list(prefix, entry -> {
            if (names.size() == MAX_NAMES) {
                throw new UnsupportedException("expected at most " + MAX_NAMES + " names in a folder, found more")
                        .locate(Optional.of(location(prefix)), Optional.empty(), Optional.empty());
            }
            names.add(entry.name());
        });
        return Optional.of(names);
    }

    /** Returns a queue of calls that run one at a time. */
    public SerialCalls serialCalls() {
        return new SerialCalls(engine().workers());
    }

    /** Lists the entries directly below {@code prefix}. */
    public void list(String prefix, Consumer<Entry> entries) {
        lifetime.refuseClosed(location(prefix));
        store().need(Listings.class, "finding the children of a group");
        try {
            objects().list(prefix, entries);
        } catch (IOException e) {
            throw failed(prefix, e);
        }
    }

    /** Makes later writes to the node fail, because it was deleted. */
    void endWrites() {
        lifetime.delete();
    }

    /** Runs a call of the store. */
    public <T> T store(String path, StoreCall<T> call) {
        lifetime.refuseClosed(location(path));
        try {
            return call.run(objects());
        } catch (IOException e) {
            Engine.refuseInterrupted(e);
            throw failed(path, e);
        } catch (StoreException e) {
            Engine.refuseInterrupted(e);
            throw e;
        }
    }

    private ZarrException failed(String path, IOException cause) {
        return new StoreException("the store failed: " + SystemErrorText.of(cause), cause)
                .locate(Optional.of(location(path)), Optional.empty(), Optional.empty());
    }
}
