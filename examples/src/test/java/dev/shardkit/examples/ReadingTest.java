package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ChunkBitmap;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.PresentChunk;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ZarrView;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.spi.type.MissingValues;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of reading; the marked lines are shown in the documents. */
class ReadingTest {
    @TempDir
    private Path folder;

    private String url;

    @BeforeEach
    void write() {
        url = folder.resolve("image.zarr").toString();
        ArraySpec spec = ArraySpec.of("uint16", 64, 64, 64)
                .withChunkShape(16, 16, 16)
                .withShardShape(32, 32, 32)
                .withDimensionNames("z", "y", "x")
                .withCodecs(Codecs.zstd(3));
        try (ZarrArray array = Zarr.createArray(url, spec)) {
            array.write(Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 1}), new short[] {42}, 0);
        }
    }

    @Test
    void readInto_fillsTheCallersArray() {
        // example: into
        short[] frames = new short[2 * 64 * 64];
        try (ZarrArray array = Zarr.openArray(url)) {
            Box plane = Box.of(new long[] {3, 0, 0}, new long[] {1, 64, 64});
            array.readInto(frames, 64 * 64, plane); // into the second frame
        }
        // end
        assertEquals(42, frames[64 * 64]);
    }

    @Test
    void views_selectElements() {
        // example: views
        try (ZarrArray array = Zarr.openArray(url)) {
            ZarrView rows = array.isel("z", 3) // one plane; its dimension is gone
                    .isel("y", 0, 64, 2) // every second row
                    .indices(1, 0, 63, 5); // three columns, in this order
            NdArray some = rows.read(); // shape [32, 3]
            rows.write(some);

            NdArray points = array.view()
                    .points(new long[] {3, 0, 0}, new long[] {60, 9, 9})
                    .read();
            // end
            assertArrayEquals(new long[] {32, 3}, some.shape());
            assertArrayEquals(new short[] {42, 0}, points.shorts());
        }
    }

    @Test
    void numbers_areConverted() {
        // example: convert
        try (ZarrArray array = Zarr.openArray(url)) {
            Box row = Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 64});
            double[] exact = array.read(row).doubles(); // every uint16 is a double
            NumberCast clamp = new NumberCast(RoundingMode.HALF_EVEN, NumberCast.Range.CLAMP);
            byte[] gray = array.read(row, CoreTypes.UINT8, clamp).bytes(); // above 255: 255
            // end
            assertEquals(42, exact[0]);
            assertEquals(42, gray[0]);
        }
    }

    @Test
    void options_areGivenWhenAnArrayIsOpened() {
        // example: options
        ZarrOptions options = ZarrOptions.defaults()
                .withParallelism(4) // threads of one call
                .withCacheBytes(64L << 20) // shard indexes kept between calls
                .withImmutableObjects(); // the objects never change: cached indexes are not checked
        try (ZarrArray array = Zarr.openArray(url, options)) {
            NdArray corner = array.read(Box.of(new long[] {0, 0, 0}, new long[] {8, 8, 8}));
            // end
            assertEquals(42, corner.longAt(3, 0, 0));
        }
    }

    @Test
    void presence_comesFromIndexes() {
        // example: presence
        try (ZarrArray array = Zarr.openArray(url)) {
            boolean stored = array.chunkExists(0, 0, 0); // reads one shard index
            long count = array.presence().count(); // reads all shard indexes, no chunk
            ChunkBitmap corner = array.presence(Box.of(new long[] {0, 0, 0}, new long[] {32, 32, 32}))
                    .bitmap();
            // end
            assertTrue(stored);
            assertEquals(1, count);
            assertEquals(1, corner.cardinality());
        }
    }

    @Test
    void presence_listsInnerChunks_withTheirStoredSizes() {
        // example: present
        try (ZarrArray array = Zarr.openArray(url)) {
            long bytes = 0;
            for (PresentChunk chunk : array.presence()) { // reads the indexes while it iterates
                System.out.println(Arrays.toString(chunk.cell()) + ": " + chunk.size() + " bytes in " + chunk.key());
                bytes += chunk.size();
            }
            ChunkBitmap bitmap = array.presence().bitmap();
            boolean stored = bitmap.get(0, 0, 0);
            long missing = bitmap.size() - bitmap.cardinality();
            // end
            assertEquals(
                    array.presence().stream()
                            .map(chunk -> chunk.extent().orElseThrow().size())
                            .toList(),
                    List.of(bytes));
            assertTrue(bytes > 0 && bytes < 16 * 16 * 16 * Short.BYTES, bytes + " bytes");
            assertTrue(stored);
            assertEquals(4 * 4 * 4 - 1, missing);
        }
    }

    @Test
    void failures_sayWhatIsWrong() throws IOException {
        Path shard = folder.resolve("image.zarr/c/0/0/0");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[bytes.length - 1] ^= 1; // of the checksum of the shard's index
        Files.write(shard, bytes);
        String message = "";
        // example: errors
        try (ZarrArray array = Zarr.openArray(url)) {
            array.read();
        } catch (MetadataException e) { // no array here, or a wrong zarr.json
            message = "not a readable array: " + e.getMessage();
        } catch (CorruptDataException e) { // damaged bytes, wrong checksums
            message = "corrupt: " + e.getMessage(); // array, shard, inner chunk, byte range
        } catch (StoreException e) { // network, disk, permissions, locks
            message = "cannot be read now: " + e.getMessage();
        }
        // end
        assertTrue(message.startsWith("corrupt: ") && message.contains("c/0/0/0"), message);
    }

    // example: packed
    static double[] decoded(ZarrArray array, Box region) {
        Map<?, ?> attributes = array.attributes(Map.class);
        double scale = attributes.get("scale_factor") instanceof Number factor ? factor.doubleValue() : 1;
        double offset = attributes.get("add_offset") instanceof Number addend ? addend.doubleValue() : 0;
        MissingValues missing = MissingValues.of(array.dataType(), array.attributes());
        return Arrays.stream(array.read(region).doubles()) // stored numbers of any type; int64 up to 2^53
                .map(stored -> missing.containsNumber(stored) ? Double.NaN : stored * scale + offset)
                .toArray();
    }
    // end

    @Test
    void packedNumbers_areDecoded() {
        Map<String, Object> attributes = Map.of("scale_factor", 0.5, "add_offset", 10, "_FillValue", -9999);
        ArraySpec spec = ArraySpec.of("int16", 3).withAttributes(attributes);
        try (ZarrArray array = Zarr.createArray(folder.resolve("packed.zarr").toString(), spec)) {
            array.write(array.domain(), new short[] {4, -9999, -2}, 0);
            assertArrayEquals(new double[] {12, Double.NaN, 9}, decoded(array, array.domain()));
        }
    }
}
