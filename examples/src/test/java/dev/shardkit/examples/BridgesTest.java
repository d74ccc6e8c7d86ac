package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.imglib2.ZarrImage;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import net.imglib2.RandomAccess;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.volatiles.VolatileUnsignedShortType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of bridges to other libraries; the marked lines are shown in the documents. */
class BridgesTest {
    private static final List<Axis> AXES =
            List.of(Axis.space("z", "micrometer"), Axis.space("y", "micrometer"), Axis.space("x", "micrometer"));

    @TempDir
    private Path folder;

    private final PrintStream console = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private String location;

    @AfterEach
    void restore() {
        System.setOut(console);
    }

    @BeforeEach
    void place() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        location = folder.resolve("image.zarr").toString();
    }

    private ZarrArray create() {
        ArraySpec spec =
                ArraySpec.of("uint16", 32, 64, 64).withChunkShape(16, 16, 16).withShardShape(32, 64, 64);
        ZarrArray array = Zarr.createArray(location, spec);
        array.write(Box.cell(new long[] {10, 20, 30}, new long[] {1, 1, 1}), new short[] {42}, 0);
        return array;
    }

    @Test
    void image_readsCells() {
        create().close();
        // example: image
        try (ZarrArray array = Zarr.openArray(location)) { // dimensions z, y, x
            ZarrImage image = ZarrImage.of(array).withCacheBytes(256 << 20);
            Img<UnsignedShortType> img = image.img(new UnsignedShortType()); // dimensions x, y, z
            RandomAccess<UnsignedShortType> access = img.randomAccess();
            int value = access.setPositionAndGet(30, 20, 10).get(); // reads one inner chunk
            System.out.println(img.dimension(0) + " columns, one element is " + value);
        }
        // end
        String text = printed.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("64 columns, one element is 42"), text);
    }

    @Test
    void volatileImage_doesNotWait() {
        try (ZarrArray array = create()) {
            ZarrImage image = ZarrImage.of(array);
            // example: volatile
            Img<VolatileUnsignedShortType> img = image.volatileImg(new VolatileUnsignedShortType());
            VolatileUnsignedShortType pixel = img.getAt(30, 20, 10); // does not wait
            String text = pixel.isValid() ? String.valueOf(pixel.get().get()) : "loading";
            // end
            assertEquals("loading", text);
        }
    }

    @Test
    void pyramid_isAListOfImages() {
        create().close();
        String array = location;
        location = folder.resolve("image.ome.zarr").toString();
        try (ZarrArray finest = Zarr.openArray(array);
                Store target = Zarr.openStore(location, ZarrOptions.defaults())) {
            Pyramid.of(finest).withAxes(AXES).withPixelSize(1, 1, 1).to(target, ZarrOptions.defaults());
        }
        // example: pyramid
        try (OmeImage ome = OmeImage.open(location)) {
            List<ZarrImage> levels =
                    ZarrImage.pyramid(ome.levels().stream().map(OmeLevel::array).toList());
            Img<UnsignedShortType> coarsest = levels.get(levels.size() - 1).img(new UnsignedShortType());
            System.out.println(levels.size() + " levels, the last one is " + coarsest.dimension(0) + " wide");
        }
        // end
        assertTrue(printed.toString(StandardCharsets.UTF_8).contains(" levels, the last one is "));
    }

    @Test
    void image_isWritten() {
        // example: write
        Img<UnsignedShortType> result = ArrayImgs.unsignedShorts(64, 64, 32); // x, y, z
        result.getAt(3, 2, 1).set(1000);
        ArraySpec spec = ArraySpec.of("uint16", 32, 64, 64) // z, y, x
                .withChunkShape(16, 16, 16)
                .withShardShape(32, 64, 64);
        try (ZarrArray array = Zarr.createArray(location, spec)) {
            ZarrImage.write(result, array); // or at a position: write(result, array, x, y, z)
        }
        // end
        try (ZarrArray array = Zarr.openArray(location)) {
            assertEquals(1000, array.read().longAt(1, 2, 3));
        }
    }
}
