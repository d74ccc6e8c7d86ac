package dev.shardkit.reference;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with {@code {{expressions}}} in it, as much of Jinja as references need: names, integers, strings, {@code + -
 * * // % ~}, parentheses, and calls of templates with named arguments. Nothing can loop, and what comes out is bounded.
 * Immutable.
 */
final class Template {
    /** No text that comes out is longer. */
    static final int LONGEST = 1 << 13;

    private final List<Object> parts; // String or Expression
    private final String text;

    private Template(String text, List<Object> parts) {
        this.text = text;
        this.parts = parts;
    }

    /** Whether a text has to be evaluated at all. */
    static boolean isPlain(String text) {
        return !text.contains("{{") && !text.contains("{%");
    }

    /**
     * Reads a text.
     *
     * @throws UnsupportedException if it has more of Jinja than this knows
     */
    static Template of(String text) {
        if (text.length() > LONGEST) {
            throw new MetadataException(
                    "an expression of at most " + LONGEST + " characters expected, found " + text.length());
        } else if (text.contains("{%") || text.contains("{#")) {
            throw unknown(text, "statements and comments");
        }
        List<Object> parts = new ArrayList<>();
        int at = 0;
        for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
            int close = text.indexOf("}}", open);
            if (close < 0) {
                throw new MetadataException(shown(text) + ": expected }} behind {{");
            }
            parts.add(text.substring(at, open));
            parts.add(new ExpressionParser(text, text.substring(open + 2, close)).whole());
            at = close + 2;
        }
        parts.add(text.substring(at));
        return new Template(text, List.copyOf(parts));
    }

    /** The text, with values for its expressions. */
    String render(Expression.Scope scope) {
        StringBuilder out = new StringBuilder();
        for (Object part : parts) {
            Object value = part instanceof Expression e ? value(e, scope) : part;
            if (value instanceof Template) {
                throw new MetadataException(shown(text) + ": expected a template with parameters to be called");
            }
            out.append(value);
            scope.budget().spend(1);
            if (out.length() > LONGEST) {
                throw new MetadataException(
                        shown(text) + ": expected a text of at most " + LONGEST + " characters, found more");
            }
        }
        scope.budget().spend(out.length());
        return out.toString();
    }

    private Object value(Expression expression, Expression.Scope scope) {
        try {
            return expression.value(scope);
        } catch (ArithmeticException e) {
            throw new MetadataException(shown(text) + ": expected integers of 64 bits, and no division by zero");
        }
    }

    static UnsupportedException unknown(String text, String what) {
        return new UnsupportedException(shown(text) + ": " + what + " are not evaluated; expected names, integers, "
                + "strings, + - * // % ~, parentheses and calls of templates");
    }

    /** As much of a document's text as fits a message, without the passwords and queries of URLs, broken ones too. */
    static String shown(String text) {
        String open = text.replaceAll("(?s)(?<=//).*@", "***@");
        String plain = (open.contains("//") ? open.replaceAll("\\?[^\"]*", "?***") : open).replaceAll("[^ -~]", "?");
        return "\"" + (plain.length() > 100 ? plain.substring(0, 100) + "..." : plain) + "\"";
    }
}
