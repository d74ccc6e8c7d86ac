package dev.shardkit.cli.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
    @Test
    void controlAndDirectionCharacters_areEscaped() {
        assertEquals("a\\u001b[2Jb\\u0007\\u000a\\u202ec", TerminalText.escapeName("a\u001b[2Jb\u0007\n\u202ec"));
        assertEquals("µm ü 中", TerminalText.escapeName("µm ü 中"));
        assertEquals("a\tb\n\\u009b31m", TerminalText.escapeLines("a\tb\n\u009b31m"));
    }
}
