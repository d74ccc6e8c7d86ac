package dev.shardkit.blosc2;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a structured type of NumPy as Python prints its {@code descr}: {@code [('x', '<f4'), ('y', [('z', 'S3')])]}. It
 * becomes {@code struct}. Used once.
 */
final class NumpyRecordType {
    private static final int MAX_LEVELS = 16;
    private static final int LONGEST = 80;
    private static final int HEXADECIMAL = 16;
    private static final String ESCAPED = "\\'\"ntr";
    private static final String UNESCAPED = "\\'\"\n\t\r";

    private final String text;
    private final Set<String> orders = new TreeSet<>();
    private final int typesize;
    private int at;
    /** The size of the fields without fields that were read, in bytes. */
    private int bytesRead;

    private NumpyRecordType(String text, int typesize) {
        this.text = text;
        this.typesize = typesize;
    }

    /**
     * Returns the type.
     *
     * @param typesize the largest size in bytes, which all fields share; nothing is allocated for larger fields
     */
    static ElementType type(String text, int typesize) {
        NumpyRecordType reader = new NumpyRecordType(text, typesize);
        ElementType type = reader.record(1);
        if (reader.at != text.length()) {
            throw reader.unsupported();
        }
        if (reader.orders.size() > 1) {
            throw new UnsupportedException("b2nd: expected fields of one byte order, found both in " + reader.shown());
        }
        String order = reader.orders.isEmpty()
                ? Blosc2Codec.LITTLE
                : reader.orders.iterator().next();
        return new ElementType(type.type(), type.fill(), order, type.bytes());
    }

    private ElementType record(int level) {
        List<Json> fields = new ArrayList<>();
        Map<String, Json> fills = new LinkedHashMap<>();
        int bytes = 0;
        expect('[');
        do {
            expect('(');
            String name = quoted();
            expect(',');
            ElementType type = peek() == '[' && level < MAX_LEVELS ? record(level + 1) : plain();
            expect(')');
            bytes += type.bytes();
            if (fills.put(name, type.fill()) != null) {
                throw unsupported();
            }
            fields.add(Json.object().with("name", Json.of(name)).with("data_type", type.type()));
        } while (skipped(','));
        expect(']');
        Json.Obj configuration = Json.object().with("fields", new Json.Arr(fields));
        return new ElementType(Json.extension("struct", configuration), new Json.Obj(fills), Blosc2Codec.LITTLE, bytes);
    }

    private ElementType plain() {
        String type = quoted();
        if (type.startsWith("<") || type.startsWith(">")) {
            orders.add(type.startsWith(">") ? Blosc2Codec.BIG : Blosc2Codec.LITTLE);
        }
        ElementType read = ElementType.plain(type, typesize - bytesRead);
        bytesRead += read.bytes();
        if (bytesRead > typesize) {
            throw ElementType.otherSize(typesize, text);
        }
        return read;
    }

    /** Reads a string as Python prints it. */
    private String quoted() {
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw unsupported();
        }
        at++;
        StringBuilder read = new StringBuilder();
        while (next() != quote) {
            char c = text.charAt(at++);
            read.append(c == '\\' ? escaped() : String.valueOf(c));
        }
        at++;
        return read.toString();
    }

    private String escaped() {
        char c = next();
        at++;
        int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits == 0 && ESCAPED.indexOf(c) >= 0) {
            return String.valueOf(UNESCAPED.charAt(ESCAPED.indexOf(c)));
        }
        String hex = text.substring(at, Math.min(text.length(), at + digits));
        if (digits == 0 || !hex.matches("[0-9a-f]{" + digits + "}")) {
            throw unsupported();
        }
        at += digits;
        long point = Long.parseLong(hex, HEXADECIMAL);
        if (point > Character.MAX_CODE_POINT) {
            throw unsupported();
        } else if (Character.getType((int) point) == Character.SURROGATE) {
            throw new UnsupportedException(
                    "b2nd: expected names of fields in Unicode, found half of a surrogate pair in " + shown()
                            + "; rename the field with python-blosc2");
        }
        return Character.toString((int) point);
    }

    /** Returns the next character; skips spaces. */
    private char peek() {
        while (next() == ' ') {
            at++;
        }
        return next();
    }

    private char next() {
        if (at >= text.length()) {
            throw unsupported();
        }
        return text.charAt(at);
    }

    private boolean skipped(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!skipped(c)) {
            throw unsupported();
        }
    }

    private String shown() {
        return '"' + (text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text) + '"';
    }

    private UnsupportedException unsupported() {
        return new UnsupportedException("b2nd: data type " + shown()
                + " is not supported: expected a list of fields with a name and a type, which is no array");
    }
}
