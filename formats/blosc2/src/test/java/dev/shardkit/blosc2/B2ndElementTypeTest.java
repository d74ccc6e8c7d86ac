package dev.shardkit.blosc2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data types as NumPy prints them. */
@Timeout(120)
class B2ndElementTypeTest {
    private static B2ndElementType type(String text, int typesize) {
        return B2ndElementType.parse(0, text, typesize);
    }

    private static String refused(String text, int typesize) {
        return assertThrows(CorruptDataException.class, () -> type(text, typesize))
                .getMessage();
    }

    /** Fill values of all fields would take gigabytes. */
    @Test
    void fieldsLargerThanTheElement_areRefused_beforeTheirFillValuesAreMade() {
        String many = IntStream.range(0, 2147)
                .mapToObj(i -> "('f" + i + "', 'V999999')")
                .collect(Collectors.joining(", ", "[", "]"));
        assertTrue(refused(many, 4).contains("at most 4 bytes, found \"V999999\""), refused(many, 4));
        assertTrue(refused(many, 1 << 20).contains("V999999"));
        refused("V5", 4);
        refused("[('a', 'V3'), ('b', [('c', 'V1'), ('d', 'V1')])]", 4);
        refused("[('a', 'U1'), ('b', 'U1')]", 7);
        refused("[('a', 'U1'), ('b', 'U1')]", 9);
        assertEquals(8, type("[('a', 'U1'), ('b', 'U1')]", 8).bytes());
        assertEquals(4, type("[('a', 'V3'), ('b', [('c', 'V1')])]", 4).bytes());
    }

    /** NumPy prints {@code ?} in records, and {@code |b1} elsewhere. */
    @Test
    void bool_hasTwoNames() {
        for (String name : new String[] {"?", "|?", "|b1", "b1"}) {
            B2ndElementType type = type("[('x', '<i4'), ('z', '" + name + "')]", 5);
            assertTrue(type.type().toString().contains("\"bool\""), type.type().toString());
            assertTrue(type.fill().toString().contains("false"), type.fill().toString());
        }
        refused("?", 4);
    }

    @Test
    void stepsOfNoLength_andHalvesOfSurrogatePairs_areRefusedByTheirType() {
        for (String text : new String[] {"<M8[0s]", "<m8[0s]", "[('a\\ud800', '<i8')]"}) {
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> type(text, 8));
            assertTrue(e.getMessage().contains(text), e.getMessage());
        }
        assertEquals(8, type("<M8[25s]", 8).bytes());
    }
}
