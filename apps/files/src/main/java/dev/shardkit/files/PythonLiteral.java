package dev.shardkit.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A literal of Python, as headers of npy files have them. Immutable. */
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

    /** Returns the literal that {@code text} is; empty if it is none. */
    static Optional<PythonLiteral> of(String text) {
        Reader reader = new Reader(text);
        try {
            PythonLiteral literal = reader.literal(0);
            reader.skipSpaces();
            return reader.isAtEnd() ? Optional.of(literal) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns text as Python writes it. */
    static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** Reads literals from front to back. An {@link IllegalArgumentException} says that there is none. */
    final class Reader {
        private static final int DEEPEST = 16;
        private static final String SIMPLE_ESCAPES = "\\\\''\"\"n\nt\tr\ra\u0007b\bf\fv\u000b";

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        PythonLiteral literal(int depth) {
            skipSpaces();
            if (depth > DEEPEST || isAtEnd()) {
                throw new IllegalArgumentException();
            }
            char first = text.charAt(at);
            switch (first) {
                case '\'', '"':
                    return new Text(quotedText());
                case '[':
                    return new Items(items(']', depth));
                case '(':
                    return new Tuple(items(')', depth));
                case '{':
                    return new Dictionary(entries(depth));
                default:
                    int begin = at;
                    while (!isAtEnd() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '-')) {
                        at++;
                    }
                    if (at == begin) {
                        throw new IllegalArgumentException();
                    }
                    return new Word(text.substring(begin, at));
            }
        }

        private List<PythonLiteral> items(char end, int depth) {
            List<PythonLiteral> items = new ArrayList<>();
            at++;
            while (!ends(end)) {
                items.add(literal(depth + 1));
                separator(end);
            }
            return List.copyOf(items);
        }

        private Map<String, PythonLiteral> entries(int depth) {
            Map<String, PythonLiteral> entries = new LinkedHashMap<>();
            at++;
            while (!ends('}')) {
                if (!(literal(depth + 1) instanceof Text key)) {
                    throw new IllegalArgumentException();
                }
                expect(':');
                if (entries.put(key.value(), literal(depth + 1)) != null) {
                    throw new IllegalArgumentException();
                }
                separator('}');
            }
            return entries;
        }

        private boolean ends(char end) {
            skipSpaces();
            if (isAtEnd() || text.charAt(at) != end) {
                return false;
            }
            at++;
            return true;
        }

        private void separator(char end) {
            skipSpaces();
            if (isAtEnd() || text.charAt(at) != end) {
                expect(',');
            }
        }

        private void expect(char c) {
            skipSpaces();
            if (isAtEnd() || text.charAt(at++) != c) {
                throw new IllegalArgumentException();
            }
        }

        private String quotedText() {
            char quote = text.charAt(at++);
            StringBuilder value = new StringBuilder();
            while (!isAtEnd() && text.charAt(at) != quote) {
                char c = text.charAt(at++);
                if (c == '\\') {
                    escape(value);
                } else {
                    value.append(c);
                }
            }
            expect(quote);
            return value.toString();
        }

        private void escape(StringBuilder value) {
            char c = isAtEnd() ? ' ' : text.charAt(at++);
            int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
            if (digits > 0 && at + digits <= text.length()) {
                value.appendCodePoint(Integer.parseUnsignedInt(text, at, at + digits, 16));
                at += digits;
                return;
            }
            for (int i = 0; i < SIMPLE_ESCAPES.length(); i += 2) {
                if (SIMPLE_ESCAPES.charAt(i) == c) {
                    value.append(SIMPLE_ESCAPES.charAt(i + 1));
                    return;
                }
            }
            throw new IllegalArgumentException();
        }

        void skipSpaces() {
            while (!isAtEnd() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        boolean isAtEnd() {
            return at == text.length();
        }
    }
}
