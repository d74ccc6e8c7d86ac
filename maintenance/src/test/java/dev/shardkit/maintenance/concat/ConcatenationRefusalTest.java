package dev.shardkit.maintenance.concat;

import static dev.shardkit.maintenance.concat.ConcatenationSamples.OPTIONS;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.WIDTH;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.create;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.expectedElements;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.objects;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.openResult;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.shardedSpec;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.sources;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.unshardedSpec;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.Concatenation.Summary;
import dev.shardkit.maintenance.concat.ConcatenationSamples.Transfer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Content;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays that cannot be concatenated are refused, and nothing is changed. */
class ConcatenationRefusalTest {
    @Test
    void chunksStoredTooLong_areRefused_orEncodedAnew_thoseOnly() throws Exception {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store, unshardedSpec(10).withChunkShape(4, 3), unshardedSpec(8).withChunkShape(4, 3));
        int[] model = expectedElements(sources);
        Map<String, byte[]> before = objects(store);
        for (Transfer way : Transfer.values()) {
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> way.of(sources, 0).to(store, "out"));
            assertTrue(e.getMessage().contains("s0/c/2/"), e.getMessage());
            assertEquals(before.keySet(), objects(store).keySet(), "nothing was done");
        }
        Summary done =
                Concatenation.copying(sources, 0, OPTIONS).reencodingEdges().to(store, "out");
        assertEquals(new Summary(15, 3, 0, done.bytes()), done);
        assertArrayEquals(model, openResult(store).read().ints());
        assertEquals(
                "[[4,4,2,[4,2]],3]",
                openResult(store)
                        .metadata()
                        .chunkGrid()
                        .configuration()
                        .get("chunk_shapes")
                        .orElseThrow()
                        .toString()
                        .replace("[4,2],2", "4,4,2"));
    }

    @Test
    void referencesToAStoreThatHasNoUrls_areRefused_withTheNextStep() {
        MemoryStore store = MemoryStore.create();
        create(store, "a", unshardedSpec(8).withChunkShape(4, 3), 1);
        try (ZarrArray array = Zarr.openArray(store, "a", OPTIONS)) {
            VirtualConcatenation all = VirtualConcatenation.of(List.of(array, array), 0, OPTIONS);
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> all.document(URI::toString));
            assertTrue(e.getMessage().contains("does not tell where its objects are"), e.getMessage());
            assertTrue(e.getMessage().contains("; concat --to URL makes a copy"), e.getMessage());
        }
    }

    @Test
    void innerChunksThatDoNotDivideTheRest_areRefused() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(store, shardedSpec(9, 8), shardedSpec(8, 8));
        MetadataException e = assertThrows(MetadataException.class, () -> Concatenation.copying(sources, 0, OPTIONS)
                .reencodingEdges()
                .to(store, "out"));
        assertTrue(e.getMessage().contains("where an array ends within a chunk"), e.getMessage());
        List<Source> even = List.of(new Source(store, "s1"), new Source(store, "s0"));
        int[] model = expectedElements(even);
        Concatenation.copying(even, 0, OPTIONS).to(store, "out");
        assertArrayEquals(model, openResult(store).read().ints());
    }

    @Test
    void whatDoesNotFit_isRefused_beforeAnythingIsDone() throws Exception {
        MemoryStore store = MemoryStore.create();
        create(store, "a", unshardedSpec(8).withChunkShape(4, 3), 1);
        Map<String, ArraySpec> others = Map.of(
                "data_type",
                        ArraySpec.of("int64", 8, WIDTH)
                                .withChunkShape(4, 3)
                                .withFillValue(-1)
                                .withCodecs(Codecs.zstd(1)),
                "fill_value", unshardedSpec(8).withChunkShape(4, 3).withFillValue(0),
                "codecs", unshardedSpec(8).withChunkShape(4, 3).withCodecs(Codecs.gzip(1)),
                "length in dimension 1",
                        ArraySpec.of("int32", 8, 8)
                                .withChunkShape(4, 3)
                                .withFillValue(-1)
                                .withCodecs(Codecs.zstd(1)),
                "chunk lengths in dimension 1", unshardedSpec(8).withChunkShape(4, 2),
                "rank",
                        ArraySpec.of("int32", 8)
                                .withChunkShape(4)
                                .withFillValue(-1)
                                .withCodecs(Codecs.zstd(1)));
        others.forEach((what, spec) -> {
            Zarr.createArray(store, "b", spec, IfExists.OVERWRITE, OPTIONS);
            for (Transfer way : Transfer.values()) {
                MetadataException e = assertThrows(
                        MetadataException.class,
                        () -> way.of(List.of(new Source(store, "a"), new Source(store, "b")), 0)
                                .to(store, "out"),
                        what);
                assertTrue(e.getMessage().contains("the same " + what), e.getMessage());
            }
        });
        List<Source> one = List.of(new Source(store, "a"));
        assertThrows(
                IllegalArgumentException.class, () -> Transfer.COPY.of(one, 2).to(store, "out"));
        assertThrows(
                IllegalArgumentException.class,
                () -> Transfer.COPY.of(List.of(), 0).to(store, "out"));
        assertThrows(
                IllegalArgumentException.class, () -> Transfer.COPY.of(one, 0).to(store, "a/out"));
        assertThrows(
                IllegalArgumentException.class,
                () -> Transfer.MOVE.of(List.of(one.get(0), one.get(0)), 0).to(store, "out"));
        assertThrows(
                MetadataException.class,
                () -> Transfer.COPY.of(List.of(new Source(store, "none")), 0).to(store, "out"));
        assertThrows(
                UnsupportedException.class, () -> Transfer.MOVE.of(one, 0).to(FileStore.at(Path.of("nowhere")), "out"));
        store.put("a/notes.txt", new Text("mine"), Durability.ATOMIC);
        UnsupportedException e = assertThrows(
                UnsupportedException.class, () -> Transfer.MOVE.of(one, 0).to(store, "out"));
        assertTrue(e.getMessage().contains("a/notes.txt"), e.getMessage());
        assertTrue(objects(store).keySet().stream().noneMatch(k -> k.startsWith("out")));
        assertEquals(8, Zarr.openArray(store, "a", OPTIONS).shape()[0]);
        Transfer.COPY.of(List.of(one.get(0), one.get(0)), 0).to(store, "twice");
        assertEquals(16, Zarr.openArray(store, "twice", OPTIONS).shape()[0]);
    }

    /** A small object. */
    private record Text(String text) implements Content {
        @Override
        public long size() {
            return text.length();
        }

        @Override
        public void writeTo(java.nio.channels.WritableByteChannel out) throws IOException {
            out.write(java.nio.ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        }
    }

    @Test
    void arrayUnderTwoNames_isNotMoved(@TempDir Path folder) throws Exception {
        FileStore store = FileStore.at(folder);
        create(store, "a", unshardedSpec(8).withChunkShape(4, 3), 1);
        LinksAndPipes.link(folder.resolve("b"), folder.resolve("a"));
        List<Source> twice = List.of(new Source(store, "a"), new Source(store, "b"));
        Map<String, byte[]> before = objects(FileStore.at(folder.resolve("a")));
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Transfer.MOVE.of(twice, 0).to(store, "out"));
        assertTrue(e.getMessage().contains("must not overlap"), e.getMessage());
        assertEquals(before.keySet(), objects(FileStore.at(folder.resolve("a"))).keySet());
        Files.move(folder.resolve("a/zarr.json"), folder.resolve("a/__concatenated-zarr.json"));
        StoreException aside = assertThrows(
                StoreException.class,
                () -> Transfer.MOVE.of(twice.subList(0, 1), 0).to(store, "out"));
        assertTrue(aside.getMessage().contains("is being moved by another"), aside.getMessage());
    }
}
