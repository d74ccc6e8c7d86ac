package dev.shardkit.store.s3;

import dev.shardkit.store.remote.Answers;
import dev.shardkit.store.remote.Ask;
import dev.shardkit.store.remote.Collect;
import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Origin;
import dev.shardkit.store.remote.Outcome;
import dev.shardkit.store.remote.Version;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Payload;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the requests of an S3 store and interprets its answers. Thread-safe.
 *
 * @param bucket the bucket
 * @param signer signs requests
 * @param extra headers of all requests
 */
record S3Origin(Bucket bucket, Signer signer, Map<String, String> extra) implements Origin {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.s3");
    private static final int MOST_OF_A_REFUSAL = 64 << 10;

    @Override
    public String describe() {
        return bucket.describe();
    }

    @Override
    public String host() {
        return bucket.host();
    }

    @Override
    public Set<String> secrets() {
        return Set.of();
    }

    @Override
    public boolean mayWait() {
        return signer.mayWait();
    }

    @Override
    public Prepared read(String key, Ask ask, Optional<String> pin) {
        Map<String, String> headers = new LinkedHashMap<>();
        ask.header().ifPresent(r -> headers.put("Range", r));
        Version.ifMatch(pin).ifPresent(tag -> headers.put("If-Match", tag));
        return request("GET", bucket.object(bucket.nameOf(key)), headers, Payload.NONE);
    }

    /** Makes a signed request. */
    Prepared request(String method, URI uri, Map<String, String> headers, Payload payload) {
        Map<String, String> all = new LinkedHashMap<>(extra);
        all.putAll(headers);
        return signer.sign(method, uri, all, payload);
    }

    @Override
    public Optional<Collect> refused(Head head, Answers answers) {
        return Optional.of(Collect.text(MOST_OF_A_REFUSAL, (bytes, total) -> {
            Refusal refusal = Refusal.of(head.status(), head.headers(), bytes.toArray(), secrets());
            if (isElsewhere(refusal)) {
                return new Outcome.Again("the bucket is in region " + bucket.region(), Optional.of(Duration.ZERO));
            } else if (refusal.passes()) {
                return new Outcome.Again(
                        refusal.describe(), Errand.retryAfter(new Outcome.Told(head.status(), head.headers(), bytes)));
            } else if (refusal.status() == 416) {
                return answers.withoutBody(416, withSize(head.headers(), refusal.size()));
            }
            boolean known = refusal.status() == 412 || refusal.status() == 404 && !isBucketMissing(refusal);
            return known
                    ? answers.withoutBody(refusal.status(), head.headers())
                    : new Outcome.Failed(answers.failure(refusal.describe()));
        }));
    }

    static boolean isBucketMissing(Refusal refusal) {
        return refusal.code().equals("NoSuchBucket");
    }

    /** Whether the server says that the bucket is in another region; then requests go there from now on. */
    boolean isElsewhere(Refusal refusal) {
        boolean says = refusal.status() == 301
                || refusal.status() == 307
                || refusal.code().equals("AuthorizationHeaderMalformed");
        return says && bucket.moveTo(refusal.region());
    }

    /** Adds the size of the object, which some servers tell in the body only. */
    private static Headers withSize(Headers headers, String size) {
        boolean tells = headers.firstValue("Content-Range").isPresent() || !size.matches("[0-9]{1,18}");
        return tells ? headers : new Headers(Map.of("Content-Range", List.of("bytes */" + size)));
    }

    @Override
    public void log(String what, int status, long nanos) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(Level.DEBUG, "{0}: HTTP {1}, {2} ms", what, status, nanos / 1_000_000);
        }
    }
}
