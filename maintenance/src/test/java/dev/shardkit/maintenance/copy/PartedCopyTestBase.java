package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests that copy a tree of arrays in parts. */
public abstract class PartedCopyTestBase {
    static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path dir;

    ZarrGroup source;

    @BeforeEach
    void makeSource() {
        source = createSource(dir.resolve("from"));
    }

    /** Creates a tree of arrays, with some shards that are not stored. */
    public static ZarrGroup createSource(Path folder) {
        ZarrGroup source = Zarr.createGroup(folder.toString(), Json.object(), IfExists.REFUSE, OPTIONS);
        ArraySpec spec = ArraySpec.of("int32", 20, 30).withChunkShape(5, 5).withFillValue(7);
        ZarrArray array = source.createArray("g/a", spec.withShardShape(10, 10), IfExists.REFUSE);
        int[] values = new int[600];
        Arrays.setAll(values, i -> i < 300 || i % 30 < 10 ? 7 : i); // shards of fill values are not stored
        array.write(array.domain(), values, 0);
        source.createArray("b", spec, IfExists.REFUSE).write(array.domain(), values, 0);
        source.createArray(
                "empty", ArraySpec.of("int8", 0, 30).withChunkShape(5, 5).withShardShape(10, 10), IfExists.REFUSE);
        return source;
    }

    FileStore target() {
        return FileStore.at(dir.resolve("to"));
    }

    PartedCopy reshardedCopy() {
        return Copy.of(source).withShardShape(20, 10).inParts(target(), OPTIONS);
    }

    boolean isVisible() {
        return Zarr.find(target(), "", OPTIONS).isPresent();
    }

    void assertCopied() throws IOException {
        ZarrGroup copy = Zarr.openGroup(target(), "", OPTIONS);
        for (String path : List.of("g/a", "b")) {
            assertArrayEquals(
                    source.array(path).read().ints(), copy.array(path).read().ints(), path);
        }
        assertEquals(List.of("b", "empty", "g"), List.copyOf(copy.childNames()));
        try (var names = Files.list(dir.resolve("to"))) {
            assertEquals(
                    List.of(),
                    names.map(p -> p.getFileName().toString())
                            .filter(n -> n.startsWith("__"))
                            .toList());
        }
    }
}
