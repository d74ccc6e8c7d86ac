package dev.shardkit.store.remote;

import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.remote.exchange.KnownSizes;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state that all requests of one remote store share: settings, limits, measurements of the network, and what
 * responses have shown about the server. Thread-safe.
 */
public final class RequestContext {
    /**
     * The settings of a store.
     *
     * @param deadline the deadline of one call
     * @param idle how long a request may receive nothing
     * @param retries how failed requests are retried
     * @param largestObject the maximum size of an object that is read whole
     * @param comparesEtags whether ETags identify versions
     * @param missingIfForbidden whether 403 means that an object does not exist
     * @param metrics receives the figures of each request
     */
    public record Settings(
            Duration deadline,
            Duration idle,
            RetryLimits retries,
            long largestObject,
            boolean comparesEtags,
            boolean missingIfForbidden,
            Consumer<RequestMetrics> metrics) {
        static final Consumer<RequestMetrics> NO_METRICS = metrics -> {};
    }

    private final ServerProtocol origin;
    private final Transport transport;
    private final Settings settings;
    private final Permits permits;
    private final Permits hostPermits;
    private final NetworkEstimate traffic;
    private final AtomicReference<RangeSupport> ranges = new AtomicReference<>(RangeSupport.ALL);
    private final KnownSizes sizes = new KnownSizes();
    private volatile boolean foundEncoded;
    private volatile @Nullable RuntimeException closed;
    private final Set<RetriedRequest<?>> requests = ConcurrentHashMap.newKeySet();

    /** Creates the state of a store that sends at most {@code parallel} requests at once. */
    public RequestContext(ServerProtocol origin, Transport transport, Settings settings, int parallel) {
        this.origin = origin;
        this.transport = transport;
        this.settings = settings;
        this.permits = new Permits(parallel);
        this.hostPermits = HostLimits.of(origin.host(), parallel);
        this.traffic = new NetworkEstimate(System::nanoTime, parallel);
    }

    ServerProtocol origin() {
        return origin;
    }

    Transport transport() {
        return transport;
    }

    /** Returns how often a failed request is retried. */
    public RetryLimits retries() {
        return settings.retries();
    }

    Settings settings() {
        return settings;
    }

    /** Returns the measurements of the store. */
    public NetworkEstimate traffic() {
        return traffic;
    }

    /**
     * Runs {@code work} now on this thread, or later, when the limits of the store and of its host allow a request.
     * {@code work} must not block or throw, and must {@link #release}.
     *
     * @param onFailure is called instead of {@code work} if memory runs out
     */
    void acquire(Runnable work, Consumer<Throwable> onFailure) {
        permits.acquire(() -> {
            try {
                hostPermits.acquire(work);
            } catch (Throwable e) {
                permits.release();
                onFailure.accept(e);
            }
        });
    }

    /** Releases the permits of a request. */
    void release() {
        try {
            hostPermits.release();
        } finally {
            permits.release();
        }
    }

    /** Returns the range support of the server, which responses may change. */
    public AtomicReference<RangeSupport> ranges() {
        return ranges;
    }

    /** Returns the sizes of objects that the server has declared or listed. */
    public KnownSizes sizes() {
        return sizes;
    }

    /** Records that an object is stored with a Content-Encoding. */
    void foundEncoded() {
        foundEncoded = true;
    }

    /**
     * Returns whether an object of the store was found to have a Content-Encoding. The store then lets the server copy
     * no ranges of objects, because it would copy ranges of the encoded form.
     */
    public boolean hasEncoded() {
        return foundEncoded;
    }

    Set<RetriedRequest<?>> requests() {
        return requests;
    }

    /** Fails all running requests, and all that begin later. */
    public void failAll(RuntimeException failure) {
        closed = failure;
        List.copyOf(requests).forEach(request -> request.fail(failure));
    }

    /** Adds a running request; fails it if {@link #failAll} was called. */
    void register(RetriedRequest<?> request) {
        requests.add(request);
        RuntimeException failure = closed;
        if (failure != null) {
            request.fail(failure);
        }
    }
}
