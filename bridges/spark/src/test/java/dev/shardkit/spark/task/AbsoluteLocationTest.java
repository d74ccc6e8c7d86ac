package dev.shardkit.spark.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relative paths become absolute. */
class AbsoluteLocationTest {
    private static final Path HERE = Path.of("").toAbsolutePath();

    @Test
    void relativePaths_areThoseOfThisFolder() {
        assertEquals(HERE.resolve("a.zarr").toString(), AbsoluteLocation.of("a.zarr"));
        assertEquals(HERE.resolve("a.zip|zip:") + "", AbsoluteLocation.of("a.zip|zip:"));
        assertEquals("zip:" + HERE.resolve("a.zip"), AbsoluteLocation.of("zip:a.zip"));
        assertEquals("cache:zip:" + HERE.resolve("a.zip"), AbsoluteLocation.of("cache:zip:a.zip"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/b.zarr",
                "file:/a/b.zarr",
                "file:///a/b.zarr",
                "s3://bucket/a",
                "cache:s3://bucket/a",
                "zip:/a/b.zip",
                "hdfs:///a",
                "hadoop:file:///a",
                "https://host/a.zarr",
                "memory:a"
            })
    void otherLocations_stayAsTheyAre(String location) {
        assertEquals(location, AbsoluteLocation.of(location));
    }
}
