package dev.shardkit.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.cli.print.UsageException;
import org.junit.jupiter.api.Test;

/** Locations of arrays in groups, as users of Linux and of Windows type them. */
class ChildLocationTest {
    private static void assertSplit(String parent, String name, String location, char separator) {
        assertEquals(new ChildLocation(parent, name), ChildLocation.split(location, separator), location);
    }

    @Test
    void paths_areSplitAtSlashes() {
        assertSplit("scan.zarr", "0", "scan.zarr/0", '/');
        assertSplit(".", "scan\\0", "scan\\0", '/');
        assertSplit("/", "x", "/x/", '/');
        assertSplit("zip:a.zip!", "0", "zip:a.zip!0", '/');
        assertSplit("https://host/a", "b c", "https://host/a/b%20c", '/');
    }

    @Test
    void pathsOfWindows_areSplitAtBackslashesToo() {
        assertSplit("scan.zarr", "0", "scan.zarr\\0", '\\');
        assertSplit("C:\\daten\\scan.zarr", "0", "C:\\daten\\scan.zarr\\0\\", '\\');
        assertSplit("C:\\", "scan.zarr", "C:\\scan.zarr", '\\');
        assertSplit("n5:C:\\", "x", "n5:C:\\x", '\\');
        assertSplit("\\\\server\\share\\g", "a", "\\\\server\\share\\g\\a", '\\');
        assertSplit("s3://bucket", "a\\b", "s3://bucket/a\\b", '\\');
        assertThrows(UsageException.class, () -> ChildLocation.split("..\\", '\\'));
    }
}
