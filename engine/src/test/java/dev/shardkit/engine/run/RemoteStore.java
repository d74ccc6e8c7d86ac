package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** A remote store over a map: it answers at once, on the thread that asks, or when the test lets it. */
public final class RemoteStore implements Store, RemoteReads {
    @Override
    public Reads reads() {
        return this;
    }

    /** A request as it was made. */
    public record Asked(String key, ByteRange range, Optional<String> pin) {}

    /** A request that waits for the test. */
    public record Pending(Asked asked, CompletableFuture<FetchResult> future) {}

    private record Stored(byte[] bytes, Optional<String> version) {}

    private final Map<String, Stored> objects = new ConcurrentHashMap<>();
    private final List<Asked> asked = new ArrayList<>();
    public final BlockingQueue<Pending> pending = new LinkedBlockingQueue<>();
    public volatile boolean answersAtOnce = true;
    /** Whether it has no ranges. */
    public volatile boolean sendsAll;

    public volatile Duration freshFor = Duration.ZERO;
    /** Runs inside each request, before its future exists. */
    public volatile Runnable onFetch = () -> {};

    /** Makes the futures of requests. */
    public volatile Supplier<CompletableFuture<FetchResult>> futures = CompletableFuture::new;

    private int versions;

    public synchronized RemoteStore with(String key, byte[] bytes) {
        objects.put(key, new Stored(bytes, Optional.of("v" + ++versions)));
        return this;
    }

    public RemoteStore withoutVersion(String key, byte[] bytes) {
        objects.put(key, new Stored(bytes, Optional.empty()));
        return this;
    }

    public RemoteStore without(String key) {
        objects.remove(key);
        return this;
    }

    public int size(String key) {
        return objects.get(key).bytes().length;
    }

    public RemoteStore asking() {
        answersAtOnce = false;
        return this;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest fetched) {
        Stored stored = objects.get(fetched.key());
        if (sendsAll && stored != null) {
            fetched.budget().reserve(stored.bytes().length);
        }
        Asked request = new Asked(fetched.key(), fetched.range(), fetched.pin());
        synchronized (this) {
            asked.add(request);
        }
        onFetch.run();
        CompletableFuture<FetchResult> future = futures.get();
        if (answersAtOnce) {
            answer(new Pending(request, future));
        } else {
            pending.add(new Pending(request, future));
        }
        return future;
    }

    /** Answers by what the object is now, whatever the pin says: so the engine has to look at the version itself. */
    public void answer(Pending p) {
        Stored stored = objects.get(p.asked().key());
        if (stored == null) {
            p.future().complete(new FetchResult.Absent());
            return;
        }
        try {
            Bytes bytes = Bytes.of(stored.bytes()).slice(p.asked().range());
            p.future()
                    .complete(
                            sendsAll
                                    ? all(stored, bytes)
                                    : new FetchResult.Found(bytes, stored.bytes().length, stored.version()));
        } catch (IndexOutOfBoundsException e) {
            p.future().completeExceptionally(new dev.shardkit.spi.error.CorruptDataException("a range past the end"));
        }
    }

    private static FetchResult all(Stored stored, Bytes bytes) {
        Bytes all = Bytes.of(stored.bytes());
        return new FetchResult.Found(bytes, all.size(), stored.version(), all.size(), Optional.of(all));
    }

    /** Answers as a server does that is told a pin. */
    public void refuse(Pending p) {
        p.future()
                .completeExceptionally(
                        new ObjectChangedException("expected " + p.asked().pin() + ", found another"));
    }

    /** The requests so far. */
    public synchronized List<Asked> asked() {
        return List.copyOf(asked);
    }

    public synchronized int requests() {
        return asked.size();
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public String describe() {
        return "remote:";
    }
}
