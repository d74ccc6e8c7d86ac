package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Divides a JSON list into the texts of its items, for {@link JsonCodec}. Accepts JSON (RFC 8259) and, like Python's
 * parser, the names NaN, Infinity and -Infinity. Not thread-safe; used once.
 */
final class JsonItems {
    /** The maximum depth of nested lists and objects, which bounds the depth of the recursion. */
    private static final int DEEPEST = 100;
    /** A number or a name. */
    private static final Pattern WORD =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity");

    private static final Pattern ESCAPE = Pattern.compile("\\\\([\"\\\\/bfnrt]|u[0-9a-fA-F]{4})");

    private final String text;
    private int position;

    JsonItems(String text) {
        this.text = text;
    }

    /** Returns the text of each item. The list must be the whole text. */
    List<String> readAll() {
        List<String> items = new ArrayList<>();
        skipSpace();
        expect('[');
        skipSpace();
        while (!isNext(']')) {
            if (!items.isEmpty()) {
                expect(',');
                skipSpace();
            }
            int from = position;
            skipValue(0);
            items.add(text.substring(from, position));
            skipSpace();
        }
        expect(']');
        skipSpace();
        if (position < text.length()) {
            throw corrupt("the end of the text");
        }
        return items;
    }

    private void skipValue(int depth) {
        if (depth > DEEPEST) {
            throw corrupt("at most " + DEEPEST + " levels");
        }
        if (isNext('"')) {
            skipString();
        } else if (isNext('[')) {
            skipMembers(depth, ']');
        } else if (isNext('{')) {
            skipMembers(depth, '}');
        } else {
            skipWord();
        }
    }

    /** Skips a list or an object, which ends with {@code end}. */
    private void skipMembers(int depth, char end) {
        position++;
        skipSpace();
        for (int i = 0; !isNext(end); i++) {
            if (i > 0) {
                expect(',');
                skipSpace();
            }
            if (end == '}') {
                skipString();
                skipSpace();
                expect(':');
                skipSpace();
            }
            skipValue(depth + 1);
            skipSpace();
        }
        position++;
    }

    private void skipString() {
        expect('"');
        while (!isNext('"')) {
            if (position >= text.length()) {
                throw corrupt("the end of a string");
            } else if (text.charAt(position) < ' ') {
                throw corrupt("an escaped control character");
            } else if (isNext('\\')) {
                expect(ESCAPE, "an escape sequence of JSON");
            } else {
                position++;
            }
        }
        position++;
    }

    /**
     * Skips a number or a name. A further letter, digit, sign or point directly after it is an error, so 012 is not
     * read as 0 and 12.
     */
    private void skipWord() {
        int from = position;
        expect(WORD, "a JSON value");
        if (position < text.length()
                && (Character.isLetterOrDigit(text.charAt(position)) || "+-.".indexOf(text.charAt(position)) >= 0)) {
            position = from;
            throw corrupt("a JSON value");
        }
    }

    private void expect(Pattern pattern, String expected) {
        Matcher found = pattern.matcher(text).region(position, text.length());
        if (!found.lookingAt()) {
            throw corrupt(expected);
        }
        position = found.end();
    }

    private void skipSpace() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    private boolean isNext(char c) {
        return position < text.length() && text.charAt(position) == c;
    }

    private void expect(char c) {
        if (!isNext(c)) {
            throw corrupt("" + c);
        }
        position++;
    }

    private CorruptDataException corrupt(String expected) {
        return new CorruptDataException(
                JsonCodec.NAME + ": expected " + expected + " at character " + position + ", found "
                        + (position < text.length()
                                ? text.substring(position, Math.min(text.length(), position + 12))
                                : "the end"));
    }
}
