package dev.shardkit.store.cloudtest;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The Azurite of the tests of this JVM, with an empty container. */
public final class AzuriteServer {
    /** The name of the container. */
    public static final String CONTAINER = "tests";

    private static final String ACCOUNT = "devstoreaccount1";

    /** The key of every Azurite; its documentation names it. */
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Emulator SERVER = Emulator.start(
            "azurite",
            "azurite-3.35.0/node_modules/azurite/dist/src/blob/main.js",
            List.of(
                    "node",
                    "{file}",
                    "--blobHost",
                    "127.0.0.1",
                    "--blobPort",
                    "{port}",
                    "--skipApiVersionCheck",
                    "--inMemoryPersistence",
                    "--disableTelemetry",
                    "--silent"),
            Map.of());
    private static boolean made;

    private AzuriteServer() {}

    /** Returns the endpoint of the account; skips the test if there is no server. */
    public static synchronized URI endpoint() {
        URI endpoint = URI.create(SERVER.uri() + "/" + ACCOUNT);
        if (!made) {
            makeContainer(endpoint);
            made = true;
        }
        return endpoint;
    }

    private static void makeContainer(URI endpoint) {
        String date = ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.RFC_1123_DATE_TIME);
        String signed = "PUT" + "\n".repeat(12) + "x-ms-date:" + date + "\nx-ms-version:2021-12-02\n/" + ACCOUNT + "/"
                + ACCOUNT + "/" + CONTAINER + "\nrestype:container";
        HttpRequest create = HttpRequest.newBuilder(URI.create(endpoint + "/" + CONTAINER + "?restype=container"))
                .header("x-ms-date", date)
                .header("x-ms-version", "2021-12-02")
                .header("Authorization", "SharedKey " + ACCOUNT + ":" + hmac(signed))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        Emulator.check(create, 201);
    }

    private static String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
