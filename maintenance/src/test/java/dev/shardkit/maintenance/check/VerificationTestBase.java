package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.RawShard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests that verify an array. */
abstract class VerificationTestBase {
    /** An inner chunk is two elements and their checksum. */
    static final int INNER = 6;

    static final int INDEX = 4 * 16 + 4;

    @TempDir
    Path dir;

    /** The findings and totals of a verification. */
    record VerificationResult(List<Finding> findings, Summary summary) {
        static VerificationResult of(ZarrNode node) {
            return of(Verification.of(node));
        }

        static VerificationResult of(Verification verification) {
            List<Finding> findings = new ArrayList<>();
            Summary summary = verification.run(findings::add);
            assertEquals(
                    findings.stream()
                            .filter(f -> f.severity() == Severity.ERROR)
                            .count(),
                    summary.errors());
            assertEquals(
                    findings.stream().filter(f -> f.severity() == Severity.NOTE).count(), summary.notes());
            return new VerificationResult(findings, summary);
        }

        Finding singleFinding() {
            assertEquals(1, findings.size(), findings::toString);
            return findings.get(0);
        }
    }

    static ArraySpec spec() {
        return ArraySpec.of("uint8", 12)
                .withChunkShape(2)
                .withShardShape(8)
                .withCodecs(Codecs.named("bytes", Json.object()), Codecs.crc32c());
    }

    Path createWritten(ArraySpec spec) {
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
            byte[] values = new byte[(int) array.domain().count()];
            Arrays.setAll(new Object[values.length], i -> values[i] = (byte) (i + 1));
            array.write(array.domain(), values, 0);
        }
        return dir.resolve("a");
    }

    RawShard createShard() throws IOException {
        return RawShard.of(createWritten(spec()).resolve("c/0"), 4);
    }

    VerificationResult verify() {
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            return VerificationResult.of(array);
        }
    }
}
