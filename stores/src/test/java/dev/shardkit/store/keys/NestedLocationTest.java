package dev.shardkit.store.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Files that nested locations name, also as stores call them: {@code file:C:\\data\\x.zip} on Windows. */
class NestedLocationTest {
    private static final Path HERE = Path.of("").toAbsolutePath();

    @Test
    void path_isATextWithoutAScheme_orAFileThatIsNoUrl() {
        assertEquals(Optional.of(HERE.resolve("a b.zip")), NestedLocation.path("a%20b.zip"));
        assertEquals(Optional.of(HERE.resolve("a.zip")), NestedLocation.path("file:a.zip"));
        assertEquals(Optional.of(Path.of("C:\\a.zip").toAbsolutePath()), NestedLocation.path("C:%5Ca.zip"));
        assertEquals(Optional.of(Path.of("C:\\a.zip").toAbsolutePath()), NestedLocation.path("file:C:%5Ca.zip"));
        for (String url : List.of("file:///a.zip", "file:/a.zip", "https://host/a.zip", "s3:a.zip", "file:s3://b/a")) {
            assertEquals(Optional.empty(), NestedLocation.path(url), url);
        }
    }

    @Test
    void files_areSplitBeforeTheirName() {
        ObjectAddress expected = new ObjectAddress(HERE.resolve("data").toUri(), "a.zip");
        assertEquals(expected, ObjectAddress.of("data/a.zip", ""));
        assertEquals(expected, ObjectAddress.of("file:data/a.zip", ""));
        assertEquals(
                new ObjectAddress(URI.create("file:///data/"), "a.zip"), ObjectAddress.of("file:///data/a.zip", ""));
        assertEquals(HERE.resolve("a.json").toUri(), NestedLocation.urlOrPath("file:a.json", ""));
    }
}
