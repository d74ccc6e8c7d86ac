package dev.shardkit.store.gcs;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.cloud.BearerToken;
import dev.shardkit.store.cloud.JsonResponse;
import dev.shardkit.store.cloud.TokenServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;

/**
 * The key of a service account. It signs a JWT (RFC 7523), for which Google's token server returns a token.
 * {@code toString} shows no secret. Immutable.
 */
final class ServiceAccount {
    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
    private static final int LIFETIME_SECONDS = 3600;

    private final String email;
    private final String keyId;
    private final URI server;
    private final PrivateKey key;
    private final Clock clock;

    private ServiceAccount(String email, String keyId, URI server, PrivateKey key, Clock clock) {
        this.email = email;
        this.keyId = keyId;
        this.server = server;
        this.key = key;
        this.clock = clock;
    }

    /**
     * Reads the document of a key. Throws {@link StoreException} if it is not the key of a service account; the message
     * does not show the key.
     */
    static ServiceAccount of(JsonResponse document, URI defaultServer, Clock clock) {
        String email = document.text("client_email");
        String pem = document.text("private_key");
        String server = document.text("token_uri");
        if (email.isEmpty() || pem.isEmpty()) {
            throw new StoreException(
                    "expected a service account key with client_email and private_key, found one without them");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
            PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
            URI tokenServer = server.isEmpty() ? defaultServer : URI.create(server);
            return new ServiceAccount(email, document.text("private_key_id"), tokenServer, key, clock);
        } catch (GeneralSecurityException | IllegalArgumentException e) { // messages may show a part of the key
            throw new StoreException("expected a private_key of RSA in PKCS #8 and the URL token_uri in the service"
                    + " account key, found others");
        }
    }

    /** Requests a token. */
    BearerToken token() {
        return TokenServer.authorization(server)
                .post(Map.of("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion", assertion()));
    }

    /** Returns the signed JWT: header, claims and signature in URL-safe base64, separated by periods. */
    private String assertion() {
        long epochSecond = clock.instant().getEpochSecond();
        Json.Obj header = Json.object()
                .with("alg", Json.of("RS256"))
                .with("typ", Json.of("JWT"))
                .with("kid", Json.of(keyId));
        Json.Obj claims = Json.object()
                .with("iss", Json.of(email))
                .with("scope", Json.of(SCOPE))
                .with("aud", Json.of(server.toString()))
                .with("iat", Json.of(epochSecond))
                .with("exp", Json.of(epochSecond + LIFETIME_SECONDS));
        String signed = encoded(header.toString().getBytes(StandardCharsets.UTF_8)) + "."
                + encoded(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encoded(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new StoreException(
                    "the service account's key cannot sign: " + e.getClass().getSimpleName());
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return "service account " + email;
    }
}
