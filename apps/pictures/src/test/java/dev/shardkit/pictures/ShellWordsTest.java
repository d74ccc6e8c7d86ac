package dev.shardkit.pictures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Words that users paste into the shells of their system. */
class ShellWordsTest {
    @Test
    void posixShells_getSingleQuotes() {
        assertEquals("/data/a-1.zarr", ShellWords.quoted("/data/a-1.zarr", '/'));
        assertEquals("'a b!'", ShellWords.quoted("a b!", '/'));
        assertEquals("'it'\\''s'", ShellWords.quoted("it's", '/'));
        assertEquals("'C:\\data'", ShellWords.quoted("C:\\data", '/'));
    }

    @Test
    void shellsOfWindows_getDoubleQuotes() {
        assertEquals("C:\\data\\a.zarr", ShellWords.quoted("C:\\data\\a.zarr", '\\'));
        assertEquals("\"C:\\my data\"", ShellWords.quoted("C:\\my data", '\\'));
        assertEquals("\"a,b\"", ShellWords.quoted("a,b", '\\')); // PowerShell takes a,b for a list
    }
}
