package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.arrow.ColumnArrayLayout;
import dev.shardkit.arrow.Nulls;
import dev.shardkit.arrow.ZarrTable;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of tables; the marked lines are shown in the documents. */
class TablesTest {
    @TempDir
    private Path folder;

    private void create(String location) {
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            ArraySpec spec = ArraySpec.of("float64", 10).withChunkShape(2).withShardShape(4);
            try (ZarrArray x = group.createArray("x", spec, IfExists.REFUSE)) {
                x.write(x.domain(), new double[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0);
            }
            try (ZarrArray name = group.createArray("name", ArraySpec.of("string", 10), IfExists.REFUSE)) {
                name.write(name.domain(), "a b c d e f g h i j".split(" "), 0);
            }
        }
    }

    @Test
    void table_isStreamedAndStored() throws IOException {
        String location = folder.resolve("points.zarr").toString();
        String copied = folder.resolve("copy.zarr").toString();
        Path file = folder.resolve("points.arrows");
        create(location);
        // example: read
        try (ZarrGroup group = Zarr.openGroup(location);
                BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = ZarrTable.of(group, "name", "x").reader(allocator);
                OutputStream out = Files.newOutputStream(file);
                ArrowStreamWriter writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), null, out)) {
            while (reader.loadNextBatch()) { // a shard of each column
                writer.writeBatch();
            }
            writer.end();
        }
        // end
        assertTrue(Files.size(file) > 0);
        // example: write
        ColumnArrayLayout layout = (column, spec) ->
                spec.withChunkShape(10_000).withShardShape(1_000_000).withCodecs(Codecs.zstd(3));
        try (InputStream in = Files.newInputStream(file);
                BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = new ArrowStreamReader(in, allocator);
                ZarrGroup group = Zarr.createGroup(copied, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            ZarrTable.write(reader, group, layout, Nulls.REFUSE);
        }
        // end
        try (ZarrGroup group = Zarr.openGroup(copied)) {
            assertArrayEquals(
                    new double[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                    group.array("x").read().doubles());
            assertEquals("j", group.array("name").read().strings()[9]);
            assertEquals(2, ZarrTable.of(group).columns().size());
        }
    }
}
