package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides a JSON list into the text of its items, which are not parsed further: brackets and quotes must match, and
 * numbers and words are taken as they are (Python writes NaN). Not thread-safe; used once.
 */
final class JsonItems {
    private static final int DEEPEST = 100;

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
            }
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    /** A number, or a name: true, false, null, NaN, Infinity. */
    private void word() {
        int from = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (at == from) {
            throw wrong("a value");
        }
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
