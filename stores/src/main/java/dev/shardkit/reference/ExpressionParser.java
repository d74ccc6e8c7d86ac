package dev.shardkit.reference;

import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses one expression. Used once. */
final class ExpressionParser {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:([0-9]{1,19})|([A-Za-z_][A-Za-z0-9_]*)|'([^'\\\\]*)'|\"([^\"\\\\]*)\"|(//|[-+*%~(),=]))");
    private static final int DEEPEST = 50;
    private static final int MAX_TOKENS = 1000;

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int depth;

    private enum Kind {
        NUMBER,
        NAME,
        STRING,
        SIGN,
        END
    }

    private record Token(Kind kind, String text) {}

    ExpressionParser(String text, String expression) {
        this.text = text;
        Matcher matcher = TOKEN.matcher(expression);
        int from = 0;
        while (!expression.substring(from).isBlank()) {
            if (!matcher.region(from, expression.length()).lookingAt() || tokens.size() > MAX_TOKENS) {
                throw unknown();
            }
            for (int group = 1; group <= 5; group++) {
                if (matcher.group(group) != null) {
                    Kind kind =
                            group == 1 ? Kind.NUMBER : group == 2 ? Kind.NAME : group == 5 ? Kind.SIGN : Kind.STRING;
                    tokens.add(new Token(kind, matcher.group(group)));
                }
            }
            from = matcher.end();
        }
        tokens.add(new Token(Kind.END, ""));
    }

    /** Parses the whole text as one expression. */
    Expression whole() {
        Expression expression = sum();
        if (tokens.get(at).kind() != Kind.END) {
            throw unknown();
        }
        return expression;
    }

    private Expression sum() {
        if (++depth > DEEPEST) {
            throw new MetadataException(Template.shown(text) + ": expected parentheses at most " + DEEPEST + " deep");
        }
        Expression left = product();
        while (is("+") || is("-") || is("~")) {
            String operator = next().text();
            left = new Expression.Binary(operator, left, product());
        }
        depth--;
        return left;
    }

    private Expression product() {
        Expression left = unary();
        while (is("*") || is("//") || is("%")) {
            String operator = next().text();
            left = new Expression.Binary(operator, left, unary());
        }
        return left;
    }

    private Expression unary() {
        boolean negative = false;
        while (is("-")) {
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
                return is("(") ? call(token.text()) : new Expression.Name(token.text());
            default:
                if (!token.text().equals("(")) {
                    throw unknown();
                }
                Expression inside = sum();
                expect(")");
                return inside;
        }
    }

    private Expression call(String name) {
        Map<String, Expression> arguments = new LinkedHashMap<>();
        expect("(");
        while (!is(")")) {
            Token argument = next();
            if (argument.kind() != Kind.NAME) {
                throw unknown();
            }
            expect("=");
            arguments.put(argument.text(), sum());
            if (!is(")")) {
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

    private boolean is(String sign) {
        return tokens.get(at).kind() == Kind.SIGN && tokens.get(at).text().equals(sign);
    }

    private Token next() {
        Token token = tokens.get(at);
        if (token.kind() == Kind.END) {
            throw unknown();
        }
        at++;
        return token;
    }

    private void expect(String sign) {
        if (!is(sign)) {
            throw unknown();
        }
        at++;
    }

    private RuntimeException unknown() {
        return Template.unknown(text, "other expressions");
    }
}
