package dev.shardkit.spi.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BoxTest {
    private static long[] at(long... numbers) {
        return numbers;
    }

    @Test
    void cell_isTheBoxInAGridThatStartsAtZero() {
        assertEquals(Box.of(at(6, 20), at(3, 4)), Box.cell(at(2, 5), at(3, 4)));
        assertEquals(Box.of(at()), Box.cell(at(), at()));
        assertThrows(ArithmeticException.class, () -> Box.cell(at(1L << 62), at(4)));
    }

    @Test
    void cells_areThoseThatTheBoxIntersects() {
        assertEquals(Box.of(at(1, 2), at(2, 1)), Box.of(at(5, 8), at(2, 4)).cells(at(3, 4)));
        assertEquals(Box.of(at(1), at(1)), Box.of(at(3), at(3)).cells(at(3)), "up to an edge");
        assertEquals(Box.of(at(0), at(2)), Box.of(at(2), at(2)).cells(at(3)), "across an edge");
        assertEquals(Box.of(at()), Box.of(at()).cells(at()));
        assertTrue(Box.of(at(5, 8), at(0, 4)).cells(at(3, 4)).isEmpty());
        Box far = Box.of(at(Long.MAX_VALUE - 1), at(1));
        assertEquals(Box.of(at(Long.MAX_VALUE / 2), at(1)), far.cells(at(2)), "no overflow at the end");
    }

    @Test
    void cells_andCell_agree() {
        Box box = Box.of(at(7, 3), at(11, 9));
        Box cells = box.cells(at(4, 5));
        for (long i = 0; i < cells.count(); i++) {
            assertFalse(Box.cell(cells.at(i), at(4, 5)).intersect(box).isEmpty());
        }
        assertEquals(4 * 3, cells.count());
    }
}
