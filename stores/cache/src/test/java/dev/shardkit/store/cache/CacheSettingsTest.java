package dev.shardkit.store.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where the settings of a {@code cache:} location come from. */
class CacheSettingsTest {
    private final Map<String, String> properties = new HashMap<>(Map.of("user.home", "/home/a", "os.name", "Linux"));
    private final Map<String, String> variables = new HashMap<>();

    private CacheSettings of(Map<String, String> options) {
        return CacheSettings.of(options, CacheSettings.Sources.of(properties::get, variables::get));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "paths without a drive are relative")
    void settings_withoutAny_areTheDefaults() {
        assertEquals(
                new CacheSettings(Path.of("/home/a/.cache/shardkit/cache"), 10L << 30, CacheMode.CHECK), of(Map.of()));
        variables.put("XDG_CACHE_HOME", "/xdg");
        assertEquals(Path.of("/xdg/shardkit/cache"), of(Map.of()).folder());
        variables.put("XDG_CACHE_HOME", "relative");
        assertEquals(Path.of("/home/a/.cache/shardkit/cache"), of(Map.of()).folder());
        properties.put("os.name", "Mac OS X");
        assertEquals(
                Path.of("/home/a/Library/Caches/shardkit/cache"), of(Map.of()).folder());
        properties.put("os.name", "Windows 11");
        variables.put("LOCALAPPDATA", "/local");
        assertEquals(Path.of("/local/shardkit/cache"), of(Map.of()).folder());
    }

    @Test
    void usualFolder_besideFilesOfTheLauncher_isACacheAtTheFirstUse(@TempDir Path caches) throws IOException {
        variables.put("XDG_CACHE_HOME", caches.toString());
        Files.createDirectories(caches.resolve("shardkit/starts"));
        Path folder = of(Map.of()).folder();
        assertEquals(caches.resolve("shardkit/cache"), folder);
        assertEquals(folder, CacheFolder.at(folder).root());
    }

    @Test
    void usualFolder_withACacheOfAnEarlierVersion_isThatCache(@TempDir Path caches) throws IOException {
        variables.put("XDG_CACHE_HOME", caches.toString());
        Path earlier = caches.resolve("shardkit");
        CacheFolder.at(earlier).put(earlier.resolve("objects/a"), out -> {});
        Files.createDirectories(earlier.resolve("starts"));
        assertEquals(earlier, of(Map.of()).folder());
        assertEquals(earlier, CacheFolder.at(earlier).root());
    }

    @Test
    void settings_ofTheLocation_precedeThoseOfTheProcess() {
        variables.putAll(
                Map.of("SHARDKIT_CACHE_FOLDER", "/v", "SHARDKIT_CACHE_LIMIT", "1k", "SHARDKIT_CACHE_MODE", "offline"));
        assertEquals(new CacheSettings(Path.of("/v"), 1000, CacheMode.OFFLINE), of(Map.of()));
        properties.put("shardkit.cache.folder", "/p");
        assertEquals(Path.of("/p"), of(Map.of()).folder());
        assertEquals(
                new CacheSettings(Path.of("/o"), 5, CacheMode.TRUST),
                of(Map.of("folder", "/o", "limit", "5", "mode", "trust")));
    }

    @Test
    void sizes_haveUnits() {
        assertEquals(10L << 30, CacheSettings.size("10GiB"));
        assertEquals(10L << 30, CacheSettings.size("10 gi"));
        assertEquals(500_000_000, CacheSettings.size("500MB"));
        assertEquals(2L << 40, CacheSettings.size("2TiB"));
        assertEquals(17, CacheSettings.size(" 17 "));
        for (String wrong : new String[] {"", "GiB", "-1", "0", "1.5G", "1XB", "999999999999999T"}) {
            assertThrows(IllegalArgumentException.class, () -> CacheSettings.size(wrong), wrong);
        }
    }

    @Test
    void settings_unknownOrWrong_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> of(Map.of("offline", "")));
        assertThrows(IllegalArgumentException.class, () -> of(Map.of("mode", "sometimes")));
        assertThrows(IllegalArgumentException.class, () -> of(Map.of("limit", "much")));
    }
}
