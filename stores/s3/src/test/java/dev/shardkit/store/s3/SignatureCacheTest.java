package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureCacheTest {
    private static final AccessKey KEYS = AccessKey.of("id", "secret");

    private long now = 1_000_000_000_000L;
    private int made;
    private final SignatureCache signatures = new SignatureCache(() -> now);

    private static SignatureCache.Signed request(String method, String path, Map<String, String> headers) {
        return new SignatureCache.Signed(method, URI.create("http://host/" + path), headers, KEYS, "eu-1");
    }

    /** Asks for a signature and returns its number, which counts those made. */
    private int number(SignatureCache.Signed signed) {
        return Integer.parseInt(
                signatures.of(signed, () -> Map.of("n", "" + ++made)).get("n"));
    }

    @Test
    void sameRequest_sharesItsSignatureForAMinute() {
        assertEquals(1, number(request("GET", "a", Map.of())));
        now += 59_999;
        assertEquals(1, number(request("GET", "a", Map.of())));
        now += 1;
        assertEquals(2, number(request("GET", "a", Map.of())));
        now += 59_999;
        assertEquals(2, number(request("GET", "a", Map.of())));
    }

    @Test
    void clockThatWasSetBack_makesANewSignature() {
        assertEquals(1, number(request("GET", "a", Map.of())));
        now -= 1;
        assertEquals(2, number(request("GET", "a", Map.of())));
    }

    @Test
    void whateverIsSigned_tellsRequestsApart() {
        SignatureCache.Signed one = request("GET", "a", Map.of());
        assertEquals(1, number(one));
        assertEquals(2, number(request("HEAD", "a", Map.of())));
        assertEquals(3, number(request("GET", "b", Map.of())));
        assertEquals(4, number(request("GET", "a", Map.of("x-amz-request-payer", "requester"))));
        assertEquals(5, number(new SignatureCache.Signed("GET", one.uri(), Map.of(), KEYS, "eu-2")));
        assertEquals(
                6,
                number(new SignatureCache.Signed(
                        "GET", one.uri(), Map.of(), AccessKey.of("id", "renewed"), one.region())));
        assertEquals(1, number(one));
    }

    @Test
    void onlyTheLast256_areKept() {
        for (int i = 1; i <= 257; i++) {
            assertEquals(i, number(request("GET", "" + i, Map.of())));
        }
        assertEquals(2, number(request("GET", "2", Map.of())));
        assertEquals(258, number(request("GET", "1", Map.of())));
    }
}
