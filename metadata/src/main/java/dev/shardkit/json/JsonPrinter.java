package dev.shardkit.json;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/**
 * Prints JSON for people and programs: UTF-8, indented by two spaces per level. A list without nested lists or objects
 * is on one line. Numbers keep the text in which they were written. Reading the text again gives an equal tree.
 */
public final class JsonPrinter {
    private final StringBuilder out = new StringBuilder();

    /** The largest number of lists and objects inside one another. */
    private final int depth;

    private JsonPrinter(int depth) {
        this.depth = depth;
    }

    /**
     * Returns the document of {@code json}, with a line feed at its end.
     *
     * @throws MetadataException if it is nested deeper than any reader accepts
     */
    public static byte[] print(Json json) {
        return (text(json) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the document of {@code json}, which {@link JsonReader} accepts under the same limits.
     *
     * @throws MetadataException if it exceeds {@code limits}
     */
    public static byte[] print(Json json, Limits limits) {
        byte[] document = (text(json, JsonReader.depth(limits)) + "\n").getBytes(StandardCharsets.UTF_8);
        JsonReader.checkSize(document.length, limits);
        return document;
    }

    /**
     * Returns the text of {@code json}.
     *
     * @throws MetadataException if it is nested deeper than any reader accepts
     */
    public static String text(Json json) {
        return text(json, JsonReader.DEEPEST);
    }

    private static String text(Json json, int depth) {
        JsonPrinter printer = new JsonPrinter(depth);
        printer.value(json, 0);
        return printer.out.toString();
    }

    private void value(Json json, int level) {
        if (level >= depth && (json instanceof Json.Obj || json instanceof Json.Arr)) {
            throw JsonReader.tooDeep(depth, "");
        } else if (json instanceof Json.Obj o && !o.members().isEmpty()) {
            object(o, level);
        } else if (json instanceof Json.Arr a) {
            array(a, level);
        } else if (json instanceof Json.Str s) {
            quote(s.value());
        } else {
            out.append(json);
        }
    }

    private void object(Json.Obj object, int level) {
        out.append('{');
        for (Iterator<Map.Entry<String, Json>> i = object.members().entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<String, Json> member = i.next();
            startLine(level + 1);
            quote(member.getKey());
            out.append(": ");
            value(member.getValue(), level + 1);
            out.append(i.hasNext() ? "," : "");
        }
        startLine(level);
        out.append('}');
    }

    private void array(Json.Arr array, int level) {
        boolean isFlat = array.items().stream().noneMatch(i -> i instanceof Json.Obj || i instanceof Json.Arr);
        String separator = isFlat ? ", " : ",";
        out.append('[');
        for (Iterator<Json> i = array.items().iterator(); i.hasNext(); ) {
            if (!isFlat) {
                startLine(level + 1);
            }
            value(i.next(), level + 1);
            out.append(i.hasNext() ? separator : "");
        }
        if (!isFlat) {
            startLine(level);
        }
        out.append(']');
    }

    private void startLine(int level) {
        out.append('\n').append("  ".repeat(level));
    }

    /**
     * Prints a string. Escapes unpaired surrogates, which have no UTF-8 form, and characters that JSON requires to be
     * escaped.
     */
    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < 0x20 || c == 0x7f) {
                escape(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                escape(c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void escape(char c) {
        out.append("\\u")
                .append(Character.forDigit(c >> 12, 16))
                .append(Character.forDigit(c >> 8 & 15, 16))
                .append(Character.forDigit(c >> 4 & 15, 16))
                .append(Character.forDigit(c & 15, 16));
    }
}
