package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** An expression of a {@link Template}. Its value is a {@link Long} or a {@link String}. Immutable. */
sealed interface Expression {
    /**
     * The values of names ({@link Long}, {@link String}, or a {@link Template} to call), and the budget of the
     * document.
     *
     * @param names the names of this evaluation
     * @param shared further names, such as those of all templates, which are looked up last and never copied
     */
    record Scope(Map<String, Object> names, Map<String, Object> shared, Budget budget) {
        Scope(Map<String, Object> names, Budget budget) {
            this(names, Map.of(), budget);
        }

        Optional<Object> get(String name) {
            return Optional.ofNullable(names.get(name)).or(() -> Optional.ofNullable(shared.get(name)));
        }
    }

    /** Returns the value of this expression with the names in {@code scope}. */
    Object value(Scope scope);

    /** A constant. */
    record Constant(Object constant) implements Expression {
        @Override
        public Object value(Scope scope) {
            return constant;
        }
    }

    /** A name, whose value is in the scope. */
    record Name(String name) implements Expression {
        @Override
        public Object value(Scope scope) {
            return scope.get(name)
                    .orElseThrow(() -> new MetadataException("expected a known name, found " + Template.shown(name)));
        }
    }

    /** A call of a template. The template sees only its arguments and no other names, so it cannot call a template. */
    record Call(String name, Map<String, Expression> arguments) implements Expression {
        @Override
        public Object value(Scope scope) {
            if (!(scope.get(name).orElse("") instanceof Template template)) {
                throw new MetadataException("expected a template with parameters, found " + Template.shown(name));
            }
            Map<String, Object> values = new HashMap<>();
            arguments.forEach((parameter, argument) -> values.put(parameter, argument.value(scope)));
            return template.render(new Scope(values, scope.budget()));
        }
    }

    /**
     * A binary operation on integers or texts. {@code ~} concatenates two values; {@code +} concatenates two strings.
     */
    record Binary(String operator, Expression left, Expression right) implements Expression {
        @Override
        public Object value(Scope scope) {
            Object leftValue = left.value(scope);
            Object rightValue = right.value(scope);
            boolean areStrings = leftValue instanceof String && rightValue instanceof String;
            if (operator.equals("~") || (operator.equals("+") && areStrings)) {
                String joined = String.valueOf(leftValue) + rightValue;
                scope.budget().spend(joined.length());
                if (joined.length() > Template.LONGEST) {
                    throw new MetadataException(
                            "expected a text of at most " + Template.LONGEST + " characters, found more");
                }
                return joined;
            }
            scope.budget().spend(1);
            if (!(leftValue instanceof Long x) || !(rightValue instanceof Long y)) {
                throw new MetadataException("expected integers on both sides of " + operator);
            }
            return switch (operator) {
                case "+" -> Math.addExact(x, y);
                case "-" -> Math.subtractExact(x, y);
                case "*" -> Math.multiplyExact(x, y);
                case "//" -> Math.floorDiv(x, y);
                default -> Math.floorMod(x, y); // %
            };
        }
    }
}
