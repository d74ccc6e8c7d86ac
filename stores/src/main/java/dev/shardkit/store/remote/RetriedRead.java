package dev.shardkit.store.remote;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BodyBudget;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.transport.Head;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One read: requests with retries, within one deadline. */
public final class RetriedRead extends RetriedRequest<FetchResult> {
    /** The most requests of one read. A correct server needs three at most: suffix, size, slice. */
    private static final int MAX_ASKS = 4;

    private static final int MAX_REDIRECTS = 5;
    /** The size in bytes up to which a part of an object is copied out of it. */
    private static final long MAX_COPIED = 1 << 20;

    /** How often a read begins again because the object changed after its size was known. */
    private static final int MAX_RESTARTS = 100;

    private final String key;
    private final ByteRange range;
    private final StoreListener listener;
    private final BodyBudget room;
    private final AtomicLong came = new AtomicLong();
    private final long begun = System.nanoTime();
    private @Nullable String pin;
    private RangeRequest ask;
    private int asks;
    /** The URL of the last request. */
    private volatile @Nullable URI from;
    /** Where the next request goes if the last answer was a redirect. A retry begins at the store's own URL again. */
    private @Nullable URI moved;

    private volatile int redirects;
    /** The server refused the first byte; a request without a range shows whether it exists. */
    private boolean noFirstByte;

    /** The whole object is requested in place of the range, because ranges of it are those of an encoded form. */
    private boolean wholeInstead;

    /** Whether an answer has to be decoded, which takes long. Read by the transport. */
    private volatile boolean decodes;

    /** The failure of a range past the end, while a request of the first byte shows whether the object is encoded. */
    private @Nullable RuntimeException pastTheEnd;

    private boolean toldNoRanges;

    /** The pin is the version of the response that contained the size, not the caller's. */
    private boolean pinnedHere;

    private int restarts;
    private final PartialBodies beginnings;
    /** The bytes of the range that earlier attempts received; the next one asks for the rest. */
    private Bytes before = Bytes.EMPTY;

    /** Whether the future may complete on a thread that must not block. */
    private final boolean direct;

    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.remote");

    /** Creates the read of a range, which {@link #start} begins. */
    public RetriedRead(RequestContext common, FetchRequest request) {
        super(common);
        this.beginnings = new PartialBodies(common.transport(), request.progress());
        this.key = request.key();
        this.range = request.range();
        this.pin = request.pin().orElse(null);
        this.listener = request.listener();
        this.room = request.budget();
        this.direct = request.dependents() == FetchRequest.Dependents.NEVER_BLOCK;
        this.ask = RangeRequest.of(request.range(), common.ranges().get());
    }

    /** Whole objects may be large, and their checksums take long to compute. */
    @Override
    boolean endMayWait() {
        return !direct || decodes || range instanceof ByteRange.Whole;
    }

    /** Sends the first request, or queues it. */
    public CompletableFuture<FetchResult> start() {
        return begin(() -> next(ask));
    }

    @Override
    String operation() {
        URI last = from;
        String redirected =
                redirects == 0 ? "" : ", redirected to " + (last == null ? "another URL" : Secrets.host(last));
        return "GET " + key + " (" + range + ") from " + common().origin().describe() + redirected;
    }

    @Override
    Origin.Prepared prepare() {
        Origin origin = common().origin();
        Optional<String> pinned = Optional.ofNullable(pin);
        Origin.Prepared prepared = moved == null ? origin.read(key, ask, pinned) : origin.follow(moved, ask, pinned);
        if (moved == null) {
            redirects = 0;
        }
        moved = null;
        from = prepared.request().uri();
        return prepared;
    }

    @Override
    BodyCollector collect(Head answer) {
        Head head = common().origin().translated(answer);
        Head judged = common().settings().comparesEtags()
                ? head
                : new Head(head.status(), head.headers().without("ETag"));
        decodes = GzipEncodedResponse.Coding.of(head.headers()) == GzipEncodedResponse.Coding.GZIP;
        return new ResponseClassifier(
                        this::operation,
                        key,
                        common().origin(),
                        Objects.requireNonNull(from),
                        ask,
                        Optional.ofNullable(pin),
                        common().settings().largestObject(),
                        common().settings().missingIfForbidden(),
                        common().ranges(),
                        common().sizes(),
                        room,
                        this::noRanges)
                .apply(judged);
    }

    @Override
    void received(long bytes) {
        came.addAndGet(bytes);
    }

    /** Reports the bytes that were received in vain, before the caller sees the failure. */
    @Override
    void failing() {
        long wasted = came.getAndSet(0);
        try {
            if (wasted > 0) {
                listener.onResponse(key, range, wasted, Duration.ofNanos(System.nanoTime() - begun));
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a listener failed", e);
        }
    }

    @Override
    void grew(BodyCollector body) {
        if (beginnings.isDue(before.size() + body.kept())) {
            body.beginning().ifPresent(begun -> beginnings.received(withBefore(begun)));
        }
    }

    private FetchResult.Found withBefore(FetchResult.Found begun) {
        return before.size() == 0
                ? begun
                : new FetchResult.Found(
                        Bytes.concat(List.of(before, begun.bytes())), begun.objectSize(), begun.version());
    }

    /** Keeps the received part of a range if a later response can be compared with its version. */
    @Override
    void brokeOff(BodyCollector body) {
        Optional<FetchResult.Found> kept = body.beginning()
                .filter(b ->
                        ask.kind() == RangeRequest.Kind.SLICE && b.version().isPresent());
        if (kept.isPresent() && kept.get().bytes().size() < ask.length()) {
            long more = kept.get().bytes().size();
            before = Bytes.concat(List.of(before, kept.get().bytes()));
            ask = new RangeRequest(RangeRequest.Kind.SLICE, ask.offset() + more, ask.length() - more);
            pinnedHere |= pin == null;
            pin = kept.get().version().orElseThrow();
        }
        beginnings.restart(before.size());
    }

    @Override
    void retrying(int failures, String reason) {
        listener.onRetry(key, failures, reason);
    }

    private void next(RangeRequest following) {
        ask = following;
        if (++asks > MAX_ASKS) {
            fail(new StoreException(operation() + ": the server's responses to ranges contradict each other"));
        } else {
            send();
        }
    }

    private void noRanges() {
        if (!toldNoRanges) {
            toldNoRanges = true;
            listener.onNoRanges(key);
        }
    }

    @Override
    void answered(ResponseOutcome outcome) {
        if (outcome instanceof ResponseOutcome.Found found) {
            found(wholeInstead ? part(found.bytes(), found.version()) : found);
        } else if (outcome instanceof ResponseOutcome.Decoded decoded) {
            common().foundEncoded();
            before = Bytes.EMPTY;
            noFirstByte = false;
            noRanges();
            found(part(decoded.whole(), decoded.version()));
        } else if (outcome instanceof ResponseOutcome.Encoded) {
            common().foundEncoded();
            wholeInstead = true;
            pastTheEnd = null;
            next(new RangeRequest(
                    RangeRequest.Kind.WHOLE,
                    0,
                    Math.min(room.maxBytes(), common().settings().largestObject())));
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
        } else if (outcome instanceof ResponseOutcome.Retry again) {
            again(again.reason(), again.after().orElse(null), null);
        } else if (outcome instanceof ResponseOutcome.Size size) {
            sized(size);
        } else if (outcome instanceof ResponseOutcome.Moved to) {
            moved(to.target());
        } else if (outcome instanceof ResponseOutcome.NoFirstByte) {
            noFirstByte = true;
            next(new RangeRequest(
                    RangeRequest.Kind.SUFFIX_OF_WHOLE, 0, range instanceof ByteRange.Suffix s ? s.length() : 0));
        } else if (outcome instanceof ResponseOutcome.NoSuffix refused) {
            common().ranges().updateAndGet(now -> now == RangeSupport.NONE ? now : RangeSupport.NO_SUFFIX);
            listener.onRetry(key, asks, "the server does not support suffix ranges");
            if (refused.total().isPresent()) {
                sized(new ResponseOutcome.Size(refused.total(), refused.version()));
            } else {
                next(new RangeRequest(RangeRequest.Kind.SIZE, 0, range instanceof ByteRange.Suffix s ? s.length() : 0));
            }
        }
    }

    /** Returns the range of a whole object. */
    private ResponseOutcome.Found part(Bytes whole, Optional<String> version) {
        long total = whole.size();
        long from = 0;
        long end = total;
        if (range instanceof ByteRange.Slice s) {
            from = Math.min(s.offset(), total);
            end = Math.min(s.end(), total);
        } else if (range instanceof ByteRange.Suffix s) {
            from = total - Math.min(s.length(), total);
        }
        Optional<Bytes> kept =
                Optional.of(whole).filter(w -> !(range instanceof ByteRange.Whole) && room.reserve(total));
        Bytes part = whole.slice(from, end - from);
        // a copy, because a slice would keep the whole object in memory
        boolean copied = kept.isEmpty() && part.size() < total && part.size() <= MAX_COPIED;
        return new ResponseOutcome.Found(copied ? Bytes.of(part.toArray()) : part, total, version, kept);
    }

    private void failed(RuntimeException failure) {
        if (pinnedHere && failure instanceof ObjectChangedException && ++restarts <= MAX_RESTARTS) {
            pin = null;
            pinnedHere = false;
            before = Bytes.EMPTY;
            beginnings.restart(0);
            asks = 0;
            wholeInstead = false;
            pastTheEnd = null;
            next(RangeRequest.of(range, common().ranges().get()));
        } else {
            fail(pastTheEnd == null || failure instanceof ObjectChangedException ? failure : pastTheEnd);
        }
    }

    private void moved(URI target) {
        if (++redirects > MAX_REDIRECTS) {
            fail(new StoreException(operation() + ": more than " + MAX_REDIRECTS + " redirects"));
        } else {
            moved = target;
            send();
        }
    }

    /** Continues with the object's size, which answers an empty range or turns a suffix into a slice. */
    private void sized(ResponseOutcome.Size size) {
        long length = range instanceof ByteRange.Suffix s ? s.length() : 0;
        if (size.total().isEmpty()) {
            next(new RangeRequest(RangeRequest.Kind.SUFFIX_OF_WHOLE, 0, length));
            return;
        }
        long total = size.total().getAsLong();
        if (length == 0 || total == 0) {
            found(new ResponseOutcome.Found(Bytes.EMPTY, total, size.version()));
        } else {
            pinnedHere = pin == null;
            pin = pin != null ? pin : size.version().orElse(null);
            long n = Math.min(length, total);
            next(new RangeRequest(RangeRequest.Kind.SLICE, total - n, n));
        }
    }

    private void found(ResponseOutcome.Found found) {
        long total = found.total();
        if (noFirstByte && total > 0) {
            fail(ResponseClassifier.refusesRanges(operation(), "the first byte", total)
                    .failure());
        } else if (range instanceof ByteRange.Slice s
                && s.end() > total) { // an empty range, or that of a decoded object
            fail(new CorruptDataException(
                    operation() + ": a range past the end: found an object of " + total + " bytes"));
        } else {
            Bytes bytes = before.size() == 0 ? found.bytes() : Bytes.concat(List.of(before, found.bytes()));
            result().complete(new FetchResult.Found(bytes, total, found.version(), came.get(), found.whole()));
        }
    }
}
