package dev.shardkit.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StoreKeysTest {
    @Test
    void join_hasOneSlashBetweenNames() {
        assertEquals("a/b/c", StoreKeys.join("a/b", "c"));
        assertEquals("c", StoreKeys.join("", "c"));
        assertEquals("a/b", StoreKeys.join("a/b", ""));
        assertEquals("", StoreKeys.join("", ""));
    }

    @Test
    void relative_isTheRestBelowAPath() {
        assertEquals("a/", StoreKeys.prefix("a"));
        assertEquals("", StoreKeys.prefix(""));
        assertEquals("b/c", StoreKeys.relative("a", "a/b/c"));
        assertEquals("a/b", StoreKeys.relative("", "a/b"));
    }

    @Test
    void parentAndName_divideAtTheLastSlash() {
        assertEquals("a/b", StoreKeys.parent("a/b/c"));
        assertEquals("", StoreKeys.parent("a"));
        assertEquals("", StoreKeys.parent(""));
        assertEquals("c", StoreKeys.name("a/b/c"));
        assertEquals("a", StoreKeys.name("a"));
        assertEquals("", StoreKeys.name(""));
    }

    @Test
    void location_hasNoSecondSeparator() {
        assertEquals("https://host/data/a", StoreKeys.location("https://host/data", "a"));
        assertEquals("https://host/data/a", StoreKeys.location("https://host/data/", "a"));
        assertEquals("zip:file:/x.zip!a", StoreKeys.location("zip:file:/x.zip!", "a"));
        assertEquals("memory:", StoreKeys.location("memory:", ""));
    }
}
