package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks JSON values by the schemas of the specification (JSON Schema 2020-12). Knows the keywords that these schemas
 * use, and refuses others. Immutable.
 */
final class JsonSchema {
    private static final int MAX_PROBLEMS = 100;
    private static final Set<String> IGNORED = Set.of("$id", "$defs", "default", "minContains", "maxContains");

    /** What is wrong with a member. */
    record Problem(String member, String expected, String found) {}

    private final Map<String, Json> schemas;

    /** Creates a checker of schemas by their {@code $id}. */
    JsonSchema(Map<String, Json> schemas) {
        this.schemas = Map.copyOf(schemas);
    }

    boolean has(String id) {
        return schemas.containsKey(id);
    }

    /** Returns what is wrong with a value, up to a limit; empty if nothing is. */
    List<Problem> check(String id, Json value) {
        List<Problem> problems = new ArrayList<>();
        check(new Schema(id, (Json.Obj) schemas.get(id)), value, "", problems);
        return problems;
    }

    /** A schema, and the id of the document that its references start from. */
    private record Schema(String base, Json.Obj json) {
        Optional<Json> get(String keyword) {
            return json.get(keyword);
        }

        Schema at(Json json) {
            return new Schema(base, (Json.Obj) json);
        }

        List<Schema> all(Json json) {
            return ((Json.Arr) json).items().stream().map(this::at).toList();
        }

        long number(String keyword, long other) {
            return get(keyword).map(n -> Long.parseLong(n.toString())).orElse(other);
        }
    }

    private Schema resolve(Schema from, String reference) {
        int hash = reference.indexOf('#');
        String document = hash < 0 ? reference : reference.substring(0, hash);
        String base = from.base();
        if (!document.isEmpty()) {
            base = schemas.containsKey(document) ? document : base.substring(0, base.lastIndexOf('/') + 1) + document;
        }
        Json target = schemas.get(base);
        if (hash >= 0) {
            for (String name : reference.substring(hash + 1).split("/")) {
                target = name.isEmpty() ? target : ((Json.Obj) target).get(name).orElseThrow();
            }
        }
        return new Schema(base, (Json.Obj) target);
    }

    private boolean fits(Schema schema, Json value) {
        List<Problem> problems = new ArrayList<>();
        check(schema, value, "", problems);
        return problems.isEmpty();
    }

    private void check(Schema schema, Json value, String at, List<Problem> problems) {
        for (Map.Entry<String, Json> keyword : schema.json().members().entrySet()) {
            if (problems.size() >= MAX_PROBLEMS) {
                return;
            }
            check(schema, keyword.getKey(), keyword.getValue(), value, at, problems);
        }
    }

    private void check(Schema schema, String keyword, Json rule, Json value, String at, List<Problem> problems) {
        switch (keyword) {
            case "$ref" -> check(resolve(schema, ((Json.Str) rule).value()), value, at, problems);
            case "allOf" -> schema.all(rule).forEach(part -> check(part, value, at, problems));
            case "anyOf" -> any(schema.all(rule), value, at, problems, Integer.MAX_VALUE);
            case "oneOf" -> any(schema.all(rule), value, at, problems, 1);
            case "not" -> expect(!fits(schema.at(rule), value), "another value", value, at, problems);
            case "type" -> expect(isType(rule, value), SchemaTexts.type(rule), value, at, problems);
            case "enum" ->
                expect(
                        ((Json.Arr) rule).items().stream().anyMatch(v -> same(v, value)),
                        SchemaTexts.oneOf(((Json.Arr) rule).items()),
                        value,
                        at,
                        problems);
            case "const" -> expect(same(rule, value), rule.toString(), value, at, problems);
            default -> {
                if (value instanceof Json.Obj object) {
                    ofObject(schema, keyword, rule, object, at, problems);
                } else if (value instanceof Json.Arr array) {
                    ofArray(schema, keyword, rule, array, at, problems);
                } else {
                    ofScalar(keyword, rule, value, at, problems);
                }
            }
        }
    }

    private static void expect(boolean holds, String expected, @Nullable Json found, String at, List<Problem> to) {
        if (!holds) {
            to.add(new Problem(at, expected, Members.shown(found)));
        }
    }

    /** Reports the branch whose types fit, if there is one, because its problems are the ones to correct. */
    private void any(List<Schema> branches, Json value, String at, List<Problem> problems, int most) {
        List<List<Problem>> failed = new ArrayList<>();
        for (Schema branch : branches) {
            List<Problem> of = new ArrayList<>();
            check(branch, value, at, of);
            if (!of.isEmpty()) {
                failed.add(of);
            }
        }
        int matched = branches.size() - failed.size();
        if (matched == 0) {
            List<List<Problem>> likely = failed.stream()
                    .filter(of -> of.stream().noneMatch(p -> p.member().equals(join(at, "type"))))
                    .toList();
            if (likely.size() == 1) {
                problems.addAll(likely.get(0));
            } else {
                List<String> kinds =
                        SchemaTexts.types(branches.stream().map(b -> kind(b)).toList());
                String expected =
                        kinds.isEmpty() ? failed.get(0).get(0).expected() : "type " + String.join(", ", kinds);
                problems.add(
                        kinds.isEmpty()
                                ? failed.get(0).get(0)
                                : new Problem(at, "an object of " + expected, SchemaTexts.found(value)));
            }
        } else if (matched > most) {
            problems.add(new Problem(at, "one form", "a mixture of several"));
        }
    }

    private Json.Obj kind(Schema branch) {
        return branch.get("$ref").isPresent()
                ? resolve(branch, ((Json.Str) branch.get("$ref").get()).value()).json()
                : branch.json();
    }

    private void ofObject(
            Schema schema, String keyword, Json rule, Json.Obj object, String at, List<Problem> problems) {
        switch (keyword) {
            case "properties" ->
                ((Json.Obj) rule).members().forEach((name, part) -> object.get(name)
                        .ifPresent(member -> check(schema.at(part), member, join(at, name), problems)));
            case "required" ->
                ((Json.Arr) rule)
                        .items().stream()
                                .map(name -> ((Json.Str) name).value())
                                .filter(name -> object.get(name).isEmpty())
                                .forEach(name -> problems.add(new Problem(
                                        join(at, name), SchemaTexts.member(schema.json(), name), "nothing")));
            case "additionalProperties" ->
                object.members().keySet().stream()
                        .filter(name -> !((Json.Obj) schema.get("properties").orElse(Json.object()))
                                .members()
                                .containsKey(name))
                        .limit(MAX_PROBLEMS)
                        .forEach(name -> problems.add(new Problem(join(at, name), "no such member", "one")));
            default -> unknown(keyword);
        }
    }

    private void ofArray(Schema schema, String keyword, Json rule, Json.Arr array, String at, List<Problem> problems) {
        List<Json> items = array.items();
        switch (keyword) {
            case "items" -> {
                for (int i = 0; i < items.size() && problems.size() < MAX_PROBLEMS; i++) {
                    check(schema.at(rule), items.get(i), at + "[" + i + "]", problems);
                }
            }
            case "minItems" ->
                count(items.size() >= schema.number(keyword, 0), "at least " + rule, items, at, problems);
            case "maxItems" -> count(items.size() <= schema.number(keyword, 0), "at most " + rule, items, at, problems);
            case "uniqueItems" -> {
                Set<Object> seen = new HashSet<>();
                for (int i = 0; i < items.size(); i++) {
                    if (!seen.add(normal(items.get(i)))) {
                        problems.add(new Problem(at + "[" + i + "]", "an item that occurs once", "a repeated one"));
                        return;
                    }
                }
            }
            case "contains" -> {
                long matching = items.stream()
                        .filter(item -> fits(schema.at(rule), item))
                        .count();
                long least = schema.number("minContains", 1);
                long most = schema.number("maxContains", Long.MAX_VALUE);
                if (matching < least || matching > most) {
                    problems.add(
                            new Problem(at, SchemaTexts.items(least, most, (Json.Obj) rule), String.valueOf(matching)));
                }
            }
            default -> unknown(keyword);
        }
    }

    private static void count(boolean holds, String expected, List<Json> items, String at, List<Problem> problems) {
        if (!holds) {
            problems.add(new Problem(at, expected + " items", String.valueOf(items.size())));
        }
    }

    private static void ofScalar(String keyword, Json rule, Json value, String at, List<Problem> problems) {
        if (value instanceof Json.Num number) {
            double is = Double.parseDouble(number.lexeme());
            double limit = rule instanceof Json.Num n ? Double.parseDouble(n.lexeme()) : Double.NaN;
            switch (keyword) {
                case "minimum" -> expect(is >= limit, "at least " + rule, value, at, problems);
                case "maximum" -> expect(is <= limit, "at most " + rule, value, at, problems);
                case "exclusiveMinimum" -> expect(is > limit, "more than " + rule, value, at, problems);
                default -> unknown(keyword);
            }
        } else if (value instanceof Json.Str text) {
            switch (keyword) {
                case "minLength" ->
                    expect(
                            text.value().length() >= Long.parseLong(rule.toString()),
                            "at least " + rule + " characters",
                            value,
                            at,
                            problems);
                case "pattern" -> {
                    String pattern = ((Json.Str) rule).value();
                    boolean matches =
                            Pattern.compile(pattern).matcher(text.value()).find();
                    expect(matches, "a string that matches " + pattern, value, at, problems);
                }
                default -> unknown(keyword);
            }
        }
    }

    /** Keywords for values of another kind do not apply. */
    private static void unknown(String keyword) {
        if (!IGNORED.contains(keyword) && !SchemaTexts.KEYWORDS.contains(keyword)) {
            throw new IllegalStateException("unknown keyword of JSON Schema: " + keyword);
        }
    }

    private static boolean isType(Json rule, Json value) {
        String type = ((Json.Str) rule).value();
        if (type.equals("integer")) {
            return value instanceof Json.Num n && isInteger(Double.parseDouble(n.lexeme()));
        }
        return value.kind().equals(type);
    }

    private static boolean isInteger(double value) {
        return value == Math.rint(value) && !Double.isInfinite(value);
    }

    private static boolean same(Json one, Json other) {
        return normal(one).equals(normal(other));
    }

    /** Numbers are equal by their values, objects regardless of the order of members. */
    private static Object normal(Json value) {
        if (value instanceof Json.Num n) {
            return Double.parseDouble(n.lexeme()) + 0.0;
        } else if (value instanceof Json.Arr array) {
            return array.items().stream().map(JsonSchema::normal).toList();
        } else if (value instanceof Json.Obj object) {
            return object.members().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, e -> normal(e.getValue())));
        }
        return value;
    }

    private static String join(String at, String name) {
        return at.isEmpty() ? name : at + "." + name;
    }
}
