package dev.shardkit.store.s3;

import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.store.remote.exchange.UserAgent;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signs requests with AWS Signature Version 4. The signature covers the method, the URL, the {@code x-amz-*} headers
 * and Content-MD5. Over plain HTTP it also covers the body, which TLS protects otherwise. Thread-safe.
 */
final class Signer {
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final SignatureCache signatures = new SignatureCache(System::currentTimeMillis);
    private final CredentialsProvider credentials;
    private final Bucket bucket;
    /** The secret parts of the keys of the last request. */
    private volatile Set<String> secrets = Set.of();

    Signer(CredentialsProvider credentials, Bucket bucket) {
        this.credentials = credentials;
        this.bucket = bucket;
    }

    /** Returns the secret parts of the keys of the last request. A server may repeat them in its response. */
    Set<String> secrets() {
        return secrets;
    }

    /** Returns whether both sign with the same keys. */
    boolean isLike(Signer other) {
        return credentials.identity().equals(other.credentials.identity());
    }

    boolean mayWait() {
        return credentials.mayWait().getAsBoolean();
    }

    /** Creates and signs a request with fresh credentials and the current region. */
    ServerProtocol.Prepared sign(String method, URI uri, Map<String, String> headers, Payload payload) {
        Map<String, String> headersToSend = new LinkedHashMap<>(headers);
        headersToSend.put("Accept-Encoding", "identity");
        headersToSend.put("User-Agent", UserAgent.VALUE);
        Optional<AccessKey> keys = credentials.keys().get();
        keys.ifPresent(key -> headersToSend.putAll(signature(key, method, uri, headers, payload)));
        Set<String> requestSecrets = new LinkedHashSet<>();
        keys.ifPresent(key -> {
            requestSecrets.add(key.secretAccessKey());
            key.sessionToken().ifPresent(requestSecrets::add);
        });
        secrets = requestSecrets;
        return new ServerProtocol.Prepared(new Request(method, uri, headersToSend, payload), requestSecrets);
    }

    private Map<String, String> signature(
            AccessKey keys, String method, URI uri, Map<String, String> headers, Payload payload) {
        Map<String, String> signed = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            if (isSigned(name)) {
                signed.put(name, value);
            }
        });
        boolean isRead = payload.size() == 0 && (method.equals("GET") || method.equals("HEAD"));
        return isRead
                ? signatures.of(
                        new SignatureCache.Signed(method, uri, signed, keys, bucket.region()),
                        () -> newSignature(keys, method, uri, signed, payload))
                : newSignature(keys, method, uri, signed, payload);
    }

    /**
     * Returns the headers that AWS's signer adds to a request, such as Authorization.
     *
     * @param headers the headers that the signature covers
     */
    private Map<String, String> newSignature(
            AccessKey keys, String method, URI uri, Map<String, String> headers, Payload payload) {
        SdkHttpFullRequest.Builder request = SdkHttpFullRequest.builder()
                .method(SdkHttpMethod.fromValue(method))
                .protocol(uri.getScheme())
                .host(uri.getHost())
                .encodedPath(uri.getRawPath());
        if (uri.getPort() >= 0) {
            request.port(uri.getPort());
        }
        Optional.ofNullable(uri.getRawQuery()).stream()
                .flatMap(query -> Stream.of(query.split("&")))
                .forEach(pair -> request.appendRawQueryParameter(
                        decoded(pair.substring(0, pair.indexOf('='))), decoded(pair.substring(pair.indexOf('=') + 1))));
        headers.forEach(request::putHeader);
        // S3, unlike other services of AWS, signs the path as it is sent: encoded once and not normalized.
        SignedRequest signed = signer.sign(r -> r.identity(identity(keys))
                .request(request.build())
                .payload(body(payload))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, bucket.region())
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, !bucket.isEncrypted() || payload.size() == 0));
        Map<String, String> signatureHeaders = new LinkedHashMap<>();
        signed.request().headers().forEach((name, values) -> {
            boolean isSupplied = headers.keySet().stream().anyMatch(name::equalsIgnoreCase);
            if (!isSupplied && !name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                signatureHeaders.put(name, values.get(0));
            }
        });
        return signatureHeaders;
    }

    private static boolean isSigned(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return name.startsWith("x-amz-") || name.equals("content-md5");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static AwsCredentialsIdentity identity(AccessKey keys) {
        return keys.sessionToken()
                .<AwsCredentialsIdentity>map(token ->
                        AwsSessionCredentialsIdentity.create(keys.accessKeyId(), keys.secretAccessKey(), token))
                .orElseGet(() -> AwsCredentialsIdentity.create(keys.accessKeyId(), keys.secretAccessKey()));
    }

    private static ContentStreamProvider body(Payload payload) {
        return () -> new SequenceInputStream(Collections.enumeration(
                payload.pieces().stream().map(BufferStream::new).toList()));
    }

    /** Reads the remaining bytes of a buffer, which may be read-only or direct, so it may have no accessible array. */
    private static final class BufferStream extends InputStream {
        private final ByteBuffer buffer;

        BufferStream(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public int read() {
            return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (!buffer.hasRemaining()) {
                return length == 0 ? 0 : -1;
            }
            int count = Math.min(length, buffer.remaining());
            buffer.get(target, offset, count);
            return count;
        }
    }
}
