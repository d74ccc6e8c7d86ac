package dev.shardkit.files.npy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A literal of Python, such as a dictionary or a text. The header of an npy file is such a literal. Immutable. */
sealed interface PythonLiteral {
    /** Text between quotes. */
    record Text(String value) implements PythonLiteral {}

    /** {@code True}, {@code False}, {@code None} or an integer. */
    record Word(String value) implements PythonLiteral {}

    /** A list. */
    record Items(List<PythonLiteral> items) implements PythonLiteral {}

    /** A tuple. */
    record Tuple(List<PythonLiteral> items) implements PythonLiteral {}

    /** A dictionary whose keys are text. */
    record Dictionary(Map<String, PythonLiteral> entries) implements PythonLiteral {}

    /** Parses a literal; empty if the text is not a literal. */
    static Optional<PythonLiteral> parse(String text) {
        Reader reader = new Reader(text);
        try {
            PythonLiteral literal = reader.readLiteral(0);
            reader.skipSpaces();
            return reader.isAtEnd() ? Optional.of(literal) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns text as a quoted Python literal. */
    static String quote(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** Reads literals from front to back. Throws {@link IllegalArgumentException} if the text is not a literal. */
    final class Reader {
        private static final int MAX_DEPTH = 16;
        /**
         * Pairs of characters: the character after a backslash, and the character that the escape sequence stands for.
         */
        private static final String SIMPLE_ESCAPES = "\\\\''\"\"n\nt\tr\ra\u0007b\bf\fv\u000b";

        private final String text;
        private int position;

        Reader(String text) {
            this.text = text;
        }

        /** Reads a literal that lies in {@code depth} other literals. */
        PythonLiteral readLiteral(int depth) {
            skipSpaces();
            if (depth > MAX_DEPTH || isAtEnd()) {
                throw new IllegalArgumentException();
            }
            char first = text.charAt(position);
            switch (first) {
                case '\'', '"':
                    return new Text(readQuotedText());
                case '[':
                    return new Items(readItems(']', depth));
                case '(':
                    return new Tuple(readItems(')', depth));
                case '{':
                    return new Dictionary(readEntries(depth));
                default:
                    int begin = position;
                    while (!isAtEnd()
                            && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '-')) {
                        position++;
                    }
                    if (position == begin) {
                        throw new IllegalArgumentException();
                    }
                    return new Word(text.substring(begin, position));
            }
        }

        private List<PythonLiteral> readItems(char end, int depth) {
            List<PythonLiteral> items = new ArrayList<>();
            position++;
            while (!skipEnd(end)) {
                items.add(readLiteral(depth + 1));
                readSeparator(end);
            }
            return List.copyOf(items);
        }

        private Map<String, PythonLiteral> readEntries(int depth) {
            Map<String, PythonLiteral> entries = new LinkedHashMap<>();
            position++;
            while (!skipEnd('}')) {
                if (!(readLiteral(depth + 1) instanceof Text key)) {
                    throw new IllegalArgumentException();
                }
                requireCharacter(':');
                if (entries.put(key.value(), readLiteral(depth + 1)) != null) {
                    throw new IllegalArgumentException();
                }
                readSeparator('}');
            }
            return entries;
        }

        /** Skips the closing bracket of a list. Returns false, and skips only spaces, if another character is next. */
        private boolean skipEnd(char end) {
            skipSpaces();
            if (isAtEnd() || text.charAt(position) != end) {
                return false;
            }
            position++;
            return true;
        }

        /**
         * Reads the comma after an item. The last item may have none: then the closing bracket is next, and is not
         * read.
         */
        private void readSeparator(char end) {
            skipSpaces();
            if (isAtEnd() || text.charAt(position) != end) {
                requireCharacter(',');
            }
        }

        private void requireCharacter(char character) {
            skipSpaces();
            if (isAtEnd() || text.charAt(position++) != character) {
                throw new IllegalArgumentException();
            }
        }

        private String readQuotedText() {
            char quote = text.charAt(position++);
            StringBuilder value = new StringBuilder();
            while (!isAtEnd() && text.charAt(position) != quote) {
                char character = text.charAt(position++);
                if (character == '\\') {
                    readEscape(value);
                } else {
                    value.append(character);
                }
            }
            requireCharacter(quote);
            return value.toString();
        }

        /** Reads an escape sequence after its backslash, and appends the character that it means. */
        private void readEscape(StringBuilder value) {
            char character = isAtEnd() ? ' ' : text.charAt(position++); // a space fails below
            int digits = character == 'x' ? 2 : character == 'u' ? 4 : character == 'U' ? 8 : 0;
            if (digits > 0 && position + digits <= text.length()) {
                value.appendCodePoint(Integer.parseUnsignedInt(text, position, position + digits, 16));
                position += digits;
                return;
            }
            for (int i = 0; i < SIMPLE_ESCAPES.length(); i += 2) {
                if (SIMPLE_ESCAPES.charAt(i) == character) {
                    value.append(SIMPLE_ESCAPES.charAt(i + 1));
                    return;
                }
            }
            throw new IllegalArgumentException();
        }

        void skipSpaces() {
            while (!isAtEnd() && Character.isWhitespace(text.charAt(position))) {
                position++;
            }
        }

        boolean isAtEnd() {
            return position == text.length();
        }
    }
}
