package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides which bytes to collect from a response with the whole object (status 200). The request may have been for a
 * range, which the server ignored. Used once.
 */
final class WholeObjectResponse {
    /** If an object is larger than the requested suffix by at most this many bytes, its whole body is read. */
    private static final long SLACK = 256L << 10;

    private final ResponseClassifier classifier;
    private final RangeRequest request;
    private final Headers headers;
    /** The Content-Length. */
    private final OptionalLong declared;

    WholeObjectResponse(ResponseClassifier classifier, Headers headers) {
        this.classifier = classifier;
        this.request = classifier.rangeRequest();
        this.headers = headers;
        this.declared = HeaderFields.contentLength(headers);
    }

    /** Returns the collector for the body, which creates the outcome. */
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
            // A server that ignores a suffix range may still support other ranges.
            boolean deniesAll = deniesRanges || request.kind() != RangeRequest.Kind.SUFFIX;
            classifier
                    .ranges()
                    .updateAndGet(known ->
                            deniesAll || known == RangeSupport.NONE ? RangeSupport.NONE : RangeSupport.NO_SUFFIX);
        }
        // For an unknown size, 1 byte is reserved now. The collector reserves more as the body arrives.
        boolean keepsWhole = !supportsRanges && classifier.budget().reserve(declared.orElse(1));
        BodyCollector collect =
                switch (request.kind()) {
                    // If the caller wants a suffix, the request for the size has its length, and its bytes are here
                    // already.
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
                    // WHOLE and WHOLE_UNLESS_LARGER have returned above.
                    case SUFFIX_OF_WHOLE, WHOLE, WHOLE_UNLESS_LARGER -> tail();
                };
        return keepsWhole ? collect.collectWhole(classifier.budget()) : collect;
    }

    /** Returns the collector of the requested slice. */
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
        BodyCollector body = new BodyCollector(part, declared, (bytes, total) -> {
            if (total > max) {
                return tooLargeForRange(max);
            }
            return checkedTotal(total) < end ? classifier.pastTheEnd(total) : found(bytes, total);
        });
        return body.within(max);
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

    /** Returns the collector of the last {@code request.length()} bytes. */
    private BodyCollector tail() {
        if (declared.isEmpty()) {
            // The position of the last bytes is known only at the end.
            long max = maxForRange();
            BodyCollector.Part part = new BodyCollector.Part(0, max, 0, BodyCollector.Rest.NONE, request.length());
            return new BodyCollector(part, declared, (bytes, total) -> {
                long length = Math.min(total, request.length());
                return total > max
                        ? tooLargeForRange(max)
                        : found(bytes.slice(bytes.size() - length, length), checkedTotal(total));
            });
        }
        long total = declared.getAsLong();
        long keep = Math.min(total, request.length());
        BodyCollector.Part part = new BodyCollector.Part(total - keep, keep, keep, BodyCollector.Rest.NONE);
        return new BodyCollector(
                part, declared, (bytes, received) -> classifier.exactly(total, received, found(bytes, total)));
    }

    /** Returns the collector of the whole body. */
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

    /** Returns the outcome for a whole object after comparing it with its checksum. */
    private ResponseOutcome intact(Bytes bytes, long total) {
        return classifier
                .origin()
                .damage(headers, bytes)
                .<ResponseOutcome>map(mismatch -> new ResponseOutcome.Retry(mismatch, Optional.empty()))
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
     * Returns {@code total}, the size of a body without Content-Length, after comparing it with the known size of the
     * object. Such a body may be incomplete, because it ends with its connection.
     *
     * @throws IOException if the listing or an earlier response declared another size for this version
     */
    private long checkedTotal(long total) throws IOException {
        OptionalLong known = classifier.sizes().sizeOf(classifier.key(), ObjectVersion.of(headers, total));
        if (known.isPresent() && known.getAsLong() != total) {
            throw new IOException("a body without Content-Length: expected " + known.getAsLong()
                    + " bytes, as the listing or an earlier answer declared for this version, found " + total);
        }
        return total;
    }

    /** Returns the outcome for bytes of the object, if it has the required version. */
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
