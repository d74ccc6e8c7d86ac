package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Divides a JSON list into the text of its items. Accepts what Python's parser accepts: JSON (RFC 8259), and the names
 * NaN, Infinity and -Infinity. Not thread-safe; used once.
 */
final class JsonItems {
    private static final int DEEPEST = 100;
    private static final Pattern WORD =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity");
    private static final Pattern ESCAPE = Pattern.compile("\\\\([\"\\\\/bfnrt]|u[0-9a-fA-F]{4})");

    private final String text;
    private int at;

    JsonItems(String text) {
        this.text = text;
    }

    /** Returns the text of each item of the list that is the whole text. */
    List<String> all() {
        List<String> items = new ArrayList<>();
        space();
        take('[');
        space();
        while (!isNext(']')) {
            if (!items.isEmpty()) {
                take(',');
                space();
            }
            int from = at;
            value(0);
            items.add(text.substring(from, at));
            space();
        }
        take(']');
        space();
        if (at < text.length()) {
            throw wrong("the end of the text");
        }
        return items;
    }

    private void value(int depth) {
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels");
        }
        if (isNext('"')) {
            string();
        } else if (isNext('[')) {
            members(depth, ']');
        } else if (isNext('{')) {
            members(depth, '}');
        } else {
            word();
        }
    }

    private void members(int depth, char end) {
        at++;
        space();
        for (int i = 0; !isNext(end); i++) {
            if (i > 0) {
                take(',');
                space();
            }
            if (end == '}') {
                string();
                space();
                take(':');
                space();
            }
            value(depth + 1);
            space();
        }
        at++;
    }

    private void string() {
        take('"');
        while (!isNext('"')) {
            if (at >= text.length()) {
                throw wrong("the end of a string");
            } else if (text.charAt(at) < ' ') {
                throw wrong("an escaped control character");
            } else if (isNext('\\')) {
                take(ESCAPE, "an escape sequence of JSON");
            } else {
                at++;
            }
        }
        at++;
    }

    /**
     * Parses a number or a name. It consumes all characters that can belong to one, so that 012 is not read as 0 and
     * 12.
     */
    private void word() {
        int from = at;
        take(WORD, "a JSON value");
        if (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
            at = from;
            throw wrong("a JSON value");
        }
    }

    private void take(Pattern pattern, String expected) {
        Matcher found = pattern.matcher(text).region(at, text.length());
        if (!found.lookingAt()) {
            throw wrong(expected);
        }
        at = found.end();
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean isNext(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void take(char c) {
        if (!isNext(c)) {
            throw wrong("" + c);
        }
        at++;
    }

    private CorruptDataException wrong(String expected) {
        return new CorruptDataException(JsonCodec.NAME + ": expected " + expected + " at character " + at + ", found "
                + (at < text.length() ? text.substring(at, Math.min(text.length(), at + 12)) : "the end"));
    }
}
