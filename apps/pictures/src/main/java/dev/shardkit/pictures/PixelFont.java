package dev.shardkit.pictures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Letters of 5 by 9 pixels for the texts of a {@link Figure}. The JDK's own fonts need AWT, which pictures do without.
 * Contains the characters of ASCII and a few that units need; others are drawn as a question mark. Immutable.
 */
final class PixelFont {
    /** The width of a letter, without the column between letters. */
    static final int WIDTH = 5;

    /** The height of a letter, with the part of letters such as g below the base line. */
    static final int HEIGHT = 9;
    /** The height of capital letters and digits. */
    static final int CAPITAL_HEIGHT = 7;
    /** The distance between the left edges of two neighbouring letters. */
    static final int ADVANCE = WIDTH + 1;

    /** The pixels of each letter, row by row. */
    private static final Map<Character, boolean[]> LETTERS = read();

    private PixelFont() {}

    /** Reads the letters: each line has a character, then the rows of its pixels, with # for a set one. */
    private static Map<Character, boolean[]> read() {
        Map<Character, boolean[]> letters = new TreeMap<>();
        try (InputStream file = PixelFont.class.getResourceAsStream("font.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String pixels = line.substring(2).replace(" ", "");
                boolean[] letter = new boolean[WIDTH * HEIGHT];
                for (int i = 0; i < letter.length; i++) {
                    letter[i] = pixels.charAt(i) == '#';
                }
                letters.put(line.charAt(0), letter);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the letters of pictures cannot be read", e);
        }
        letters.put(' ', new boolean[WIDTH * HEIGHT]);
        return letters;
    }

    /** Returns whether a pixel of a letter is set. */
    static boolean isSet(char letter, int x, int y) {
        boolean[] pixels = LETTERS.getOrDefault(letter, LETTERS.get('?'));
        return pixels[y * WIDTH + x];
    }

    /** Returns the width of a text in pixels. */
    static int width(String text) {
        return Math.max(0, text.length() * ADVANCE - 1);
    }
}
