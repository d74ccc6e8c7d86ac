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
 * Parses a structured type of NumPy (records with named fields) and converts it to the Zarr data type {@code struct}.
 * The input is the type's {@code descr} as Python prints it, such as {@code [('x', '<f4'), ('y', [('z', 'S3')])]}. Used
 * once.
 */
final class NumpyRecordType {
    /** The maximum depth of records in records. */
    private static final int MAX_LEVELS = 16;
    /** The maximum number of characters of the text that a message shows. */
    private static final int MAX_SHOWN = 80;

    private static final int HEXADECIMAL = 16;
    // The characters that may follow a backslash in Python, and the characters that they stand for.
    private static final String ESCAPED = "\\'\"ntr";

    private static final String UNESCAPED = "\\'\"\n\t\r";

    private final String text;
    /** The byte orders of the fields; a {@code struct} can have only one. */
    private final Set<String> orders = new TreeSet<>();

    private final int typesize;
    private int position;
    /** The total size of the plain fields that were read, in bytes. */
    private int bytesRead;

    private NumpyRecordType(String text, int typesize) {
        this.text = text;
        this.typesize = typesize;
    }

    /**
     * Parses the type.
     *
     * @param typesize the maximum total size of all fields in bytes; nothing is allocated for larger fields
     */
    static B2ndElementType parse(String text, int typesize) {
        NumpyRecordType reader = new NumpyRecordType(text, typesize);
        B2ndElementType type = reader.readRecord(1);
        if (reader.position != text.length()) {
            throw reader.unsupported();
        }
        if (reader.orders.size() > 1) {
            throw new UnsupportedException(
                    "b2nd: expected fields of one byte order, found both in " + reader.shortText());
        }
        String order = reader.orders.isEmpty()
                ? Blosc2Codec.LITTLE
                : reader.orders.iterator().next();
        return new B2ndElementType(type.type(), type.fill(), order, type.bytes());
    }

    /**
     * Reads a list of fields, each with a name and a type. A type may be a list of fields again.
     *
     * @param level the depth of the record; 1 for the outermost one
     */
    private B2ndElementType readRecord(int level) {
        List<Json> fields = new ArrayList<>();
        Map<String, Json> fills = new LinkedHashMap<>();
        int bytes = 0;
        requireNext('[');
        do {
            requireNext('(');
            String name = readQuoted();
            requireNext(',');
            B2ndElementType type = peek() == '[' && level < MAX_LEVELS ? readRecord(level + 1) : readPlain();
            requireNext(')');
            bytes += type.bytes();
            if (fills.put(name, type.fill()) != null) {
                throw unsupported();
            }
            fields.add(Json.object().with("name", Json.of(name)).with("data_type", type.type()));
        } while (skipIfNext(','));
        requireNext(']');
        Json.Obj configuration = Json.object().with("fields", new Json.Arr(fields));
        return new B2ndElementType(
                Json.extension("struct", configuration), new Json.Obj(fills), Blosc2Codec.LITTLE, bytes);
    }

    /** Reads a type without fields. */
    private B2ndElementType readPlain() {
        String type = readQuoted();
        if (type.startsWith("<") || type.startsWith(">")) {
            orders.add(type.startsWith(">") ? Blosc2Codec.BIG : Blosc2Codec.LITTLE);
        }
        B2ndElementType fieldType = B2ndElementType.parsePlain(type, typesize - bytesRead);
        bytesRead += fieldType.bytes();
        if (bytesRead > typesize) {
            throw B2ndElementType.sizeMismatch(typesize, text);
        }
        return fieldType;
    }

    /** Reads a quoted string of Python. */
    private String readQuoted() {
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw unsupported();
        }
        position++;
        StringBuilder characters = new StringBuilder();
        while (current() != quote) {
            char character = text.charAt(position++);
            characters.append(character == '\\' ? readEscape() : String.valueOf(character));
        }
        position++;
        return characters.toString();
    }

    /** Reads an escape sequence of Python after its backslash. */
    private String readEscape() {
        char character = current();
        position++;
        int digits =
                switch (character) {
                    case 'x' -> 2;
                    case 'u' -> 4;
                    case 'U' -> 8;
                    default -> 0;
                };
        if (digits == 0 && ESCAPED.indexOf(character) >= 0) {
            return String.valueOf(UNESCAPED.charAt(ESCAPED.indexOf(character)));
        }
        String hex = text.substring(position, Math.min(text.length(), position + digits));
        if (digits == 0 || !hex.matches("[0-9a-f]{" + digits + "}")) {
            throw unsupported();
        }
        position += digits;
        long codePoint = Long.parseLong(hex, HEXADECIMAL);
        if (codePoint > Character.MAX_CODE_POINT) {
            throw unsupported();
        } else if (Character.getType((int) codePoint) == Character.SURROGATE) {
            throw new UnsupportedException(
                    "b2nd: expected names of fields in Unicode, found half of a surrogate pair in " + shortText()
                            + "; rename the field with python-blosc2");
        }
        return Character.toString((int) codePoint);
    }

    /** Skips spaces and returns the next character. */
    private char peek() {
        while (current() == ' ') {
            position++;
        }
        return current();
    }

    /** Returns the next character. */
    private char current() {
        if (position >= text.length()) {
            throw unsupported();
        }
        return text.charAt(position);
    }

    /** Skips spaces, then a character if it is the next one. Returns whether it was. */
    private boolean skipIfNext(char character) {
        if (peek() != character) {
            return false;
        }
        position++;
        return true;
    }

    private void requireNext(char character) {
        if (!skipIfNext(character)) {
            throw unsupported();
        }
    }

    private String shortText() {
        return '"' + (text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text) + '"';
    }

    private UnsupportedException unsupported() {
        return new UnsupportedException("b2nd: data type " + shortText()
                + " is not supported: expected a list of fields with a name and a type, which is no array");
    }
}
