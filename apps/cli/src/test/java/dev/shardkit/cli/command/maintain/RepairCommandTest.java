package dev.shardkit.cli.command.maintain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairCommandTest {
    @TempDir
    Path dir;

    private static List<Json> steps(Cli.Result result) {
        return ((Json.Arr) result.object().members().get("steps")).items();
    }

    private static String summary(Cli.Result result, String name) {
        return ((Json.Obj) result.object().members().get("summary"))
                .members()
                .get(name)
                .toString();
    }

    @Test
    void soundTree_endsWithZero() {
        String url = Nodes.tree(dir.resolve("t"));
        assertEquals(
                List.of("2 arrays, nothing to repair (chunks are not checked; shardkit verify does)"),
                Cli.good("repair", url).lines());
        assertEquals(List.of(), steps(Cli.good("repair", url, "--apply", "--drop-corrupt", "--json")));
    }

    @Test
    void staleFile_isNamed_andGoesWithApply() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path stale = Files.writeString(dir.resolve("a/c/0/__shardkit-tmp-1"), "left");
        Files.setLastModifiedTime(stale, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Cli.Result dry = Cli.run("repair", url, "--json");
        assertEquals(1, dry.status());
        assertEquals("", dry.err());
        assertEquals(
                "\"remove_temporary\"",
                ((Json.Obj) steps(dry).get(0)).members().get("kind").toString());
        assertEquals("true", summary(dry, "dry_run"));
        assertTrue(Files.exists(stale));
        Cli.Result done = Cli.good("repair", url, "--apply");
        assertTrue(done.lines().get(0).startsWith("remove temporary file: "), done.out());
        assertFalse(Files.exists(stale));
        assertEquals(1, Cli.good("repair", url).lines().size());
    }

    @Test
    void strayChunk_isListed_andGoesOnRequestOnly() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path stray = Files.writeString(dir.resolve("a/c/0/99"), "left");
        Cli.Result listed = Cli.good("repair", url, "--apply"); // it is no damage
        assertTrue(listed.lines().get(0).startsWith("stray chunk (--drop-strays deletes it): "), listed.out());
        assertEquals(1, Cli.run("repair", url, "--drop-strays").status());
        assertTrue(Files.exists(stray));
        Cli.Result gone = Cli.good("repair", url, "--apply", "--drop-strays");
        assertTrue(gone.lines().get(0).startsWith("delete stray chunk: "), gone.out());
        assertFalse(Files.exists(stray));
    }

    @Test
    void truncatedShards_loseWhatIsCutOff() throws IOException {
        for (IndexLocation location : IndexLocation.values()) {
            Path folder = dir.resolve(location.name());
            try (ZarrArray array = Zarr.createArray(
                    folder.toString(),
                    ArraySpec.of("uint8", 8).withChunkShape(2).withShardShape(8).withIndexLocation(location))) {
                array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            }
            Path shard = folder.resolve("c/0");
            byte[] whole = Files.readAllBytes(shard);
            Files.write(shard, Arrays.copyOf(whole, whole.length - 3));
            assertEquals(1, Cli.run("repair", folder.toString(), "--apply").status());
            Cli.good("repair", folder.toString(), "--drop-corrupt", "--apply");
            try (ZarrArray array = Zarr.openArray(folder.toString())) {
                byte[] left = location == IndexLocation.START ? new byte[] {1, 2, 3, 4, 5, 6, 0, 0} : new byte[8];
                assertArrayEquals(left, array.read().bytes());
            }
        }
    }

    @Test
    void chunkThatDoesNotDecode_goesOnRequestOnly_withABackup() throws IOException {
        Path folder = dir.resolve("a");
        try (ZarrArray array = Zarr.createArray(
                folder.toString(), ArraySpec.of("uint8", 4).withChunkShape(2).withCodecs(Codecs.gzip(1)))) {
            array.write(array.domain(), new byte[] {1, 2, 3, 4}, 0);
        }
        Files.writeString(folder.resolve("c/1"), "broken");
        Cli.good("repair", folder.toString(), "--apply"); // nothing is decoded
        String backup = dir.resolve("backup").toString();
        assertEquals(
                1,
                Cli.run("repair", folder.toString(), "--drop-corrupt", "--backup", backup)
                        .status());
        assertTrue(Files.exists(folder.resolve("c/1")));
        Cli.Result done =
                Cli.good("repair", folder.toString(), "--drop-corrupt", "--apply", "--backup", backup, "--json");
        assertEquals("1", summary(done, "lost_chunks"));
        assertEquals(
                "\"c/1\"", ((Json.Obj) steps(done).get(0)).members().get("key").toString());
        assertFalse(Files.exists(folder.resolve("c/1")));
        assertEquals("broken", Files.readString(dir.resolve("backup/c/1")));
        Cli.good("verify", folder.toString());
    }

    @Test
    void truncatedShard_isLeft_andGoesOnRequest_withABackup() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path shard = dir.resolve("a/c/0/0");
        byte[] whole = Files.readAllBytes(shard);
        for (int size = whole.length - 1; size >= 0; size = size == 0 ? -1 : size * 2 / 3) {
            byte[] cut = Arrays.copyOf(whole, size);
            Path backup = dir.resolve("backup" + size);
            Files.write(shard, cut);
            Cli.Result left = Cli.run("repair", url, "--apply");
            assertEquals(1, left.status());
            assertTrue(left.lines().get(0).startsWith("not repaired: shard or chunk c/0/0: "), left.out());
            assertTrue(
                    left.lines().get(0).contains("--drop-corrupt keeps the inner chunks that can be recovered"),
                    left.out());
            assertArrayEquals(cut, Files.readAllBytes(shard));
            Cli.Result gone = Cli.good("repair", url, "--apply", "--drop-corrupt", "--backup", backup.toString());
            assertFalse(Files.exists(shard), gone.out());
            assertTrue(
                    gone.out().contains("0 chunks and inner chunks lost, 1 shard lost with all inner chunks, "),
                    gone.out());
            assertArrayEquals(cut, Files.readAllBytes(backup.resolve("c/0/0")));
            Cli.good("verify", url);
        }
        assertEquals("-1\n", Cli.good("read", url, "--region", "0,0").out());
    }

    @Test
    void backup_thatOverlapsTheData_isRefused() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path stray = Files.writeString(dir.resolve("a/c/0/99"), "left");
        Path link = LinksAndPipes.link(dir.resolve("link"), dir.resolve("a"));
        for (String backup : List.of(
                url, link.toString(), "file:" + dir.resolve("./a") + "/", url + "/c", url + "/new", dir.toString())) {
            Cli.bad(2, "data and backup overlap", "repair", url, "--apply", "--drop-strays", "--backup", backup);
            assertTrue(Files.exists(stray), backup);
        }
        Path archive = dir.resolve("a.zip");
        Cli.good("copy", url, archive.toString());
        byte[] before = Files.readAllBytes(archive);
        Path other = LinksAndPipes.link(dir.resolve("b.zip"), archive);
        for (String backup : List.of(archive.toString(), other.toString(), "zip:" + archive + "!backup")) {
            Cli.bad(2, "data and backup overlap", "repair", archive.toString(), "--apply", "--backup", backup);
            assertArrayEquals(before, Files.readAllBytes(archive));
        }
    }

    @Test
    void backup_ofAnEarlierRun_isNotReplaced() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path stray = dir.resolve("a/c/0/99");
        String[] repair = {
            "repair",
            url,
            "--apply",
            "--drop-strays",
            "--backup",
            dir.resolve("backup").toString()
        };
        Files.writeString(stray, "first");
        Cli.good(repair);
        Files.writeString(stray, "other");
        Cli.Result left = Cli.run(repair);
        assertEquals(1, left.status());
        assertTrue(left.out().contains("has another object c/0/99 already"), left.out());
        assertEquals("other", Files.readString(stray));
        assertEquals("first", Files.readString(dir.resolve("backup/c/0/99")));
        Files.writeString(stray, "first"); // as an interrupted run leaves it
        Cli.good(repair);
        assertFalse(Files.exists(stray));
    }

    @Test
    void backup_inAnArchive_isComplete() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Files.writeString(dir.resolve("a/c/0/99"), "left");
        Path archive = dir.resolve("backup.zip");
        Cli.good("repair", url, "--apply", "--drop-strays", "--backup", archive.toString());
        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            assertEquals("left", Files.readString(zip.getPath("c/0/99")));
        }
    }

    @Test
    void wrongly_isRefused() {
        Cli.bad(3, "this place does not exist", "repair", dir.resolve("none").toString());
        Cli.bad(2, "--foreign", "repair", dir.toString(), "--foreign", "what");
    }
}
