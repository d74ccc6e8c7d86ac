package dev.shardkit.spi.json;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Writes the compact text of a {@link Json} value. {@code dev.shardkit.json.JsonPrinter} writes formatted documents.
 */
final class JsonWriter {
    /** The names of numbers that JSON lacks, as Python, JavaScript and Java write them. */
    static final Set<String> NON_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private JsonWriter() {}

    static String write(Json json) {
        StringBuilder out = new StringBuilder();
        write(json, out);
        return out.toString();
    }

    private static void write(Json json, StringBuilder out) {
        if (json instanceof Json.Obj o) {
            out.append('{');
            for (Iterator<Map.Entry<String, Json>> i = o.members().entrySet().iterator(); i.hasNext(); ) {
                Map.Entry<String, Json> e = i.next();
                quote(e.getKey(), out);
                out.append(':');
                write(e.getValue(), out);
                out.append(i.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (json instanceof Json.Arr a) {
            out.append('[');
            for (Iterator<Json> i = a.items().iterator(); i.hasNext(); ) {
                write(i.next(), out);
                out.append(i.hasNext() ? "," : "");
            }
            out.append(']');
        } else if (json instanceof Json.Str text) {
            quote(text.value(), out);
        } else {
            out.append(json);
        }
    }

    /** Writes a string. Escapes all surrogates, because an unpaired surrogate has no UTF-8 form. */
    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Returns whether a text is a number of RFC 8259, section 6: {@code -? int frac? exp?}. */
    static boolean isNumber(String text) {
        int i = text.startsWith("-") ? 1 : 0;
        int digits = digits(text, i);
        if (digits == 0 || (digits > 1 && text.charAt(i) == '0')) {
            return false;
        }
        i += digits;
        if (i < text.length() && text.charAt(i) == '.') {
            int fractionDigits = digits(text, i + 1);
            if (fractionDigits == 0) {
                return false;
            }
            i += 1 + fractionDigits;
        }
        if (i < text.length() && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
            i++;
            i += i < text.length() && (text.charAt(i) == '+' || text.charAt(i) == '-') ? 1 : 0;
            int exponentDigits = digits(text, i);
            if (exponentDigits == 0) {
                return false;
            }
            i += exponentDigits;
        }
        return i == text.length();
    }

    /** Returns the number of decimal digits from {@code begin} on. */
    private static int digits(String text, int begin) {
        int i = begin;
        while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
            i++;
        }
        return i - begin;
    }
}
