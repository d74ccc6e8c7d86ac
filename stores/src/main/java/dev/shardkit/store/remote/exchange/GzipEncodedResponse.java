package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/**
 * Interprets a response with an entire object that is stored with {@code Content-Encoding: gzip} (RFC 9110, section
 * 8.4). The body is the stored (compressed) form, or the object after the server has decoded it. In both cases the
 * outcome is the whole decoded object, even if a range was requested, because ranges and sizes of such an object are
 * those of its stored form.
 */
public final class GzipEncodedResponse {
    /** Decoded objects up to this size are accepted in any heap. */
    private static final long ALWAYS_ACCEPTED = 64L << 20;

    /** The size in bytes of the first buffer for decoded bytes. */
    private static final int FIRST_PIECE = 64 << 10;

    /** The maximum size in bytes of a further buffer; each has half the size of all before. */
    private static final int LARGEST_PIECE = 16 << 20;

    /** How a body is encoded. */
    public enum Coding {
        /** The body is the object. */
        NONE,
        /** The body is the object, compressed by gzip. */
        GZIP,
        /** The body has a coding that is not decoded, or several. */
        OTHER;

        /** Returns the coding that the Content-Encoding headers name. */
        public static Coding of(Headers headers) {
            List<String> codings = new ArrayList<>();
            for (String field : headers.allValues("Content-Encoding")) {
                for (String coding : field.split(",")) {
                    if (!coding.isBlank() && !coding.strip().equalsIgnoreCase("identity")) {
                        codings.add(coding.strip());
                    }
                }
            }
            if (codings.isEmpty()) {
                return NONE;
            }
            String onlyCoding = codings.get(0);
            boolean gzip = onlyCoding.equalsIgnoreCase("gzip") || onlyCoding.equalsIgnoreCase("x-gzip");
            return gzip && codings.size() == 1 ? GZIP : OTHER;
        }
    }

    private final ResponseClassifier classifier;
    private final Headers headers;
    private final Coding coding;
    private final OptionalLong declaredLength;
    /** The maximum size of the decoded object. */
    private final long maxDecoded;

    /** @param coding how the body is encoded: {@link Coding#NONE} if the server has decoded the object */
    GzipEncodedResponse(ResponseClassifier classifier, Headers headers, Coding coding) {
        this.classifier = classifier;
        this.headers = headers;
        this.coding = coding;
        this.declaredLength = HeaderFields.contentLength(headers);
        RangeRequest rangeRequest = classifier.rangeRequest();
        long requestedBytes = rangeRequest.kind() == RangeRequest.Kind.WHOLE
                ? rangeRequest.length()
                : classifier.budget().maxBytes();
        long heap = Math.max(ALWAYS_ACCEPTED, Runtime.getRuntime().maxMemory() / 8);
        this.maxDecoded = Math.min(Math.min(classifier.largest(), requestedBytes), heap);
    }

    /** Returns a collector of the whole body. */
    BodyCollector collect() {
        // Gzip makes incompressible bytes only slightly larger. So a longer body has a decoded object above the
        // maximum.
        long largest = maxDecoded + (maxDecoded >> 8) + 1024;
        if (declaredLength.isPresent() && declaredLength.getAsLong() > largest) {
            return BodyCollector.discarding(larger(declaredLength.getAsLong() + " bytes in the stored form"));
        }
        BodyCollector.Part layout = new BodyCollector.Part(
                0, declaredLength.orElse(largest), declaredLength.orElse(0), BodyCollector.Rest.NONE);
        return new BodyCollector(
                layout,
                declaredLength,
                (bytes, received) -> declaredLength.isPresent()
                        ? classifier.exactly(declaredLength.getAsLong(), received, decoded(bytes))
                        : received > largest ? larger("more") : decoded(bytes));
    }

    /** Returns the outcome for a complete body. */
    private ResponseOutcome decoded(Bytes body) {
        Optional<String> damage = classifier.origin().damage(headers, body);
        if (damage.isPresent()) {
            return new ResponseOutcome.Retry(damage.get(), Optional.empty());
        }
        Optional<Bytes> object;
        try {
            object = coding == Coding.GZIP
                    ? gunzip(body)
                    : Optional.of(body).filter(bytes -> bytes.size() <= maxDecoded);
        } catch (IOException e) {
            return new ResponseOutcome.Retry(
                    "expected a body in the gzip format (Content-Encoding), found one that cannot be decoded: "
                            + e.getMessage(),
                    Optional.empty());
        }
        if (object.isEmpty()) {
            return larger("more");
        }
        long size = object.get().size();
        Optional<String> version = ObjectVersion.of(headers, size);
        if (classifier.pin().isPresent() && !classifier.pin().equals(version)) {
            return classifier.changed(version);
        }
        boolean isLeftOut = classifier.rangeRequest().kind() == RangeRequest.Kind.WHOLE_UNLESS_LARGER
                && size > classifier.rangeRequest().length();
        return isLeftOut
                ? new ResponseOutcome.Found(Bytes.EMPTY, size, version)
                : new ResponseOutcome.Decoded(object.get(), version);
    }

    /** Returns the failure for an object that is too large; {@code actual} is its size in words. */
    private ResponseOutcome larger(String actual) {
        String fact = classifier.description().get() + ": expected an object of at most " + maxDecoded
                + " bytes after its Content-Encoding is decoded, found " + actual;
        boolean isLimitOfRequest = classifier.rangeRequest().kind() == RangeRequest.Kind.WHOLE
                && maxDecoded == classifier.rangeRequest().length();
        return new ResponseOutcome.Failed(
                isLimitOfRequest
                        ? new CorruptDataException(fact)
                        : new StoreException(fact + " (the limit is the smaller one of the store's largestObject and an"
                                + " eighth of the heap); store it without Content-Encoding, so that ranges of it can be"
                                + " read"));
    }

    /** Decodes a body; empty if the object is larger than {@link #maxDecoded}. Memory grows with the decoded bytes. */
    private Optional<Bytes> gunzip(Bytes body) throws IOException {
        List<Bytes> pieces = new ArrayList<>();
        long size = 0;
        try (GZIPInputStream in = new GZIPInputStream(new BytesStream(body), FIRST_PIECE)) {
            byte[] buffer = new byte[FIRST_PIECE];
            int count = in.readNBytes(buffer, 0, buffer.length);
            while (count > 0) {
                size += count;
                if (size > maxDecoded) {
                    return Optional.empty();
                }
                pieces.add(Bytes.of(buffer, 0, count));
                buffer = new byte[(int) Math.min(LARGEST_PIECE, Math.max(FIRST_PIECE, size / 2))];
                count = in.readNBytes(buffer, 0, buffer.length);
            }
        }
        return Optional.of(pieces.size() == 1 ? pieces.get(0) : Bytes.concat(pieces));
    }

    /**
     * A stream of a body's bytes. {@code available} is never 0 before the end: the JDK's decoder would take 0 for the
     * end, and ignore the further members of a body with several (RFC 1952).
     */
    private static final class BytesStream extends InputStream {
        private final Iterator<ByteBuffer> pieces;
        private ByteBuffer current = ByteBuffer.allocate(0);

        BytesStream(Bytes bytes) {
            this.pieces = bytes.pieces().iterator();
        }

        private boolean advance() {
            while (!current.hasRemaining() && pieces.hasNext()) {
                current = pieces.next().duplicate();
            }
            return current.hasRemaining();
        }

        @Override
        public int available() {
            return advance() ? current.remaining() : 0;
        }

        @Override
        public int read() {
            return advance() ? current.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            } else if (!advance()) {
                return -1;
            }
            int count = Math.min(length, current.remaining());
            current.get(target, offset, count);
            return count;
        }
    }
}
