package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.CloudService;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.XmlElement;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the requests of an S3 store and interprets the responses. Thread-safe.
 *
 * @param bucket the bucket
 * @param signer signs requests
 * @param extra headers of all requests
 * @param objects headers of requests about objects
 * @param checksums the checksums of objects
 */
record S3Origin(
        Bucket bucket, Signer signer, Map<String, String> extra, ObjectSettings objects, UploadChecksums checksums)
        implements CloudService {
    /** The header with the id of a write, by which the store recognizes its own put after a lost response. */
    static final String WRITE_ID = "x-amz-meta-shardkit-write";

    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.s3");

    /**
     * An ETag that no object has. A condition names it in place of a version that is not an ETag, such as a time. Then
     * the condition fails, as it must: no stored object has this version.
     */
    private static final String NO_VERSION = "\"none\"";

    @Override
    public BucketLocation location() {
        return bucket.location();
    }

    @Override
    public String host() {
        return bucket.host();
    }

    @Override
    public Set<String> secrets() {
        Set<String> secrets = new LinkedHashSet<>(objects.secrets());
        secrets.addAll(signer.secrets());
        return secrets;
    }

    @Override
    public boolean mayWait() {
        return signer.mayWait();
    }

    @Override
    public Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin) {
        Map<String, String> headers = new LinkedHashMap<>(objects.accessed());
        rangeRequest.header().ifPresent(range -> headers.put("Range", range));
        headers.putAll(checksums.readHeaders(rangeRequest));
        ObjectVersion.ifMatch(pin).ifPresent(tag -> headers.put("If-Match", tag));
        return signed(Request.get(bucket.object(location().nameOf(key)), headers));
    }

    @Override
    public boolean checksWholeObjects() {
        return checksums.isEnabled();
    }

    @Override
    public Optional<String> damage(Headers headers, Bytes object) {
        return checksums.damage(headers, object);
    }

    @Override
    public Prepared signed(Request request) {
        Map<String, String> headers = new LinkedHashMap<>(extra);
        headers.putAll(request.headers());
        Prepared signed = signer.sign(request.method(), request.uri(), headers, request.payload());
        return new Prepared(signed.request(), secrets());
    }

    @Override
    public ErrorResponse refusal(Response response) {
        return S3Errors.of(response, secrets(), bucket::moveTo);
    }

    @Override
    public Optional<ErrorResponse> lateRefusal(Response response) {
        return Optional.of(response)
                .filter(success -> success.body().size() > 0)
                .flatMap(success -> XmlElement.parse(success.body().toArray()))
                .filter(root -> root.name().equals("Error"))
                .map(root -> refusal(response));
    }

    /** Returns the header fields that make a put or delete conditional, such as If-Match. */
    static Map<String, String> condition(Condition condition) {
        return CloudService.condition(condition, NO_VERSION);
    }

    @Override
    public Request put(String name, Bytes bytes, Condition condition, Optional<String> writeId) {
        Map<String, String> headers = new LinkedHashMap<>(objects.created());
        headers.putAll(condition(condition));
        writeId.ifPresent(id -> headers.put(WRITE_ID, id));
        headers.putAll(checksums.sent(bytes.pieces()));
        return new Request("PUT", bucket.object(name), headers, Payload.of(bytes.pieces()));
    }

    @Override
    public Request delete(String name, Condition condition) {
        return new Request("DELETE", bucket.object(name), condition(condition), Payload.NONE);
    }

    @Override
    public Request stat(String name) {
        return new Request("HEAD", bucket.object(name), objects.accessed(), Payload.NONE);
    }

    @Override
    public Optional<String> writeId(Response stat) {
        return stat.headers().firstValue(WRITE_ID);
    }

    @Override
    public System.Logger log() {
        return LOG;
    }
}
