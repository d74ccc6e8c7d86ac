package dev.shardkit.store.azure;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.CloudService;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.cloud.Urls;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.store.remote.exchange.UserAgent;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the requests of a store of Azure Blob Storage and interprets its answers. Thread-safe.
 *
 * @param location the container
 * @param endpoint the Blob service of the account, such as {@code https://ACCOUNT.blob.core.windows.net}
 * @param authorization authorizes requests
 * @param clock tells the time, which signatures contain
 */
record AzureOrigin(BucketLocation location, URI endpoint, Authorization authorization, Clock clock)
        implements CloudService {
    private static final System.Logger LOG = System.getLogger("dev.shardkit.store.azure");

    private static final Authorization NONE = new Authorization.Anonymous();

    private static final String API_VERSION = "2021-12-02";

    private static final String SOURCE = "x-ms-copy-source";
    private static final String SOURCE_RANGE = "x-ms-source-range";

    /** The header of the write id. With an underscore, because Azure accepts only identifiers as names of metadata. */
    static final String WRITE_ID = "x-ms-meta-shardkit_write";

    /** A version that no blob has. */
    private static final String NO_VERSION = "\"0x0\"";

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Override
    public String host() {
        return Urls.host(endpoint);
    }

    @Override
    public Set<String> secrets() {
        return authorization.secrets();
    }

    @Override
    public boolean mayWait() {
        return authorization instanceof Authorization.Tokens;
    }

    /** Azure refuses or ignores suffix ranges. */
    @Override
    public RangeSupport ranges() {
        return RangeSupport.NO_SUFFIX;
    }

    private String container() {
        return endpoint.getScheme() + "://" + host() + Urls.path(endpoint) + "/" + Urls.encoded(location.container());
    }

    /** Returns the URL of a request about the container. */
    URI container(Map<String, String> query) {
        return URI.create(container() + Urls.query(query));
    }

    /** Returns the URL of a request about a blob. */
    URI blob(String name, Map<String, String> query) {
        return URI.create(container() + "/" + Urls.encodedPath(name) + Urls.query(query));
    }

    @Override
    public Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin) {
        Map<String, String> headers = new LinkedHashMap<>();
        rangeRequest.header().ifPresent(r -> headers.put("Range", r));
        ObjectVersion.ifMatch(pin).ifPresent(tag -> headers.put("If-Match", tag));
        return signed(Request.get(blob(location.nameOf(key), Map.of()), headers));
    }

    @Override
    public Prepared signed(Request request) {
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put("Accept-Encoding", "identity");
        headers.put("User-Agent", UserAgent.VALUE);
        headers.put("x-ms-version", API_VERSION);
        headers.put("x-ms-date", DATE.format(clock.instant()));
        if (request.payload().size() > 0) {
            headers.put("Content-Type", "application/octet-stream");
        }
        Set<String> secrets = new LinkedHashSet<>(authorization.secrets());
        // Only a request that copies a range has a source that needs an authorization of its own.
        Authorization forSource = headers.containsKey(SOURCE_RANGE) ? forSource(headers.get(SOURCE)) : NONE;
        secrets.addAll(forSource.secrets());
        headers.computeIfPresent(
                SOURCE,
                (name, source) -> forSource.authorized(URI.create(source)).toString());
        if (authorization instanceof Authorization.Tokens tokens) {
            String token = tokens.bearer().token();
            secrets.add(token);
            headers.put("Authorization", "Bearer " + token);
            if (headers.containsKey(SOURCE_RANGE)) {
                headers.put("x-ms-copy-source-authorization", "Bearer " + token);
            }
        } else if (authorization instanceof Authorization.SharedKey key) {
            headers.put(
                    "Authorization",
                    key.header(
                            request.method(),
                            request.uri(),
                            headers,
                            request.payload().size()));
        }
        URI uri = authorization.authorized(request.uri());
        return new Prepared(new Request(request.method(), uri, headers, request.payload()), secrets);
    }

    /**
     * Returns the authorization with which the server reads the source of a copied block. Azure does not use that of
     * the request, not even inside an account. With the account's key, it is a signature for reading this blob only.
     */
    private Authorization forSource(String source) {
        if (!(authorization instanceof Authorization.SharedKey key)) {
            return authorization;
        }
        String blob = URI.create(source)
                .getPath()
                .substring(URI.create(Urls.path(endpoint)).getPath().length());
        return ServiceSignature.forReading(key, blob, endpoint.getScheme(), API_VERSION, clock.instant());
    }

    /**
     * Makes a request for a block that is a range of a stored blob of a certain version. {@link #signed} adds the
     * authorization that the server needs to read it.
     */
    Request copiedBlock(String name, Map<String, String> query, Stored range) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(SOURCE, blob(location.nameOf(range.key()), Map.of()).toString());
        headers.put(SOURCE_RANGE, "bytes=" + range.offset() + "-" + (range.offset() + range.size() - 1));
        headers.put(
                "x-ms-source-if-match",
                ObjectVersion.ifMatch(Optional.of(range.version())).orElse(NO_VERSION));
        return new Request("PUT", blob(name, query), headers, Payload.NONE);
    }

    /** Returns the length of the URL of a blob as the source of a copied block, in characters. */
    int sourceLength(String name) {
        URI source = blob(name, Map.of());
        return forSource(source.toString()).authorized(source).toString().length();
    }

    /** Folders of accounts with a hierarchical namespace look like empty blobs; here they are absent. */
    @Override
    public Head translated(Head head) {
        boolean folder = head.headers()
                        .firstValue("x-ms-meta-hdi_isfolder")
                        .filter("true"::equalsIgnoreCase)
                        .isPresent()
                || head.headers()
                        .firstValue("x-ms-resource-type")
                        .filter("directory"::equals)
                        .isPresent();
        return folder ? new Head(404, head.headers()) : CloudService.super.translated(head);
    }

    @Override
    public ErrorResponse refusal(Response response) {
        return AzureErrors.of(response, secrets());
    }

    /** Returns the headers of a condition. */
    static Map<String, String> condition(Condition condition) {
        return CloudService.condition(condition, NO_VERSION);
    }

    @Override
    public Request put(String name, Bytes bytes, Condition condition, Optional<String> writeId) {
        Map<String, String> headers = new LinkedHashMap<>(condition(condition));
        headers.put("x-ms-blob-type", "BlockBlob");
        writeId.ifPresent(id -> headers.put(WRITE_ID, id));
        return new Request("PUT", blob(name, Map.of()), headers, Payload.of(bytes.pieces()));
    }

    @Override
    public Request delete(String name, Condition condition) {
        return new Request("DELETE", blob(name, Map.of()), condition(condition), Payload.NONE);
    }

    @Override
    public Request stat(String name) {
        return new Request("HEAD", blob(name, Map.of()), Map.of(), Payload.NONE);
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
