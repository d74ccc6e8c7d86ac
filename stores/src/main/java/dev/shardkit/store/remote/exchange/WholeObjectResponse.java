package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides what to collect from a response with the whole object (status 200), whatever range was requested. Used once.
 */
final class WholeObjectResponse {
    /** A server may send the whole object in place of a suffix if it is at most this much larger. */
    private static final long SLACK = 256L << 10;

    private final ResponseClassifier classifier;
    private final RangeRequest request;
    private final Headers headers;
    private final OptionalLong declared;

    WholeObjectResponse(ResponseClassifier classifier, Headers headers) {
        this.classifier = classifier;
        this.request = classifier.rangeRequest();
        this.headers = headers;
        this.declared = HeaderFields.contentLength(headers);
    }

    /** Returns which part of the body to collect, and the outcome. */
    BodyCollector collect() {
        Optional<String> version =
                declared.isPresent() ? ObjectVersion.of(headers, declared.getAsLong()) : Optional.empty();
        if (declared.isPresent()
                && classifier.pin().isPresent()
                && !classifier.pin().equals(version)) {
            return BodyCollector.discarding(classifier.changed(version));
        }
        if (declared.isPresent()) {
            Optional<BodyCollector> shortened = classifier.shortened(version, declared.getAsLong());
            if (shortened.isPresent()) {
                return shortened.get();
            }
        }
        String acceptRanges = headers.firstValue("Accept-Ranges").orElse("").strip();
        boolean supportsRanges = "bytes".equalsIgnoreCase(acceptRanges);
        if (request.isWhole()) {
            if (supportsRanges) {
                classifier.ranges().compareAndSet(RangeSupport.ALL, RangeSupport.answered(version));
            }
            return all(version);
        }
        boolean deniesRanges = "none".equalsIgnoreCase(acceptRanges);
        if (!supportsRanges) {
            classifier.noRanges().run();
            // the server may still support ranges other than suffixes
            classifier
                    .ranges()
                    .updateAndGet(now -> deniesRanges || request.kind() != RangeRequest.Kind.SUFFIX
                            ? RangeSupport.NONE
                            : now == RangeSupport.NONE ? now : RangeSupport.NO_SUFFIX);
        }
        // An unknown size reserves 1 byte now; the collector reserves more as the body arrives.
        boolean keepsWhole = !supportsRanges && classifier.budget().reserve(declared.orElse(1));
        BodyCollector collect =
                switch (request.kind()) {
                    case SIZE ->
                        keepsWhole && request.length() > 0
                                ? tail()
                                : BodyCollector.discarding(new ResponseOutcome.Size(declared, version));
                    case SLICE -> slice();
                    case SUFFIX -> {
                        boolean small = declared.isPresent() && declared.getAsLong() - SLACK <= request.length();
                        yield small || deniesRanges || keepsWhole
                                ? tail()
                                : BodyCollector.discarding(new ResponseOutcome.NoSuffix(declared, version));
                    }
                    // the requests for whole objects have ended above
                    case SUFFIX_OF_WHOLE, WHOLE, WHOLE_UNLESS_LARGER -> tail();
                };
        return keepsWhole ? collect.collectWhole(classifier.budget()) : collect;
    }

    private BodyCollector slice() {
        long end = request.offset() + request.length();
        if (declared.isPresent() && declared.getAsLong() < end) {
            return BodyCollector.discarding(classifier.pastTheEnd(declared.getAsLong()));
        }
        BodyCollector.Part part =
                new BodyCollector.Part(request.offset(), request.length(), request.length(), BodyCollector.Rest.ANY);
        if (declared.isPresent()) {
            return new BodyCollector(part, declared, this::found);
        }
        long max = maxForRange();
        return new BodyCollector(
                        part,
                        declared,
                        (bytes, total) -> total > max
                                ? tooLargeForRange(max)
                                : checkedTotal(total) < end ? classifier.pastTheEnd(total) : found(bytes, total))
                .within(max);
    }

    /** Returns the maximum size of a whole object without Content-Length that arrives in place of a range. */
    private long maxForRange() {
        return Math.min(classifier.largest(), classifier.budget().maxBytes());
    }

    private ResponseOutcome tooLargeForRange(long max) {
        return max == classifier.largest()
                ? tooLarge()
                : new ResponseOutcome.Failed(
                        classifier.failure("the server ignores the range; expected a whole object of at most " + max
                                + " bytes, found more, without Content-Length"));
    }

    private BodyCollector tail() {
        if (declared.isEmpty()) {
            // The position of the last bytes is known only at the end.
            long max = maxForRange();
            BodyCollector.Part part = new BodyCollector.Part(0, max, 0, BodyCollector.Rest.NONE, request.length());
            return new BodyCollector(part, declared, (bytes, total) -> {
                long n = Math.min(total, request.length());
                return total > max
                        ? tooLargeForRange(max)
                        : found(bytes.slice(bytes.size() - n, n), checkedTotal(total));
            });
        }
        long total = declared.getAsLong();
        long keep = Math.min(total, request.length());
        BodyCollector.Part part = new BodyCollector.Part(total - keep, keep, keep, BodyCollector.Rest.NONE);
        return new BodyCollector(part, declared, (bytes, seen) -> classifier.exactly(total, seen, found(bytes, total)));
    }

    private BodyCollector all(Optional<String> version) {
        long max = Math.min(classifier.largest(), request.length());
        if (declared.isPresent() && declared.getAsLong() > max) {
            return BodyCollector.discarding(largerThanAllowed());
        }
        BodyCollector.Part part =
                new BodyCollector.Part(0, declared.orElse(max), declared.orElse(0), BodyCollector.Rest.NONE);
        BodyCollector body = new BodyCollector(
                part,
                declared,
                (bytes, total) -> declared.isPresent()
                        ? classifier.exactly(declared.getAsLong(), total, intact(bytes, total))
                        : total > max ? largerThanAllowed() : intact(bytes, checkedTotal(total)));
        boolean deliversEarly = declared.isPresent()
                && version.isPresent()
                && !classifier.origin().checksWholeObjects();
        return deliversEarly ? body.deliveringEarly(declared.getAsLong(), version) : body;
    }

    private ResponseOutcome intact(Bytes bytes, long total) {
        return classifier
                .origin()
                .damage(headers, bytes)
                .<ResponseOutcome>map(wrong -> new ResponseOutcome.Retry(wrong, Optional.empty()))
                .orElseGet(() -> found(bytes, total));
    }

    /** Returns the outcome for a whole object that is larger than the request or the store allows. */
    private ResponseOutcome largerThanAllowed() {
        if (declared.isPresent() && request.kind() == RangeRequest.Kind.WHOLE_UNLESS_LARGER) {
            return found(Bytes.EMPTY, declared.getAsLong());
        } else if (request.length() > classifier.largest()) {
            return tooLarge();
        }
        String bytes = declared.isPresent() ? Long.toString(declared.getAsLong()) : "more, without Content-Length";
        return new ResponseOutcome.Failed(new CorruptDataException(
                classifier.description().get() + ": expected at most " + request.length() + " bytes, found " + bytes));
    }

    /**
     * Returns {@code total}, the size of a body without Content-Length. Such a body may be cut when its connection
     * ends.
     *
     * @throws IOException if the listing or an earlier answer declared another size for this version
     */
    private long checkedTotal(long total) throws IOException {
        OptionalLong known = classifier.sizes().sizeOf(classifier.key(), ObjectVersion.of(headers, total));
        if (known.isPresent() && known.getAsLong() != total) {
            throw new IOException("a body without Content-Length: expected " + known.getAsLong()
                    + " bytes, as the listing or an earlier answer declared for this version, found " + total);
        }
        return total;
    }

    private ResponseOutcome found(Bytes bytes, long total) {
        Optional<String> version = ObjectVersion.of(headers, total);
        return classifier.pin().isPresent() && !classifier.pin().equals(version)
                ? classifier.changed(version)
                : new ResponseOutcome.Found(bytes, total, version);
    }

    private ResponseOutcome tooLarge() {
        return new ResponseOutcome.Failed(classifier.failure("expected an object of at most " + classifier.largest()
                + " bytes (the store's largestObject), found a larger one"));
    }
}
