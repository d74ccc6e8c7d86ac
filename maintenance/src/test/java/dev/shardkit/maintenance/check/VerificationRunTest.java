package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verification of trees, over HTTP, and of failing stores: its progress reports and its end. */
@Timeout(120)
class VerificationRunTest extends VerificationTestBase {
    @Test
    void objectsThatAreNoChunks_areNotes() throws IOException {
        Path folder = createWritten(spec());
        Files.writeString(folder.resolve("notes.txt"), "x");
        Files.createDirectories(folder.resolve("__shardkit"));
        Files.writeString(folder.resolve("__shardkit/lock"), "");
        Files.copy(folder.resolve("c/0"), folder.resolve("c/2"));
        Files.copy(folder.resolve("c/0"), folder.resolve("c/00"));
        VerificationResult found = verify();
        assertEquals(
                List.of("c/00", "c/2", "notes.txt"),
                found.findings().stream()
                        .map(f -> f.key().orElseThrow())
                        .sorted()
                        .toList());
        assertTrue(found.findings().stream()
                .allMatch(f ->
                        f.kind() == (f.key().orElseThrow().equals("c/2") ? Kind.STRAY_CHUNK : Kind.FOREIGN_OBJECT)));
        assertEquals(0, found.summary().errors());
    }

    @Test
    void tree_isWalked_andBrokenNodesAreNamed() throws IOException {
        Path root = dir.resolve("tree");
        try (ZarrGroup group =
                Zarr.createGroup(root.toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            for (String name : List.of("x/a", "x/b", "c", "d")) {
                ZarrArray array = group.createArray(name, spec(), IfExists.REFUSE);
                array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0);
            }
        }
        Files.writeString(root.resolve("c/zarr.json"), "{");
        Path unknown = root.resolve("d/zarr.json");
        Files.writeString(unknown, Files.readString(unknown).replace("crc32c", "unheard-of"));
        Files.write(root.resolve("x/b/c/1"), new byte[3]);
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            VerificationResult found = VerificationResult.of(group);
            assertEquals(
                    List.of("c METADATA", "d UNSUPPORTED", "x/b INDEX"),
                    found.findings().stream()
                            .map(f -> f.node() + " " + f.kind())
                            .toList());
            assertEquals(Optional.of("x/b/c/1"), found.findings().get(2).key());
            assertEquals(2, found.summary().arrays());
        }
    }

    @Test
    void overHttp_theSameIsFound() throws IOException {
        createShard().flip(INNER + 1).insert(0, 5).write();
        List<String> near = verify().findings().stream().map(Finding::toString).toList();
        assertEquals(2, near.size());
        try (RangeServer server = RangeServer.over(dir);
                ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
            server.clearLog();
            VerificationResult far = VerificationResult.of(array);
            assertEquals(near, far.findings().stream().map(Finding::toString).toList());
            // Each of the two small shards is read whole; at the end the document, because the array must still be
            // there.
            assertEquals(3, server.log().size(), server.log()::toString);
        }
    }

    @Test
    void unreadableObject_isFound() {
        createWritten(ArraySpec.of("uint8", 8).withChunkShape(2).withShardShape(8));
        try (RangeServer server = RangeServer.over(dir);
                ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
            server.failNext(1, 403, Map.of());
            Finding f = VerificationResult.of(array).singleFinding();
            assertEquals(Kind.UNREADABLE, f.kind(), f::toString);
            assertEquals(Optional.of("c/0"), f.key());
        }
    }

    @Test
    void storeThatFailsAgainAndAgain_endsIt() {
        createWritten(ArraySpec.of("uint8", 40).withChunkShape(1).withShardShape(2));
        try (RangeServer server = RangeServer.over(dir);
                ZarrArray array = Zarr.openArray(server.uri().resolve("a").toString())) {
            server.failNext(1000, 403, Map.of());
            List<Finding> before = new ArrayList<>();
            assertThrows(StoreException.class, () -> Verification.of(array).run(before::add));
            assertEquals(9, before.size());
        }
    }

    @Test
    void interrupted_itEnds() {
        createWritten(spec());
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, () -> VerificationResult.of(array));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void progress_countsStoredObjects() {
        createWritten(spec());
        List<String> reported = new ArrayList<>();
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            Verification.of(array)
                    .withProgress((path, done, total) -> reported.add(done + "/" + total))
                    .run(f -> {});
        }
        assertEquals(List.of("0/2", "2/2"), reported);
    }

    @Test
    void consumersOwnException_endsIt() throws IOException {
        createShard().flip(0).write();
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            assertThrows(
                    IllegalStateException.class, () -> Verification.of(array).run(f -> {
                        throw new IllegalStateException();
                    }));
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void hugeSparseGrid_costsWhatIsStored() {
        try (ZarrArray array = Zarr.createArray(
                dir.resolve("huge").toString(),
                ArraySpec.of("uint8", 1L << 40, 1L << 20)
                        .withChunkShape(1, 1)
                        .withCodecs(Codecs.named("bytes", Json.object())))) {
            array.write(Values.box(new long[] {(1L << 40) - 1, 7}, 1, 1), new byte[] {9}, 0);
            assertEquals(
                    new Summary(1, 0, 0, 0, 1, 1, 0, 0, 0),
                    VerificationResult.of(array).summary());
        }
    }
}
