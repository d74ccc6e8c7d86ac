package dev.shardkit.store.remote;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.GzipEncodedResponse;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.store.remote.exchange.ResponseClassifier;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.Secrets;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One read of a range of an object. It may take several requests (for example for the size first), each with retries;
 * all share one deadline. {@link #answered} decides after each response whether the read is complete or which request
 * follows.
 */
public final class RetriedRead extends RetriedRequest<FetchResult> {
    /** The maximum number of requests of one read. A correct server needs at most three: suffix, size, slice. */
    private static final int MAX_REQUESTS = 4;

    private static final int MAX_REDIRECTS = 5;
    /** The size in bytes up to which a part of a whole object is copied, so that the whole need not stay in memory. */
    private static final long MAX_COPIED = 1 << 20;

    /** How often a read is restarted because the object changed after its size was known. */
    private static final int MAX_RESTARTS = 100;

    private final String key;
    private final ByteRange range;
    private final StoreListener listener;
    private final WholeBodyBudget budget;
    private final AtomicLong receivedBytes = new AtomicLong();
    private final long startNanos = System.nanoTime();
    /** The version that responses must have; null for any. */
    private @Nullable String pin;

    /** The range of the current request. */
    private RangeRequest rangeRequest;

    private int requestCount;

    /** The URL of the current request, the store's own or that of a redirect; null before the first request. */
    private volatile @Nullable URI requestUrl;
    /** The URL of the next request if the last response was a redirect. A retry begins at the store's own URL again. */
    private @Nullable URI redirectTarget;

    /** The number of redirects since the last request to the store's own URL. */
    private volatile int redirects;
    /**
     * Whether the server refused the request for the size, which is a request for the first byte. A request without a
     * Range header then shows whether the object is empty or the server refuses all ranges.
     */
    private boolean noFirstByte;

    /**
     * Whether the whole object is requested instead of the range, because the object has a Content-Encoding and its
     * ranges would be those of the encoded form.
     */
    private boolean wholeInstead;

    /** Whether the body must be decompressed (gzip), which takes long. Read by the transport's threads. */
    private volatile boolean decodes;

    /**
     * The failure of a range past the end of the stored bytes; null if there is none. The read does not fail at once,
     * because the stored bytes may have a Content-Encoding, and the decoded object may be larger. The next request, for
     * the size ({@link RangeRequest#SIZE}), shows whether the object is encoded. If so, the read requests the whole
     * object; if not, it ends with this failure.
     */
    private @Nullable RuntimeException pastTheEnd;

    /** Whether the listener knows that the server does not support ranges of the object. */
    private boolean noRangesReported;

    /** Whether the pin is the version of an earlier response of this read, not the caller's. */
    private boolean isOwnPin;

    private int restarts;
    /** Gives the beginning of a long body to the caller before the rest has arrived. */
    private final EarlyBodyDelivery partialBodies;
    /** The bytes of the range that earlier attempts received. The next attempt requests the rest. */
    private Bytes earlierBytes = Bytes.EMPTY;

    /**
     * Whether the caller promises that its actions after the future's completion never block. Then even a thread that
     * must not block may complete the future.
     */
    private final boolean direct;

    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.remote");

    /** Creates the read of a range, which {@link #start} begins. */
    public RetriedRead(RequestContext context, FetchRequest request) {
        super(context);
        this.partialBodies = new EarlyBodyDelivery(context.transport(), request.progress());
        this.key = request.key();
        this.range = request.range();
        this.pin = request.pin().orElse(null);
        this.listener = request.listener();
        this.budget = request.budget();
        this.direct = request.dependents() == FetchRequest.Dependents.NEVER_BLOCK;
        this.rangeRequest = RangeRequest.of(request.range(), context.ranges().get());
    }

    /** Returns true for whole objects too: they may be large, and their checksums take long to compute. */
    @Override
    boolean endMayWait() {
        return !direct || decodes || range instanceof ByteRange.Whole;
    }

    /** Sends the first request, or queues it. */
    public CompletableFuture<FetchResult> start() {
        return begin(() -> next(rangeRequest));
    }

    @Override
    String operation() {
        URI target = requestUrl;
        String redirected =
                redirects == 0 ? "" : ", redirected to " + (target == null ? "another URL" : Secrets.host(target));
        return "GET " + key + " (" + range + ") from " + context().origin().describe() + redirected;
    }

    @Override
    ServerProtocol.Prepared prepare() {
        ServerProtocol origin = context().origin();
        Optional<String> pinned = Optional.ofNullable(pin);
        ServerProtocol.Prepared prepared = redirectTarget == null
                ? origin.read(key, rangeRequest, pinned)
                : origin.follow(redirectTarget, rangeRequest, pinned);
        if (redirectTarget == null) {
            redirects = 0;
        }
        redirectTarget = null;
        requestUrl = prepared.request().uri();
        return prepared;
    }

    @Override
    BodyCollector collect(Head responseHead) {
        Head head = context().origin().translated(responseHead);
        // Without an ETag, the modification time and the size are the version of the object.
        Head comparedHead = context().settings().comparesEtags()
                ? head
                : new Head(head.status(), head.headers().without("ETag"));
        decodes = GzipEncodedResponse.Coding.of(head.headers()) == GzipEncodedResponse.Coding.GZIP;
        return new ResponseClassifier(
                        this::operation,
                        key,
                        context().origin(),
                        Objects.requireNonNull(requestUrl),
                        rangeRequest,
                        Optional.ofNullable(pin),
                        context().settings().largestObject(),
                        context().settings().missingIfForbidden(),
                        context().ranges(),
                        context().sizes(),
                        budget,
                        this::noRanges)
                .apply(comparedHead);
    }

    @Override
    void received(long bytes) {
        receivedBytes.addAndGet(bytes);
    }

    /** Reports the bytes of failed attempts to the listener, before the caller sees the failure. */
    @Override
    void failing() {
        long wasted = receivedBytes.getAndSet(0);
        try {
            if (wasted > 0) {
                listener.onResponse(key, range, wasted, Duration.ofNanos(System.nanoTime() - startNanos));
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a listener failed", e);
        }
    }

    @Override
    void grew(BodyCollector body) {
        if (partialBodies.isDue(earlierBytes.size() + body.kept())) {
            body.beginning().ifPresent(partial -> partialBodies.received(withEarlierBytes(partial)));
        }
    }

    private FetchResult.Found withEarlierBytes(FetchResult.Found partial) {
        return earlierBytes.size() == 0
                ? partial
                : new FetchResult.Found(
                        Bytes.concat(List.of(earlierBytes, partial.bytes())), partial.objectSize(), partial.version());
    }

    /**
     * Keeps the received part of a range, and lets the next attempt request the rest of the same version. Without a
     * version the part is discarded.
     */
    @Override
    void brokeOff(BodyCollector body) {
        Optional<FetchResult.Found> partial = body.beginning()
                .filter(received -> rangeRequest.kind() == RangeRequest.Kind.SLICE
                        && received.version().isPresent());
        if (partial.isPresent() && partial.get().bytes().size() < rangeRequest.length()) {
            long additional = partial.get().bytes().size();
            earlierBytes = Bytes.concat(List.of(earlierBytes, partial.get().bytes()));
            rangeRequest = new RangeRequest(
                    RangeRequest.Kind.SLICE, rangeRequest.offset() + additional, rangeRequest.length() - additional);
            isOwnPin |= pin == null;
            pin = partial.get().version().orElseThrow();
        }
        partialBodies.restart(earlierBytes.size());
    }

    @Override
    void retrying(int failures, String reason) {
        listener.onRetry(key, failures, reason);
    }

    /** Sends the next request of this read. */
    private void next(RangeRequest following) {
        rangeRequest = following;
        if (++requestCount > MAX_REQUESTS) {
            fail(new StoreException(operation() + ": the server's responses to ranges contradict each other"));
        } else {
            send();
        }
    }

    /** Tells the listener once that the server does not support ranges of this object. */
    private void noRanges() {
        if (!noRangesReported) {
            noRangesReported = true;
            listener.onNoRanges(key);
        }
    }

    @Override
    void answered(ResponseOutcome outcome) {
        if (outcome instanceof ResponseOutcome.Found found) {
            endFound(wholeInstead ? requestedPart(found.bytes(), found.version()) : found);
        } else if (outcome instanceof ResponseOutcome.Decoded decoded) {
            context().foundEncoded();
            earlierBytes = Bytes.EMPTY;
            noFirstByte = false;
            noRanges();
            endFound(requestedPart(decoded.whole(), decoded.version()));
        } else if (outcome instanceof ResponseOutcome.Encoded) {
            context().foundEncoded();
            wholeInstead = true;
            pastTheEnd = null;
            next(new RangeRequest(
                    RangeRequest.Kind.WHOLE,
                    0,
                    Math.min(budget.maxBytes(), context().settings().largestObject())));
        } else if (outcome instanceof ResponseOutcome.PastTheEnd past) {
            pastTheEnd = past.failure();
            next(RangeRequest.SIZE);
        } else if (pastTheEnd != null
                && (outcome instanceof ResponseOutcome.Size || outcome instanceof ResponseOutcome.NoFirstByte)) {
            fail(pastTheEnd);
        } else if (outcome instanceof ResponseOutcome.Absent) {
            result().complete(new FetchResult.Absent());
        } else if (outcome instanceof ResponseOutcome.Failed failure) {
            failed(failure.failure());
        } else if (outcome instanceof ResponseOutcome.Retry retry) {
            retry(retry.reason(), retry.minimumPause().orElse(null), null);
        } else if (outcome instanceof ResponseOutcome.Size size) {
            sized(size);
        } else if (outcome instanceof ResponseOutcome.Moved redirect) {
            moved(redirect.target());
        } else if (outcome instanceof ResponseOutcome.NoFirstByte) {
            noFirstByte = true;
            nextSuffixOfWhole();
        } else if (outcome instanceof ResponseOutcome.NoSuffix refused) {
            context().ranges().updateAndGet(support -> support == RangeSupport.NONE ? support : RangeSupport.NO_SUFFIX);
            listener.onRetry(key, requestCount, "the server does not support suffix ranges");
            if (refused.total().isPresent()) {
                sized(new ResponseOutcome.Size(refused.total(), refused.version()));
            } else {
                next(new RangeRequest(RangeRequest.Kind.SIZE, 0, suffixLength()));
            }
        }
    }

    /**
     * Requests the whole object without a Range header, and keeps its last bytes: the suffix that the caller wants, or
     * none if the caller wants only the object's size. The response shows the size in both cases.
     */
    private void nextSuffixOfWhole() {
        next(new RangeRequest(RangeRequest.Kind.SUFFIX_OF_WHOLE, 0, suffixLength()));
    }

    /** Returns the length of a suffix; 0 for other ranges, of which no bytes are read after a request for the size. */
    private long suffixLength() {
        return range instanceof ByteRange.Suffix suffix ? suffix.length() : 0;
    }

    /** Returns the requested range from the whole object. */
    private ResponseOutcome.Found requestedPart(Bytes object, Optional<String> version) {
        long total = object.size();
        long start = 0;
        long end = total;
        if (range instanceof ByteRange.Slice slice) {
            start = Math.min(slice.offset(), total);
            end = Math.min(slice.end(), total);
        } else if (range instanceof ByteRange.Suffix suffix) {
            start = total - Math.min(suffix.length(), total);
        }
        // The caller also gets the whole object for its further reads, if its budget has memory for it.
        Optional<Bytes> wholeIfReserved =
                Optional.of(object).filter(whole -> !(range instanceof ByteRange.Whole) && budget.reserve(total));
        Bytes bytes = object.slice(start, end - start);
        // Otherwise a small part is copied, because a slice would keep the whole object in memory.
        boolean copied = wholeIfReserved.isEmpty() && bytes.size() < total && bytes.size() <= MAX_COPIED;
        return new ResponseOutcome.Found(copied ? Bytes.of(bytes.toArray()) : bytes, total, version, wholeIfReserved);
    }

    /**
     * Fails the read. Restarts it instead if the object changed between two requests of this read, and the caller did
     * not ask for a certain version.
     */
    private void failed(RuntimeException failure) {
        if (isOwnPin && failure instanceof ObjectChangedException && ++restarts <= MAX_RESTARTS) {
            pin = null;
            isOwnPin = false;
            earlierBytes = Bytes.EMPTY;
            partialBodies.restart(0);
            requestCount = 0;
            wholeInstead = false;
            pastTheEnd = null;
            next(RangeRequest.of(range, context().ranges().get()));
        } else {
            fail(pastTheEnd == null || failure instanceof ObjectChangedException ? failure : pastTheEnd);
        }
    }

    private void moved(URI target) {
        if (++redirects > MAX_REDIRECTS) {
            fail(new StoreException(operation() + ": more than " + MAX_REDIRECTS + " redirects"));
        } else {
            redirectTarget = target;
            send();
        }
    }

    /** Continues with the object's size, which answers an empty range or turns a suffix into a slice. */
    private void sized(ResponseOutcome.Size size) {
        long length = suffixLength();
        if (size.total().isEmpty()) {
            nextSuffixOfWhole();
            return;
        }
        long total = size.total().getAsLong();
        if (length == 0 || total == 0) {
            endFound(new ResponseOutcome.Found(Bytes.EMPTY, total, size.version()));
        } else {
            isOwnPin = pin == null;
            pin = pin != null ? pin : size.version().orElse(null);
            long existing = Math.min(length, total);
            next(new RangeRequest(RangeRequest.Kind.SLICE, total - existing, existing));
        }
    }

    /** Completes the read, after the last checks. */
    private void endFound(ResponseOutcome.Found found) {
        long total = found.total();
        if (noFirstByte && total > 0) {
            fail(ResponseClassifier.refusesRanges(operation(), "the first byte", total)
                    .failure());
        } else if (range instanceof ByteRange.Slice slice && slice.end() > total) {
            // The server cannot check this for an empty range, nor for an object that is decoded here.
            fail(new CorruptDataException(
                    operation() + ": a range past the end: found an object of " + total + " bytes"));
        } else {
            Bytes bytes = earlierBytes.size() == 0 ? found.bytes() : Bytes.concat(List.of(earlierBytes, found.bytes()));
            result().complete(new FetchResult.Found(bytes, total, found.version(), receivedBytes.get(), found.whole()));
        }
    }
}
