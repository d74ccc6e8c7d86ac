package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.Outside;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.maintenance.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that the array's edge cuts, in copies with other shards: they move if nothing lies beyond the edge. */
@Timeout(240)
class MovedEdgesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    private ZarrArray source(long... shape) {
        ArraySpec spec = ArraySpec.of("int32", shape).withChunkShape(16, 16).withCodecs(Codecs.zstd(1));
        ZarrArray array = Zarr.createArray(folder.resolve("from").toString(), spec);
        NdArray values = array.read();
        Random random = new Random(3);
        for (int i = 0; i < values.ints().length; i++) {
            values.ints()[i] = 1 + random.nextInt(9);
        }
        array.write(array.domain(), values);
        return array;
    }

    /** Changes the document of the source, as another program might. */
    private ZarrArray edited(String from, String to) throws IOException {
        Path document = folder.resolve("from/zarr.json");
        String text = Files.readString(document).replaceAll("\\s", "");
        String edited = text.replace(from, to);
        assertEquals(text.contains(from), !edited.equals(text), text);
        Files.writeString(document, edited);
        return Zarr.openArray(folder.resolve("from").toString());
    }

    private ZarrArray copied(Copy copy, ZarrArray from) throws IOException {
        Path at = folder.resolve("copy");
        try (Store target = Zarr.openStore(at.toString(), OPTIONS)) {
            copy.to(target, OPTIONS);
        }
        ZarrArray array = Zarr.openArray(at.toString());
        assertArrayEquals(from.read().ints(), array.read().ints());
        assertEquals(0, Verification.of(array).run(finding -> {}).errors());
        return array;
    }

    /** Returns how many stored chunks of the source are in the objects of the copy, byte for byte. */
    private int moved() throws IOException {
        StringBuilder all = new StringBuilder();
        for (byte[] object : objects("copy")) {
            all.append(new String(object, StandardCharsets.ISO_8859_1));
        }
        int count = 0;
        for (byte[] chunk : objects("from")) {
            count += all.indexOf(new String(chunk, StandardCharsets.ISO_8859_1)) < 0 ? 0 : 1;
        }
        return count;
    }

    private byte[][] objects(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(name).resolve("c"))) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(path -> {
                        try {
                            return Files.readAllBytes(path);
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .toArray(byte[][]::new);
        }
    }

    /** The document names another level than that of the chunks, so that encoded anew they are other bytes. */
    @Test
    void cutChunks_move_ifTheRestIsFill() throws IOException {
        try (ZarrArray written = source(60, 44)) {
            assertEquals(
                    "zstd", written.metadata().codecs().bytesToBytes().get(0).name());
        }
        try (ZarrArray from = edited("\"level\":1", "\"level\":9")) {
            copied(Copy.of(from).withShardShape(32, 32), from).close();
            assertEquals(12, moved());
        }
    }

    @Test
    void cutInnerChunks_move_outOfShards() throws IOException {
        ArraySpec spec = ArraySpec.of("int32", 20, 20)
                .withChunkShape(8, 8)
                .withShardShape(16, 16)
                .withCodecs(Codecs.zstd(1));
        try (ZarrArray array = Zarr.createArray(folder.resolve("from").toString(), spec)) {
            NdArray values = array.read();
            java.util.Arrays.setAll(values.ints(), i -> i);
            array.write(array.domain(), values);
        }
        try (ZarrArray from = edited("\"level\":1", "\"level\":9")) {
            copied(Copy.of(from).withoutShards(), from).close();
            String shards = "";
            for (byte[] shard : objects("from")) {
                shards += new String(shard, StandardCharsets.ISO_8859_1);
            }
            for (byte[] chunk : objects("copy")) {
                assertEquals(true, shards.contains(new String(chunk, StandardCharsets.ISO_8859_1)));
            }
        }
    }

    /** Another program made the array smaller, and left the elements beyond the new edge in its chunks. */
    @Test
    void elementsBeyondTheEdge_doNotAppear_whenTheCopyGrows() throws IOException {
        source(64, 48).close();
        try (ZarrArray from = edited("[64,48]", "[60,44]");
                ZarrArray copy = copied(Copy.of(from).withShardShape(32, 32), from)) {
            assertEquals(6, moved(), "6 of 12 chunks are cut");
            copy.resize(new long[] {64, 48}, Outside.KEEP);
        }
        try (ZarrArray grown = Zarr.openArray(folder.resolve("copy").toString())) {
            assertArrayEquals(
                    new int[4 * 48],
                    grown.read(Box.of(new long[] {60, 0}, new long[] {4, 48})).ints());
            assertArrayEquals(
                    new int[64 * 4],
                    grown.read(Box.of(new long[] {0, 44}, new long[] {64, 4})).ints());
        }
    }

    /** The fill value of the copy counts. */
    @Test
    void cutChunks_ofAnotherFillValue_areEncodedAgain() throws IOException {
        source(60, 44).close();
        try (ZarrArray from = edited("\"fill_value\":0", "\"fill_value\":5")) {
            copied(Copy.of(from).withShardShape(32, 32), from).close();
            assertEquals(6, moved());
        }
    }
}
