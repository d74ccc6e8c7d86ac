package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Turns the response to one request for a range into an outcome (RFC 9110, sections 14 and 15). Accepts only bytes that
 * match the request exactly.
 *
 * @param description returns the request in words
 * @param key the key of the object
 * @param origin the server
 * @param requestUri the URL of the request
 * @param rangeRequest the request
 * @param pin the required version of the object
 * @param largest the maximum size of a whole object
 * @param missingIfForbidden whether 403 means that the object does not exist
 * @param ranges the known range support of the server
 * @param sizes the sizes of objects that the server has declared or listed
 * @param budget the memory for a whole object that arrives in place of a range
 * @param noRanges is called if a whole object arrives in place of a range
 */
public record ResponseClassifier(
        Supplier<String> description,
        String key,
        ServerProtocol origin,
        URI requestUri,
        RangeRequest rangeRequest,
        Optional<String> pin,
        long largest,
        boolean missingIfForbidden,
        AtomicReference<RangeSupport> ranges,
        KnownSizes sizes,
        WholeBodyBudget budget,
        Runnable noRanges) {
    /** The status codes of failures that are usually temporary. */
    private static final Set<Integer> TRANSIENT = Set.of(408, 429, 500, 502, 503, 504);

    /** Returns a collector for the needed part of the body, which creates the outcome at its end. */
    public BodyCollector apply(Head head) {
        Headers headers = head.headers();
        int status = head.status();
        if (status != 200 && status != 206) {
            return origin.refused(head, this).orElseGet(() -> BodyCollector.discarding(withoutBody(status, headers)));
        }
        GzipEncodedResponse.Coding coding = GzipEncodedResponse.Coding.of(headers);
        if (coding == GzipEncodedResponse.Coding.OTHER) {
            return failed("expected an unencoded body, or one with Content-Encoding gzip, found Content-Encoding "
                    + quoted(String.join(", ", headers.allValues("Content-Encoding"))));
        } else if (coding == GzipEncodedResponse.Coding.GZIP
                && status == 206
                && rangeRequest.header().isPresent()) {
            return BodyCollector.discarding(new ResponseOutcome.Encoded());
        } else if (status == 200 && (coding == GzipEncodedResponse.Coding.GZIP || origin.isDecoded(headers))) {
            return new GzipEncodedResponse(this, headers, coding).collect();
        }
        return status == 206 ? partial(headers) : new WholeObjectResponse(this, headers).collect();
    }

    /** Returns the collector for a response with status 206. */
    private BodyCollector partial(Headers headers) {
        Optional<ContentRange> contentRange = ContentRange.of(headers);
        if (rangeRequest.header().isEmpty()) {
            return failed("expected HTTP 200, found 206 for a request without a range");
        } else if (contentRange.isEmpty()) {
            return failed("expected a Content-Range with both ends and a size, found "
                    + quoted(String.join(", ", headers.allValues("Content-Range"))));
        }
        ContentRange range = contentRange.get();
        OptionalLong declared = HeaderFields.contentLength(headers);
        Optional<String> version = ObjectVersion.of(headers, range.total());
        if (pin.isPresent() && !pin.equals(version)) {
            return BodyCollector.discarding(changed(version));
        }
        long expectedFirst = rangeRequest.kind() == RangeRequest.Kind.SUFFIX
                ? Math.max(0, range.total() - rangeRequest.length())
                : rangeRequest.offset();
        long expectedLast = rangeRequest.kind() == RangeRequest.Kind.SUFFIX
                ? range.total() - 1
                : rangeRequest.offset() + rangeRequest.rangeLength() - 1;
        // A server shortens a range that ends after the object.
        if (range.first() == expectedFirst && expectedLast >= range.total() && range.last() == range.total() - 1) {
            return BodyCollector.discarding(pastTheEnd(range.total()));
        } else if (range.first() != expectedFirst || range.last() != expectedLast) {
            return failed("expected Content-Range bytes " + expectedFirst + "-" + expectedLast + ", found " + range);
        } else if (declared.isPresent() && declared.getAsLong() != range.length()) {
            return failed("expected a body of " + range.length() + " bytes for Content-Range " + range
                    + ", found Content-Length " + declared.getAsLong());
        }
        Optional<BodyCollector> shortened = shortened(version, range.total());
        if (shortened.isPresent()) {
            return shortened.get();
        }
        ranges.updateAndGet(support -> support == RangeSupport.NO_SUFFIX ? support : RangeSupport.answered(version));
        if (rangeRequest.kind() == RangeRequest.Kind.SIZE) {
            return BodyCollector.discarding(new ResponseOutcome.Size(OptionalLong.of(range.total()), version));
        }
        BodyCollector.Part layout = new BodyCollector.Part(0, range.length(), range.length(), BodyCollector.Rest.NONE);
        BodyCollector body = new BodyCollector(
                layout,
                declared,
                (bytes, received) ->
                        exactly(range.length(), received, new ResponseOutcome.Found(bytes, range.total(), version)));
        return rangeRequest.kind() == RangeRequest.Kind.SLICE ? body.deliveringEarly(range.total(), version) : body;
    }

    /** Returns a collector that retries the request if the response declares another size than the listing did. */
    Optional<BodyCollector> shortened(Optional<String> version, long size) {
        return sizes.declared(key, version, size)
                .map(fact -> BodyCollector.discarding(new ResponseOutcome.Retry(fact, Optional.empty())));
    }

    /** Returns {@code outcome} if the body has exactly {@code length} bytes. */
    ResponseOutcome exactly(long length, long received, ResponseOutcome outcome) throws IOException {
        if (received < length) {
            throw new IOException("short body: expected " + length + " bytes, found " + received);
        }
        return received == length
                ? outcome
                : new ResponseOutcome.Failed(failure("expected a body of " + length + " bytes, found more"));
    }

    /** Returns the outcome of a response whose body is not the object, by its status. */
    public ResponseOutcome withoutBody(int status, Headers headers) {
        if (status == 404 || status == 410) {
            return pin.isPresent() ? changed(Optional.of("none (HTTP " + status + ")")) : new ResponseOutcome.Absent();
        } else if (status == 412 && ObjectVersion.ifMatch(pin).isPresent()) {
            return changed(Optional.of("another (HTTP 412)"));
        } else if (status == 416) {
            return unsatisfied(headers);
        } else if (rangeRequest.kind() == RangeRequest.Kind.SUFFIX && (status == 400 || status == 501)) {
            // Servers without suffix ranges refuse the request as bad, or as not implemented.
            return new ResponseOutcome.NoSuffix(OptionalLong.empty(), Optional.empty());
        } else if (status == 403) {
            return forbidden("HTTP 403");
        } else if (TRANSIENT.contains(status)) {
            return new ResponseOutcome.Retry("HTTP " + status, HeaderFields.retryAfter(headers));
        }
        return new ResponseOutcome.Failed(failure("HTTP " + status));
    }

    /**
     * Returns the outcome of a read that the server forbids: a failure, or absence with {@link #missingIfForbidden}.
     */
    public ResponseOutcome forbidden(String fact) {
        return missingIfForbidden
                ? withoutBody(404, new Headers(Map.of()))
                : new ResponseOutcome.Failed(
                        failure(fact + ". If the server answers 403 for objects that do not exist, take it"
                                + " as missing by ForbiddenPolicy.MISSING"));
    }

    /** Returns the outcome of HTTP 416 (Range Not Satisfiable). */
    private ResponseOutcome unsatisfied(Headers headers) {
        OptionalLong total = ContentRange.unsatisfiedTotal(headers);
        if (pin.isPresent() && ObjectVersion.contradicts(pin.get(), headers, total)) {
            return changed(ObjectVersion.of(headers, total.orElse(-1)));
        }
        boolean isEmptyObject = total.isPresent() && total.getAsLong() == 0;
        return switch (rangeRequest.kind()) {
            case SUFFIX ->
                isEmptyObject
                        ? new ResponseOutcome.Found(Bytes.EMPTY, 0, ObjectVersion.of(headers, 0))
                        : new ResponseOutcome.NoSuffix(total, Optional.empty());
            case SIZE -> {
                if (isEmptyObject) {
                    yield new ResponseOutcome.Size(total, ObjectVersion.of(headers, 0));
                }
                yield total.isPresent()
                        ? refusesRanges(description.get(), "the first byte", total.getAsLong())
                        : new ResponseOutcome.NoFirstByte();
            }
            case SLICE -> {
                if (total.isEmpty()) {
                    yield new ResponseOutcome.PastTheEnd(new CorruptDataException(
                            description.get() + ": a range past the end: expected " + rangeRequest
                                    + ", found an object without such bytes, or a "
                                    + "server that refuses every range (HTTP 416 without a size)"));
                }
                yield total.getAsLong() >= rangeRequest.offset() + rangeRequest.length()
                        ? refusesRanges(description.get(), rangeRequest.toString(), total.getAsLong())
                        : new ResponseOutcome.PastTheEnd(
                                pastTheEnd(total.getAsLong()).failure());
            }
            default -> new ResponseOutcome.Failed(failure("HTTP 416"));
        };
    }

    /** Returns the error for a server that refuses a range inside the object. */
    public static ResponseOutcome.Failed refusesRanges(String description, String range, long total) {
        return new ResponseOutcome.Failed(
                new StoreException(
                        description + ": expected " + range + " of an object of " + total
                                + " bytes, found HTTP 416 (range not satisfiable): the server refuses a range inside the object"));
    }

    /** Returns the failure of a range past the end of an object of {@code total} bytes. */
    ResponseOutcome.Failed pastTheEnd(long total) {
        return new ResponseOutcome.Failed(new CorruptDataException(description.get()
                + ": a range past the end: expected " + rangeRequest + ", found an object of " + total + " bytes"));
    }

    /** Returns the failure for an object that does not have the required version. */
    ResponseOutcome changed(Optional<String> version) {
        return new ResponseOutcome.Failed(new ObjectChangedException(description.get() + ": expected version "
                + quoted(pin.orElse("")) + ", found " + quoted(version.orElse("none"))));
    }

    private BodyCollector failed(String fact) {
        return BodyCollector.discarding(new ResponseOutcome.Failed(failure(fact)));
    }

    /** Returns the exception for a failure of this request. */
    public StoreException failure(String fact) {
        return new StoreException(description.get() + ": " + fact);
    }

    /** Returns the beginning of a server's text for a message, in quotes and in ASCII. */
    public static String quoted(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return "\"" + (plain.length() > 100 ? plain.substring(0, 100) + "..." : plain) + "\"";
    }
}
