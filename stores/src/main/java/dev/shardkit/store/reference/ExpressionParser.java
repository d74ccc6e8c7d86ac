package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses one expression of a {@link Template}, in the subset of Jinja that {@link ReferenceStore} lists, by recursive
 * descent: a sum consists of products, a product of operands. Used once.
 */
final class ExpressionParser {
    /** A token: number, name, string in single or double quotes, or sign, each in a group of its own. */
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:([0-9]{1,19})|([A-Za-z_][A-Za-z0-9_]*)|'([^'\\\\]*)'|\"([^\"\\\\]*)\"|(//|[-+*%~(),=]))");
    /** The maximum depth of parentheses. */
    private static final int DEEPEST = 50;

    private static final int MAX_TOKENS = 1000;

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int position;
    private int depth;

    private enum Kind {
        NUMBER,
        NAME,
        STRING,
        SIGN,
        END
    }

    /** The kinds of the groups of {@link #TOKEN}. */
    private static final List<Kind> KINDS = List.of(Kind.NUMBER, Kind.NAME, Kind.STRING, Kind.STRING, Kind.SIGN);

    private record Token(Kind kind, String text) {}

    /**
     * Splits an expression into tokens.
     *
     * @param text the template that contains the expression, for messages
     */
    ExpressionParser(String text, String expression) {
        this.text = text;
        Matcher matcher = TOKEN.matcher(expression);
        int start = 0;
        while (!expression.substring(start).isBlank()) {
            if (!matcher.region(start, expression.length()).lookingAt() || tokens.size() > MAX_TOKENS) {
                throw unknown();
            }
            for (int group = 1; group <= 5; group++) {
                if (matcher.group(group) != null) {
                    tokens.add(new Token(KINDS.get(group - 1), matcher.group(group)));
                }
            }
            start = matcher.end();
        }
        tokens.add(new Token(Kind.END, ""));
    }

    /** Parses all tokens as one expression. */
    Expression parseWhole() {
        Expression expression = sum();
        if (tokens.get(position).kind() != Kind.END) {
            throw unknown();
        }
        return expression;
    }

    private Expression sum() {
        if (++depth > DEEPEST) {
            throw new MetadataException(Template.shown(text) + ": expected parentheses at most " + DEEPEST + " deep");
        }
        Expression left = product();
        while (isNext("+") || isNext("-") || isNext("~")) {
            String operator = next().text();
            left = new Expression.Binary(operator, left, product());
        }
        depth--;
        return left;
    }

    private Expression product() {
        Expression left = unary();
        while (isNext("*") || isNext("//") || isNext("%")) {
            String operator = next().text();
            left = new Expression.Binary(operator, left, unary());
        }
        return left;
    }

    private Expression unary() {
        boolean negative = false;
        while (isNext("-")) {
            next();
            negative = !negative;
        }
        Expression operand = operand();
        return negative ? new Expression.Binary("-", new Expression.Constant(0L), operand) : operand;
    }

    private Expression operand() {
        Token token = next();
        switch (token.kind()) {
            case NUMBER:
                return new Expression.Constant(number(token.text()));
            case STRING:
                return new Expression.Constant(token.text());
            case NAME:
                return isNext("(") ? call(token.text()) : new Expression.Name(token.text());
            default:
                if (!token.text().equals("(")) {
                    throw unknown();
                }
                Expression inner = sum();
                expect(")");
                return inner;
        }
    }

    /** Parses the arguments of a call: {@code (name=expression, ...)}. */
    private Expression call(String name) {
        Map<String, Expression> arguments = new LinkedHashMap<>();
        expect("(");
        while (!isNext(")")) {
            Token argument = next();
            if (argument.kind() != Kind.NAME) {
                throw unknown();
            }
            expect("=");
            arguments.put(argument.text(), sum());
            if (!isNext(")")) {
                expect(",");
            }
        }
        expect(")");
        return new Expression.Call(name, arguments);
    }

    private Long number(String digits) {
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) {
            throw new MetadataException(
                    Template.shown(text) + ": expected integers of 64 bits, and no division by zero");
        }
    }

    private boolean isNext(String sign) {
        return tokens.get(position).kind() == Kind.SIGN
                && tokens.get(position).text().equals(sign);
    }

    private Token next() {
        Token token = tokens.get(position);
        if (token.kind() == Kind.END) {
            throw unknown();
        }
        position++;
        return token;
    }

    private void expect(String sign) {
        if (!isNext(sign)) {
            throw unknown();
        }
        position++;
    }

    /** Returns the error about an expression that is not supported. */
    private RuntimeException unknown() {
        return Template.unknown(text, "other expressions");
    }
}
