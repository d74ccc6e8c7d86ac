package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pyramids by Spark against those of one process. */
class PyramidJobTest {
    @TempDir
    Path dir;

    @Test
    void pyramid_hasTheBytesOfOneProcess_andIsResumed() throws IOException {
        String source = dir.resolve("source").toString();
        Sample.make(source);
        Path image = dir.resolve("image");
        try (JavaSparkContext spark = new JavaSparkContext(
                new SparkConf().setMaster("local[2]").setAppName("tests").set("spark.ui.enabled", "false"))) {
            PyramidJob job = PyramidJob.of(source, image.toString(), p -> p.withReducer(Reducer.MODE)
                    .withShardShape(32, 32)
                    .withLevels(3));
            assertEquals(new Pyramid.Summary(3, 3), job.run(spark));
            Path one = dir.resolve("one");
            try (ZarrArray array = Zarr.openArray(source)) {
                Pyramid.of(array)
                        .withReducer(Reducer.MODE)
                        .withShardShape(32, 32)
                        .withLevels(3)
                        .to(FileStore.at(one), ZarrOptions.defaults());
            }
            try (var files = Files.walk(one)) {
                List<Path> all = files.filter(Files::isRegularFile)
                        .filter(Sample::isOfNode)
                        .toList();
                for (Path file : all) {
                    assertEquals(-1, Files.mismatch(file, image.resolve(one.relativize(file))), file.toString());
                }
            }
            assertEquals(
                    0,
                    Main.run(
                            "pyramid",
                            source,
                            dir.resolve("max").toString(),
                            "--reducer",
                            "max",
                            "--axes",
                            "y,x",
                            "--pixel-size",
                            "2,0.5",
                            "--unit",
                            "micrometer"));
            assertEquals(2, Main.run("downsample", source, dir.resolve("no").toString(), "--reducer", "sum"));
            assertEquals(0, Main.run("pyramid", source, image + "/labels/cells", "--axes", "y,x"));
        }
        try (OmeImage opened = OmeImage.open(image.toString());
                OmeImage cells = opened.label("cells")) {
            assertEquals(List.of("cells"), opened.labelNames());
            assertEquals(3, cells.levels().size());
            assertEquals("mode", cells.multiscale().type().orElseThrow());
            assertEquals("../../", cells.imageLabel().orElseThrow().source().orElseThrow());
        }
        String metadata = Files.readString(dir.resolve("max/zarr.json"));
        assertEquals(3, metadata.split("micrometer").length, metadata);
        try (ZarrArray level = Zarr.openArray(dir.resolve("max/1").toString())) {
            assertArrayEquals(new long[] {Sample.SIDE / 2, Sample.SIDE / 2}, level.shape());
            assertEquals(Sample.SIDE * Sample.SIDE - 1, level.read().max());
        }
    }
}
