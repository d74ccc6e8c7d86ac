package dev.shardkit.store.azure;

import dev.shardkit.store.azure.Authorization.SharedKey;
import dev.shardkit.store.azure.Authorization.Signature;
import dev.shardkit.store.cloud.Urls;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes shared access signatures from the key of an account ("Create a service SAS" of the REST API). A signature is
 * for one blob, for reading only, and expires soon.
 */
final class ServiceSignature {
    /**
     * The clock of this computer may be 15 minutes late, which Azure accepts. Even then, a new signature must be valid.
     */
    private static final Duration LIFE = Duration.ofMinutes(20);

    private ServiceSignature() {}

    /**
     * Returns a signature for reading a blob.
     *
     * @param blob the container and the name of the blob, as {@code /container/name}, not encoded
     * @param scheme the scheme of the URL that the signature is added to
     * @param version the version of the REST API, 2020-12-06 or later: the fields that are signed depend on it
     * @param now the time
     */
    static Signature forReading(SharedKey key, String blob, String scheme, String version, Instant now) {
        String expiry = now.plus(LIFE).truncatedTo(ChronoUnit.SECONDS).toString();
        String protocol = scheme.equals("https") ? "https" : "";
        String signed = String.join(
                "\n",
                "r", // permission: read
                "", // no start time: the clock of this computer may be early
                expiry,
                "/blob/" + key.account() + blob,
                "", // no stored access policy
                "", // any address: the server itself reads the blob
                protocol,
                version,
                "b", // resource: a blob
                "", // no snapshot
                "", // no encryption scope
                "", // the answer's Cache-Control,
                "", // Content-Disposition,
                "", // Content-Encoding,
                "", // Content-Language
                ""); // and Content-Type stay as they are
        Map<String, String> query =
                new LinkedHashMap<>(Map.of("sp", "r", "se", expiry, "sv", version, "sr", "b", "sig", key.hmac(signed)));
        if (!protocol.isEmpty()) {
            query.put("spr", protocol);
        }
        return new Signature(Urls.form(query));
    }
}
