package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LabelColoursTest {
    private static byte[] colour(String imageLabel, double label) {
        String text = "{\"ome\":{\"image-label\":" + imageLabel + "}}";
        byte[] pixels = new byte[8];
        LabelColours.of((Json.Obj) JsonReader.read(text, Limits.defaults())).writePixel(label, pixels, 4);
        return Arrays.copyOfRange(pixels, 4, 8);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void declaredColours_comeFirst_withTheirOpacity() {
        String colours =
                "{\"colors\":[{\"label-value\":7,\"rgba\":[1,2,200,40]},{\"label-value\":0,\"rgba\":[0,0,128,128]}]}";
        assertArrayEquals(bytes(1, 2, 200, 40), colour(colours, 7));
        assertArrayEquals(bytes(0, 0, 128, 128), colour(colours, 0));
        assertEquals(-1, colour(colours, 8)[3], "a label without a colour has one of ours, opaque");
    }

    @Test
    void otherLabels_areDistinct_andZeroIsTransparent() {
        assertEquals(0, colour("{}", 0)[3]);
        assertFalse(Arrays.equals(colour("{}", 1), colour("{}", 2)));
    }

    @Test
    void entriesThatAreNoColour_areLeftOut() {
        byte[] own = colour("{}", 1);
        for (String colours : new String[] {
            "[]",
            "{\"colors\":3}",
            "{\"colors\":[3,{\"label-value\":1},{\"label-value\":1,\"rgba\":[1,2,3]},"
                    + "{\"label-value\":\"1\",\"rgba\":[1,2,3,4]},{\"rgba\":[1,2,3,4]}]}"
        }) {
            assertArrayEquals(own, colour(colours, 1), colours);
        }
        assertArrayEquals(
                bytes(255, 0, 0, 1), colour("{\"colors\":[{\"label-value\":1,\"rgba\":[1e9,-3,\"x\",1.7]}]}", 1));
    }
}
