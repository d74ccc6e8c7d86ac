package dev.shardkit.store.remote;

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
 * Judges a response with an entire object that is stored with {@code Content-Encoding: gzip} (RFC 9110, section 8.4),
 * whether its body has the stored form or the server has decoded it. The outcome is the decoded object, whatever the
 * request was: the ranges and sizes of such an object are those of its stored form.
 */
final class GzipEncodedResponse {
    /** Decoded objects up to this size are accepted in any heap. */
    private static final long SMALL = 64L << 20;

    private static final int FIRST_PIECE = 64 << 10;
    private static final int LARGEST_PIECE = 16 << 20;

    /** How a body is encoded. */
    enum Coding {
        /** The body is the object. */
        NONE,
        /** The body is the object, compressed by gzip. */
        GZIP,
        /** The body has a coding that is not decoded, or several. */
        OTHER;

        static Coding of(Headers headers) {
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
            String only = codings.get(0);
            boolean gzip = only.equalsIgnoreCase("gzip") || only.equalsIgnoreCase("x-gzip");
            return gzip && codings.size() == 1 ? GZIP : OTHER;
        }
    }

    private final ResponseClassifier answers;
    private final Headers headers;
    private final Coding coding;
    private final OptionalLong declared;
    /** The maximum size of the decoded object. */
    private final long most;

    /** @param coding how the body is encoded: {@link Coding#NONE} if the server has decoded the object */
    GzipEncodedResponse(ResponseClassifier answers, Headers headers, Coding coding) {
        this.answers = answers;
        this.headers = headers;
        this.coding = coding;
        this.declared = HeaderFields.contentLength(headers);
        RangeRequest ask = answers.ask();
        long asked = ask.kind() == RangeRequest.Kind.WHOLE
                ? ask.length()
                : answers.room().maxBytes();
        long heap = Math.max(SMALL, Runtime.getRuntime().maxMemory() / 8);
        this.most = Math.min(Math.min(answers.largest(), asked), heap);
    }

    /** Collects the whole body. Its stored form is hardly larger than the object. */
    BodyCollector collect() {
        long largest = most + (most >> 8) + 1024;
        if (declared.isPresent() && declared.getAsLong() > largest) {
            return BodyCollector.nothing(larger(declared.getAsLong() + " bytes in the stored form"));
        }
        BodyCollector.Part part =
                new BodyCollector.Part(0, declared.orElse(largest), declared.orElse(0), BodyCollector.Rest.NONE);
        return new BodyCollector(
                part,
                declared,
                (bytes, seen) -> declared.isPresent()
                        ? answers.exactly(declared.getAsLong(), seen, decoded(bytes))
                        : seen > largest ? larger("more") : decoded(bytes));
    }

    private ResponseOutcome decoded(Bytes body) {
        Optional<String> damage = answers.origin().damage(headers, body);
        if (damage.isPresent()) {
            return new ResponseOutcome.Retry(damage.get(), Optional.empty());
        }
        Optional<Bytes> object;
        try {
            object = coding == Coding.GZIP ? gunzip(body) : Optional.of(body).filter(b -> b.size() <= most);
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
        if (answers.pin().isPresent() && !answers.pin().equals(version)) {
            return answers.changed(version);
        }
        boolean left = answers.ask().kind() == RangeRequest.Kind.WHOLE_UNLESS_LARGER
                && size > answers.ask().length();
        return left
                ? new ResponseOutcome.Found(Bytes.EMPTY, size, version)
                : new ResponseOutcome.Decoded(object.get(), version);
    }

    private ResponseOutcome larger(String found) {
        String fact = answers.what().get() + ": expected an object of at most " + most
                + " bytes after its Content-Encoding is decoded, found " + found;
        boolean limited = answers.ask().kind() == RangeRequest.Kind.WHOLE
                && most == answers.ask().length();
        return new ResponseOutcome.Failed(
                limited
                        ? new CorruptDataException(fact)
                        : new StoreException(fact + " (the limit is the smaller one of the store's largestObject and an"
                                + " eighth of the heap); store it without Content-Encoding, so that ranges of it can be"
                                + " read"));
    }

    /** Decodes a body; empty if the object is larger than {@link #most}. Memory grows with the decoded bytes. */
    private Optional<Bytes> gunzip(Bytes body) throws IOException {
        List<Bytes> pieces = new ArrayList<>();
        long size = 0;
        try (GZIPInputStream in = new GZIPInputStream(new BytesStream(body), FIRST_PIECE)) {
            byte[] piece = new byte[FIRST_PIECE];
            int n = in.readNBytes(piece, 0, piece.length);
            while (n > 0) {
                size += n;
                if (size > most) {
                    return Optional.empty();
                }
                pieces.add(Bytes.of(piece, 0, n));
                piece = new byte[(int) Math.min(LARGEST_PIECE, Math.max(FIRST_PIECE, size / 2))];
                n = in.readNBytes(piece, 0, piece.length);
            }
        }
        return Optional.of(pieces.size() == 1 ? pieces.get(0) : Bytes.concat(pieces));
    }

    /**
     * Reads bytes. {@code available} is never 0 before their end: the decoder takes that for the end of all members.
     */
    private static final class BytesStream extends InputStream {
        private final Iterator<ByteBuffer> pieces;
        private ByteBuffer piece = ByteBuffer.allocate(0);

        BytesStream(Bytes bytes) {
            this.pieces = bytes.pieces().iterator();
        }

        private boolean advance() {
            while (!piece.hasRemaining() && pieces.hasNext()) {
                piece = pieces.next().duplicate();
            }
            return piece.hasRemaining();
        }

        @Override
        public int available() {
            return advance() ? piece.remaining() : 0;
        }

        @Override
        public int read() {
            return advance() ? piece.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int from, int length) {
            if (length == 0) {
                return 0;
            } else if (!advance()) {
                return -1;
            }
            int n = Math.min(length, piece.remaining());
            piece.get(target, from, n);
            return n;
        }
    }
}
