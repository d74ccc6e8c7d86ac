package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Judges a response with the entire object, to any request. */
final class WholeObjectResponse {
    /** A server may send the whole object in place of a suffix if it is at most this much larger. */
    private static final long SLACK = 256L << 10;

    private final ResponseClassifier answers;
    private final RangeRequest ask;
    private final Headers headers;
    private final OptionalLong declared;

    WholeObjectResponse(ResponseClassifier answers, Headers headers) {
        this.answers = answers;
        this.ask = answers.rangeRequest();
        this.headers = headers;
        this.declared = HeaderFields.contentLength(headers);
    }

    /** Returns which part of the body to collect, and the outcome. */
    BodyCollector collect() {
        Optional<String> version =
                declared.isPresent() ? ObjectVersion.of(headers, declared.getAsLong()) : Optional.empty();
        if (declared.isPresent() && answers.pin().isPresent() && !answers.pin().equals(version)) {
            return BodyCollector.discarding(answers.changed(version));
        }
        if (declared.isPresent()) {
            Optional<BodyCollector> shortened = answers.shortened(version, declared.getAsLong());
            if (shortened.isPresent()) {
                return shortened.get();
            }
        }
        String claim = headers.firstValue("Accept-Ranges").orElse("").strip();
        boolean claimed = "bytes".equalsIgnoreCase(claim);
        if (ask.isWhole()) {
            if (claimed) {
                answers.ranges().compareAndSet(RangeSupport.ALL, RangeSupport.answered(version));
            }
            return all(version);
        }
        boolean denied = "none".equalsIgnoreCase(claim);
        if (!claimed) {
            answers.noRanges().run();
            // the server may still support ranges other than suffixes
            answers.ranges()
                    .updateAndGet(now -> denied || ask.kind() != RangeRequest.Kind.SUFFIX
                            ? RangeSupport.NONE
                            : now == RangeSupport.NONE ? now : RangeSupport.NO_SUFFIX);
        }
        boolean keeps = !claimed && answers.budget().reserve(declared.orElse(1));
        BodyCollector collect =
                switch (ask.kind()) {
                    case SIZE ->
                        keeps && ask.length() > 0
                                ? tail()
                                : BodyCollector.discarding(new ResponseOutcome.Size(declared, version));
                    case SLICE -> slice();
                    case SUFFIX -> {
                        boolean small = declared.isPresent() && declared.getAsLong() - SLACK <= ask.length();
                        yield small || denied || keeps
                                ? tail()
                                : BodyCollector.discarding(new ResponseOutcome.NoSuffix(declared, version));
                    }
                    default -> tail();
                };
        return keeps ? collect.collectWhole(answers.budget()) : collect;
    }

    private BodyCollector slice() {
        long end = ask.offset() + ask.length();
        if (declared.isPresent() && declared.getAsLong() < end) {
            return BodyCollector.discarding(answers.pastTheEnd(declared.getAsLong()));
        }
        BodyCollector.Part part =
                new BodyCollector.Part(ask.offset(), ask.length(), ask.length(), BodyCollector.Rest.ANY);
        if (declared.isPresent()) {
            return new BodyCollector(part, declared, this::found);
        }
        long most = maxInstead();
        return new BodyCollector(
                        part,
                        declared,
                        (bytes, total) -> total > most
                                ? tooLargeInstead(most)
                                : complete(total) < end ? answers.pastTheEnd(total) : found(bytes, total))
                .within(most);
    }

    /** Returns the maximum size of a whole object without Content-Length that arrives in place of a range. */
    private long maxInstead() {
        return Math.min(answers.largest(), answers.budget().maxBytes());
    }

    private ResponseOutcome tooLargeInstead(long most) {
        return most == answers.largest()
                ? tooLarge()
                : new ResponseOutcome.Failed(
                        answers.failure("the server ignores the range; expected a whole object of at most " + most
                                + " bytes, found more, without Content-Length"));
    }

    private BodyCollector tail() {
        if (declared.isEmpty()) {
            // The position of the last bytes is known only at the end.
            long most = maxInstead();
            BodyCollector.Part part = new BodyCollector.Part(0, most, 0, BodyCollector.Rest.NONE, ask.length());
            return new BodyCollector(part, declared, (bytes, total) -> {
                long n = Math.min(total, ask.length());
                return total > most ? tooLargeInstead(most) : found(bytes.slice(bytes.size() - n, n), complete(total));
            });
        }
        long total = declared.getAsLong();
        long keep = Math.min(total, ask.length());
        BodyCollector.Part part = new BodyCollector.Part(total - keep, keep, keep, BodyCollector.Rest.NONE);
        return new BodyCollector(part, declared, (bytes, seen) -> answers.exactly(total, seen, found(bytes, total)));
    }

    private BodyCollector all(Optional<String> version) {
        long most = Math.min(answers.largest(), ask.length());
        if (declared.isPresent() && declared.getAsLong() > most) {
            return BodyCollector.discarding(larger());
        }
        BodyCollector.Part part =
                new BodyCollector.Part(0, declared.orElse(most), declared.orElse(0), BodyCollector.Rest.NONE);
        BodyCollector body = new BodyCollector(
                part,
                declared,
                (bytes, total) -> declared.isPresent()
                        ? answers.exactly(declared.getAsLong(), total, intact(bytes, total))
                        : total > most ? larger() : intact(bytes, complete(total)));
        boolean early =
                declared.isPresent() && version.isPresent() && !answers.origin().checksWholeObjects();
        return early ? body.of(declared.getAsLong(), version) : body;
    }

    private ResponseOutcome intact(Bytes bytes, long total) {
        return answers.origin()
                .damage(headers, bytes)
                .<ResponseOutcome>map(wrong -> new ResponseOutcome.Retry(wrong, Optional.empty()))
                .orElseGet(() -> found(bytes, total));
    }

    /** Handles a whole object that exceeds the limit. */
    private ResponseOutcome larger() {
        if (declared.isPresent() && ask.kind() == RangeRequest.Kind.WHOLE_UNLESS_LARGER) {
            return found(Bytes.EMPTY, declared.getAsLong());
        } else if (ask.length() > answers.largest()) {
            return tooLarge();
        }
        String bytes = declared.isPresent() ? Long.toString(declared.getAsLong()) : "more, without Content-Length";
        return new ResponseOutcome.Failed(new CorruptDataException(
                answers.description().get() + ": expected at most " + ask.length() + " bytes, found " + bytes));
    }

    /** Compares the size of a body that may end with its connection with the size that an earlier answer declared. */
    private long complete(long total) throws IOException {
        OptionalLong known = answers.sizes().sizeOf(answers.key(), ObjectVersion.of(headers, total));
        if (known.isPresent() && known.getAsLong() != total) {
            throw new IOException("a body without Content-Length: expected " + known.getAsLong()
                    + " bytes, as the listing or an earlier answer declared for this version, found " + total);
        }
        return total;
    }

    private ResponseOutcome found(Bytes bytes, long total) {
        Optional<String> version = ObjectVersion.of(headers, total);
        return answers.pin().isPresent() && !answers.pin().equals(version)
                ? answers.changed(version)
                : new ResponseOutcome.Found(bytes, total, version);
    }

    private ResponseOutcome tooLarge() {
        return new ResponseOutcome.Failed(answers.failure("expected an object of at most " + answers.largest()
                + " bytes (the store's largestObject), found a larger one"));
    }
}
