package dev.shardkit.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * pyarrow reads the files of shardkit, and the other way round ({@code mvn verify -Pinterop}). Needs Python and pip.
 */
@EnabledIfSystemProperty(named = "shardkit.interop", matches = "true")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ArrowInteropTest {
    private static final int ROWS = 1000;

    private final BufferAllocator allocator = new RootAllocator();
    private final ZarrGroup group = group();
    private final List<String> names = new ArrayList<>();

    @TempDir
    private Path folder;

    private static ZarrGroup group() {
        Json.Obj attributes = Json.object().with("title", Json.of("t"));
        return Zarr.createGroup(MemoryStore.create(), "", attributes, IfExists.REFUSE, ZarrOptions.defaults());
    }

    @AfterEach
    void close() {
        group.close();
        allocator.close();
    }

    private static Json time(String name, String unit) {
        return Json.extension(name, Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(1)));
    }

    private void column(String name, Json type, Object values, IntConsumer set) {
        for (int i = 0; i < ROWS; i++) {
            set.accept(i);
        }
        Json.Obj attributes = Json.object().with("units", Json.of("u" + name));
        if (name.equals("time")) {
            attributes = attributes.with("arrow", Json.object().with("timezone", Json.of("UTC")));
        }
        ArraySpec spec =
                ArraySpec.of(type, ROWS).withChunkShape(50).withShardShape(300).withAttributes(attributes);
        try (ZarrArray array = group.createArray(name, spec, IfExists.REFUSE)) {
            array.write(array.domain(), values, 0);
        }
        names.add(name);
    }

    /** The table of {@code arrow_check.py}. */
    private void fill() {
        boolean[] flag = new boolean[ROWS];
        column("flag", Json.of("bool"), flag, i -> flag[i] = i % 3 == 0);
        byte[] small = new byte[ROWS];
        column("small", Json.of("int8"), small, i -> small[i] = (byte) (i % 200 - 100));
        long[] count = new long[ROWS];
        column("count", Json.of("uint64"), count, i -> count[i] = -1L - i);
        float[] half = new float[ROWS];
        column("wide", Json.of("float32"), half, i -> half[i] = i % 100 / 4f);
        NdArray halves = group.array("wide").read().convert(CoreTypes.FLOAT16);
        names.remove("wide");
        column("half", Json.of("float16"), halves.array(), i -> {});
        double[] real = new double[ROWS];
        column("real", Json.of("float64"), real, i -> real[i] = i / 8.0);
        String[] name = new String[ROWS];
        column("name", Json.of("string"), name, i -> name[i] = "\u00e4".repeat(i % 3) + i);
        byte[][] blob = new byte[ROWS][];
        column("blob", Json.of("variable_length_bytes"), blob, i -> {
            blob[i] = new byte[i % 4];
            Arrays.fill(blob[i], (byte) i);
        });
        byte[] code = new byte[3 * ROWS];
        column("code", CoreTypes.rawBytes(3).json(), code, i -> {
            code[3 * i] = (byte) i;
            code[3 * i + 1] = 1;
            code[3 * i + 2] = 2;
        });
        long[] time = new long[ROWS];
        column("time", time("numpy.datetime64", "ns"), time, i -> {
            time[i] = i % 7 == 0 ? Long.MIN_VALUE : i * 1_000_000_007L - 500;
        });
        long[] span = new long[ROWS];
        column("span", time("numpy.timedelta64", "ms"), span, i -> span[i] = i % 5 == 0 ? Long.MIN_VALUE : i);
    }

    @Test
    void files_areReadByPyarrow_andPyarrowsByShardkit() throws Exception {
        fill();
        ZarrTable table = ZarrTable.of(group, names.toArray(String[]::new));
        try (OutputStream out = Files.newOutputStream(folder.resolve("shardkit.arrows"));
                ArrowReader reader = table.reader(allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), null, out)) {
            copy(reader, writer);
        }
        try (OutputStream out = Files.newOutputStream(folder.resolve("shardkit.arrow"));
                ArrowReader reader = table.reader(allocator);
                ArrowFileWriter writer =
                        new ArrowFileWriter(reader.getVectorSchemaRoot(), null, Channels.newChannel(out))) {
            copy(reader, writer);
        }
        VariableTableTest variables = new VariableTableTest();
        variables.create();
        Files.write(folder.resolve("variables.arrows"), variables.stream(4));
        variables.close();
        Path script = Path.of("../../conformance-tests/tools/interop.sh").toAbsolutePath();
        Process check = new ProcessBuilder("bash", script.toString(), "arrow", folder.toString())
                .inheritIO()
                .start();
        assertEquals(0, check.waitFor());
        try (InputStream in = Files.newInputStream(folder.resolve("pyarrow.arrows"));
                ArrowReader reader = new ArrowStreamReader(in, allocator)) {
            compare(reader);
        }
        try (FileChannel in = FileChannel.open(folder.resolve("pyarrow.arrow"));
                ArrowReader reader = new ArrowFileReader(in, allocator)) {
            compare(reader);
        }
    }

    private static void copy(ArrowReader reader, ArrowWriter writer) throws IOException {
        while (reader.loadNextBatch()) {
            writer.writeBatch();
        }
        writer.end();
    }

    private void compare(ArrowReader reader) throws IOException {
        ZarrGroup copy = group();
        ColumnArrayLayout layout = (column, spec) -> spec.withChunkShape(64).withShardShape(256);
        ZarrTable.write(reader, copy, layout, Nulls.REFUSE);
        for (String name : names) {
            assertEquals(group.array(name).read(), copy.array(name).read(), name);
            assertEquals(group.array(name).attributes(), copy.array(name).attributes(), name);
        }
    }
}
