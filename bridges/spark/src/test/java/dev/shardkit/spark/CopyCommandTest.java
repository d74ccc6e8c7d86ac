package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CopyCommandTest {
    @Test
    void sizes_areBytesOrPowersOf1024() {
        assertEquals(1_073_741_824, CopyCommand.bytes("--max-memory", "1073741824"));
        assertEquals(2L << 30, CopyCommand.bytes("--max-memory", "2g"));
        assertEquals(3L << 10, CopyCommand.bytes("--max-memory", "3K"));
        assertEquals(1L << 40, CopyCommand.bytes("--max-memory", "1t"));
        for (String wrong : new String[] {"", "g", "2gb", "-1", "1.5g", "99999999999999999t"}) {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> CopyCommand.bytes("--max-memory", wrong))
                    .getMessage();
            assertEquals(
                    "--max-memory: expected a size such as 2g (k, m, g, t: powers of 1024; without a letter: bytes), "
                            + "found '" + wrong + "'",
                    message);
        }
    }
}
