package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.array.Box;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTest {
    private static final long[] SHAPE = {10, 20};

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "2:5,3; 2 3 3 1",
                ":,:; 0 10 0 20",
                "4:,:7; 4 6 0 7",
                "9,19; 9 1 19 1",
                "3:3,20:; 3 0 20 0",
                "0:10,0:20; 0 10 0 20",
                "007,:; 7 1 0 20"
            })
    void parse_aRegion_isItsBox(String text, String expected) {
        Box box = Region.parse(text, SHAPE);
        assertEquals(expected, box.origin(0) + " " + box.shape(0) + " " + box.origin(1) + " " + box.shape(1));
    }

    @Test
    void parse_nothing_isTheRegionOfNoDimensions() {
        assertEquals(Box.of(new long[0]), Region.parse("", new long[0]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "1", "1,2,3", "1,2,", "a,:", "1:2:1,:", "-1,:", "-3:,:", "+1,:", " 1,:", "1 ,:", "1.0,:", "::,:",
                "5:3,:", ",", "...,:", "1:,: "
            })
    void parse_whatIsNoRegion_isWrongUse(String text) {
        assertThrows(WrongUse.class, () -> Region.parse(text, SHAPE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10,:",
                ":,20",
                "0:11,:",
                "11:,:",
                "11:11,:",
                "99999999999999999999,:",
                "0:9223372036854775808,:",
                "12:11,:"
            })
    void parse_outside_isOutOfBounds(String text) {
        assertThrows(IndexOutOfBoundsException.class, () -> Region.parse(text, SHAPE));
    }

    @Test
    void parse_theTextOfAnyBox_isThatBox() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            int rank = random.nextInt(5);
            long[] shape = new long[rank];
            long[] origin = new long[rank];
            long[] lengths = new long[rank];
            StringBuilder text = new StringBuilder();
            for (int d = 0; d < rank; d++) {
                shape[d] = random.nextBoolean() ? random.nextInt(5) : random.nextLong() >>> 1;
                origin[d] = shape[d] == 0 ? 0 : Math.floorMod(random.nextLong(), shape[d]);
                lengths[d] =
                        shape[d] == 0 ? 0 : Math.floorMod(random.nextLong(), shape[d] - origin[d]) + random.nextInt(2);
                text.append(d > 0 ? "," : "").append(item(random, origin[d], origin[d] + lengths[d], shape[d]));
            }
            assertEquals(Box.of(origin, lengths), Region.parse(text.toString(), shape), text.toString());
        }
    }

    /** One of the ways to say it. */
    private static String item(Random random, long from, long to, long length) {
        if (to == from + 1 && random.nextBoolean()) {
            return String.valueOf(from);
        }
        String first = from == 0 && random.nextBoolean() ? "" : String.valueOf(from);
        String second = to == length && random.nextBoolean() ? "" : String.valueOf(to);
        return first + ":" + second;
    }
}
