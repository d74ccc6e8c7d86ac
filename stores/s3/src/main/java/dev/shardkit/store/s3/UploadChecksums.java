package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.cloud.Crc32cBase64;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.remote.exchange.RangeRequest;
import dev.shardkit.transport.Headers;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds CRC32C checksums to uploads, if the caller has enabled them. The server compares each checksum with the bytes
 * that it receives, stores it, and sends it with whole objects.
 *
 * @param isEnabled whether the caller has enabled checksums
 */
record UploadChecksums(boolean isEnabled) {
    /** The header with the checksum, in requests and responses. */
    static final String HEADER = "x-amz-checksum-crc32c";

    /** Returns the headers of a request that sends bytes. */
    Map<String, String> sent(List<ByteBuffer> pieces) {
        return isEnabled ? Map.of(HEADER, Crc32cBase64.of(pieces)) : Map.of();
    }

    /**
     * Returns the headers of a request that begins a multipart upload. The object gets a checksum of all its bytes. But
     * if the server copies ranges into the object, it gets a checksum of its parts' checksums, because the S3 server
     * versitygw computes the checksum of all bytes wrongly in this case.
     */
    Map<String, String> uploadHeaders(PutBody body) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (isEnabled) {
            headers.put("x-amz-checksum-algorithm", "CRC32C");
            boolean copies = body.parts().stream().anyMatch(Part.Stored.class::isInstance);
            headers.put("x-amz-checksum-type", copies ? "COMPOSITE" : "FULL_OBJECT");
        }
        return headers;
    }

    /** Returns the headers of a read. A range has no checksum. */
    Map<String, String> readHeaders(RangeRequest rangeRequest) {
        return isEnabled && rangeRequest.header().isEmpty() ? Map.of("x-amz-checksum-mode", "ENABLED") : Map.of();
    }

    /**
     * Compares a whole object with the checksum in its response. Returns the difference, for messages. A checksum of
     * the parts' checksums ({@code COMPOSITE}, or with "-" and the number of parts at its end) is not compared.
     */
    Optional<String> damage(Headers headers, Bytes object) {
        boolean isComposite = headers.firstValue("x-amz-checksum-type")
                .filter("COMPOSITE"::equalsIgnoreCase)
                .isPresent();
        return headers.firstValue(HEADER)
                .filter(sum -> isEnabled && !isComposite && !sum.contains("-"))
                .flatMap(sum -> Crc32cBase64.mismatch(sum, object));
    }
}
