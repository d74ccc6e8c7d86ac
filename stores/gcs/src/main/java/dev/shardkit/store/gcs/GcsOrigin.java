package dev.shardkit.store.gcs;

import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.cloud.BearerAuthorization;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.CloudService;
import dev.shardkit.store.cloud.Crc32cBase64;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.JsonResponse;
import dev.shardkit.store.cloud.Urls;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.store.remote.exchange.UserAgent;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Makes the requests of a store of Google Cloud Storage and interprets the responses. Google counts the generations of
 * an object. Inside shardkit, the version of an object is its generation in quotes, as if it were a strong ETag:
 * {@code s:"1700000000000000"}. Thread-safe.
 *
 * @param location the bucket
 * @param endpoint the server
 * @param bearer has tokens; empty for requests without one
 * @param extra query parameters of all requests
 */
record GcsOrigin(BucketLocation location, URI endpoint, Optional<BearerAuthorization> bearer, Map<String, String> extra)
        implements CloudService {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.gcs");

    /** The name of the write id in the user metadata. */
    private static final String WRITE_ID = "shardkit-write";

    /** A generation that no object has. */
    private static final String NO_GENERATION = "1";

    @Override
    public String host() {
        return Urls.host(endpoint);
    }

    @Override
    public Set<String> secrets() {
        return bearer.map(BearerAuthorization::secrets).orElseGet(Set::of);
    }

    @Override
    public boolean mayWait() {
        return bearer.isPresent();
    }

    /** Returns the URL of a request about the bucket's objects ({@code kind} "" or "/upload"), or about one of them. */
    URI uri(String kind, Optional<String> name, Map<String, String> query) {
        return uri(kind, name, "", query);
    }

    /** Returns the URL of an operation on an object; {@code tail} is the part of the path after the object's name. */
    URI uri(String kind, Optional<String> name, String tail, Map<String, String> query) {
        Map<String, String> parameters = new LinkedHashMap<>(extra);
        parameters.putAll(query);
        return URI.create(server() + kind + "/storage/v1/b/" + Urls.encoded(location.container()) + "/o"
                + name.map(n -> "/" + Urls.encoded(n)).orElse("") + tail + Urls.query(parameters));
    }

    private String server() {
        return endpoint.getScheme() + "://" + host() + Urls.path(endpoint);
    }

    /** Returns the URL of a batch of calls. */
    URI batch() {
        return URI.create(server() + "/batch/storage/v1");
    }

    /** Returns the target of a call about an object in a batch: its URL without the server. */
    String pathInBatch(String name) {
        return uri("", Optional.of(name), Map.of()).toString().substring(server().length());
    }

    @Override
    public Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin) {
        Map<String, String> query = new LinkedHashMap<>(Map.of("alt", "media"));
        pin.ifPresent(version -> query.put("ifGenerationMatch", generation(version)));
        Map<String, String> headers = new LinkedHashMap<>();
        rangeRequest.header().ifPresent(r -> headers.put("Range", r));
        return signed(Request.get(uri("", Optional.of(location.nameOf(key)), query), headers));
    }

    @Override
    public Prepared signed(Request request) {
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put("Accept-Encoding", "identity");
        headers.put("User-Agent", UserAgent.VALUE);
        Optional<String> token = bearer.map(BearerAuthorization::token);
        token.ifPresent(t -> headers.put("Authorization", "Bearer " + t));
        Request withHeaders = new Request(request.method(), request.uri(), headers, request.payload());
        return new Prepared(withHeaders, token.map(Set::of).orElseGet(Set::of));
    }

    /** Returns the generation of a version; {@link #NO_GENERATION} if the version is not a generation. */
    private static String generation(String version) {
        return ObjectVersion.ifMatch(Optional.of(version))
                .map(tag -> tag.replace("\"", ""))
                .filter(text -> text.matches("[0-9]{1,19}"))
                .orElse(NO_GENERATION);
    }

    /** Returns the version of a generation. */
    static Optional<String> version(String generation) {
        return generation.isEmpty() ? Optional.empty() : Optional.of("s:\"" + generation + "\"");
    }

    @Override
    public Head translated(Head head) {
        Headers plain = head.headers().without("ETag").without("Last-Modified");
        Headers headers = head.headers()
                .firstValue("X-Goog-Generation")
                .map(generation -> plain.with("ETag", '"' + generation + '"'))
                .orElse(plain);
        return CloudService.super.translated(new Head(head.status(), headers));
    }

    /**
     * Google may decode a compressed object before it sends it (decompressive transcoding). Then the checksum in the
     * headers is that of the stored form, not of the received bytes.
     */
    @Override
    public boolean isDecoded(Headers headers) {
        boolean isStoredEncoded = headers.firstValue("X-Goog-Stored-Content-Encoding")
                .filter(coding -> !coding.equals("identity"))
                .isPresent();
        return isStoredEncoded && headers.firstValue("Content-Encoding").isEmpty();
    }

    @Override
    public boolean checksWholeObjects() {
        return true;
    }

    @Override
    public Optional<String> damage(Headers headers, Bytes object) {
        Optional<String> statedChecksum = headers.allValues("X-Goog-Hash").stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .map(String::strip)
                .filter(hash -> hash.startsWith("crc32c="))
                .map(hash -> hash.substring("crc32c=".length()))
                .findFirst();
        return isDecoded(headers)
                ? Optional.empty()
                : statedChecksum.flatMap(expected -> Crc32cBase64.mismatch(expected, object));
    }

    @Override
    public ErrorResponse refusal(Response response) {
        return GcsErrors.of(response, secrets());
    }

    /** Returns the query parameters of a condition. */
    static Map<String, String> condition(Condition condition) {
        if (condition instanceof Condition.Absent) {
            return Map.of("ifGenerationMatch", "0");
        } else if (condition instanceof Condition.Version v) {
            return Map.of("ifGenerationMatch", generation(v.version()));
        }
        return Map.of();
    }

    /** Returns the document that describes a new object. */
    static byte[] resource(String name, Optional<String> writeId) {
        Json.Obj resource =
                Json.object().with("name", Json.of(name)).with("contentType", Json.of("application/octet-stream"));
        return writeId.map(id -> resource.with("metadata", Json.object().with(WRITE_ID, Json.of(id))))
                .orElse(resource)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a multipart request, because only it carries user metadata. */
    @Override
    public Request put(String name, Bytes bytes, Condition condition, Optional<String> writeId) {
        Map<String, String> query = new LinkedHashMap<>(condition(condition));
        query.put("uploadType", "multipart");
        query.put("fields", "generation");
        String boundary = "shardkit-" + UUID.randomUUID(); // random, so the bytes do not contain it
        List<ByteBuffer> pieces = new ArrayList<>();
        pieces.add(text("--" + boundary + "\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n"));
        pieces.add(ByteBuffer.wrap(resource(name, writeId)));
        pieces.add(text("\r\n--" + boundary + "\r\nContent-Type: application/octet-stream\r\n\r\n"));
        pieces.addAll(bytes.pieces());
        pieces.add(text("\r\n--" + boundary + "--\r\n"));
        Map<String, String> headers = Map.of("Content-Type", "multipart/related; boundary=" + boundary);
        return new Request("POST", uri("/upload", Optional.empty(), query), headers, Payload.of(pieces));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Request delete(String name, Condition condition) {
        return new Request("DELETE", uri("", Optional.of(name), condition(condition)), Map.of(), Payload.NONE);
    }

    @Override
    public Request stat(String name) {
        return Request.get(uri("", Optional.of(name), Map.of("fields", "generation,metadata")), Map.of());
    }

    private static Optional<JsonResponse> json(Response response) {
        return JsonResponse.parse(response.body().toArray());
    }

    @Override
    public Optional<String> writeId(Response stat) {
        return json(stat).flatMap(a -> a.child("metadata")).map(m -> m.text(WRITE_ID));
    }

    @Override
    public Optional<String> version(Response response, long size) {
        return json(response).flatMap(a -> version(a.text("generation")));
    }

    @Override
    public System.Logger log() {
        return LOG;
    }
}
