package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with {@code {{expressions}}} in a reference document. It supports the part of the template language Jinja that
 * references need: names, integers, strings, {@code + - * // % ~}, parentheses, and calls of templates with named
 * arguments. Evaluation cannot loop, and its output is bounded. Immutable.
 */
final class Template {
    /** The maximum length of a template and of its output, in characters. */
    static final int LONGEST = 1 << 13;

    private final List<Object> parts; // String or Expression
    private final String text;

    private Template(String text, List<Object> parts) {
        this.text = text;
        this.parts = parts;
    }

    /** Returns whether a text contains no expression. */
    static boolean isPlain(String text) {
        return !text.contains("{{") && !text.contains("{%");
    }

    /**
     * Parses a text.
     *
     * @throws UnsupportedException if it uses other parts of Jinja
     */
    static Template of(String text) {
        if (text.length() > LONGEST) {
            throw new MetadataException(
                    "expected an expression of at most " + LONGEST + " characters, found " + text.length());
        } else if (text.contains("{%") || text.contains("{#")) {
            throw unknown(text, "statements and comments");
        }
        List<Object> parts = new ArrayList<>();
        int position = 0;
        for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", position)) {
            int close = text.indexOf("}}", open);
            if (close < 0) {
                throw new MetadataException(shown(text) + ": expected }} after {{");
            }
            parts.add(text.substring(position, open));
            parts.add(new ExpressionParser(text, text.substring(open + 2, close)).parseWhole());
            position = close + 2;
        }
        parts.add(text.substring(position));
        return new Template(text, List.copyOf(parts));
    }

    /** Evaluates the expressions and returns the text. */
    String render(Expression.Scope scope) {
        StringBuilder out = new StringBuilder();
        for (Object part : parts) {
            Object value = part instanceof Expression expression ? value(expression, scope) : part;
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

    /** Returns the error about unsupported parts of Jinja. */
    static UnsupportedException unknown(String text, String problem) {
        return new UnsupportedException(shown(text) + ": " + problem + " are not supported; expected names, integers, "
                + "strings, + - * // % ~, parentheses and calls of templates");
    }

    /**
     * Returns the beginning of a text for a message, in quotes. Removes the passwords and queries of URLs in it, even
     * if these are not valid URLs.
     */
    static String shown(String text) {
        String open = text.replaceAll("(?s)(?<=//).*@", "***@");
        String plain = (open.contains("//") ? open.replaceAll("\\?[^\"]*", "?***") : open).replaceAll("[^ -~]", "?");
        return "\"" + (plain.length() > 100 ? plain.substring(0, 100) + "..." : plain) + "\"";
    }
}
