package dev.shardkit.ome.validation;

import dev.shardkit.ome.json.Members;
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
 * Checks the metadata of OME-Zarr against the JSON schemas that its specification publishes (JSON Schema 2020-12).
 * Supports only the keywords that these schemas use, and refuses other keywords. Immutable.
 */
final class JsonSchema {
    private static final int MAX_PROBLEMS = 100;
    /**
     * Keywords without a check of their own. The check of {@code contains} uses {@code minContains} and
     * {@code maxContains}.
     */
    private static final Set<String> IGNORED = Set.of("$id", "$defs", "default", "minContains", "maxContains");

    /**
     * A problem of a member.
     *
     * @param member the path of the member in the value, such as {@code plate.wells[0].path}
     */
    record Problem(String member, String expected, String found) {}

    private final Map<String, Json> schemas;

    /**
     * Creates a checker.
     *
     * @param schemas the schemas by their {@code $id}
     */
    JsonSchema(Map<String, Json> schemas) {
        this.schemas = Map.copyOf(schemas);
    }

    boolean hasSchema(String id) {
        return schemas.containsKey(id);
    }

    /** Returns the problems of a value, up to a limit; empty if the value is valid. */
    List<Problem> check(String id, Json value) {
        List<Problem> problems = new ArrayList<>();
        check(new Schema(id, (Json.Obj) schemas.get(id)), value, "", problems);
        return problems;
    }

    /**
     * A schema or a part of one.
     *
     * @param base the {@code $id} of the document that contains it, to which its references are relative
     */
    private record Schema(String base, Json.Obj json) {
        Optional<Json> get(String keyword) {
            return json.get(keyword);
        }

        Schema withJson(Json json) {
            return new Schema(base, (Json.Obj) json);
        }

        List<Schema> schemasOf(Json json) {
            return ((Json.Arr) json).items().stream().map(this::withJson).toList();
        }

        long numberOr(String keyword, long defaultValue) {
            return get(keyword).map(n -> Long.parseLong(n.toString())).orElse(defaultValue);
        }
    }

    /**
     * Finds the schema to which {@code schema} refers.
     *
     * @param reference a document, by its id or relative to the document of {@code schema}, and after {@code #} the
     *     path of a part of it; each may be missing
     */
    private Schema resolve(Schema schema, String reference) {
        int hashIndex = reference.indexOf('#');
        String document = hashIndex < 0 ? reference : reference.substring(0, hashIndex);
        String base = schema.base();
        if (!document.isEmpty()) {
            base = schemas.containsKey(document) ? document : base.substring(0, base.lastIndexOf('/') + 1) + document;
        }
        Json target = schemas.get(base);
        if (hashIndex >= 0) {
            for (String name : reference.substring(hashIndex + 1).split("/")) {
                target = name.isEmpty() ? target : ((Json.Obj) target).get(name).orElseThrow();
            }
        }
        return new Schema(base, (Json.Obj) target);
    }

    private boolean isValid(Schema schema, Json value) {
        List<Problem> problems = new ArrayList<>();
        check(schema, value, "", problems);
        return problems.isEmpty();
    }

    private void check(Schema schema, Json value, String member, List<Problem> problems) {
        for (Map.Entry<String, Json> keyword : schema.json().members().entrySet()) {
            if (problems.size() >= MAX_PROBLEMS) {
                return;
            }
            check(schema, keyword.getKey(), keyword.getValue(), value, member, problems);
        }
    }

    /**
     * Checks a value against one keyword.
     *
     * @param rule the value of the keyword in the schema
     * @param value the checked value
     * @param member the path of the checked value
     * @param problems receives the problems
     */
    private void check(Schema schema, String keyword, Json rule, Json value, String member, List<Problem> problems) {
        switch (keyword) {
            case "$ref" -> check(resolve(schema, ((Json.Str) rule).value()), value, member, problems);
            case "allOf" -> schema.schemasOf(rule).forEach(part -> check(part, value, member, problems));
            case "anyOf" -> checkAlternatives(schema.schemasOf(rule), value, member, problems, Integer.MAX_VALUE);
            case "oneOf" -> checkAlternatives(schema.schemasOf(rule), value, member, problems, 1);
            case "not" -> expect(!isValid(schema.withJson(rule), value), "another value", value, member, problems);
            case "type" -> expect(isType(rule, value), ExpectedValueText.type(rule), value, member, problems);
            case "enum" ->
                expect(
                        ((Json.Arr) rule).items().stream().anyMatch(v -> areEqual(v, value)),
                        ExpectedValueText.oneOf(((Json.Arr) rule).items()),
                        value,
                        member,
                        problems);
            case "const" -> expect(areEqual(rule, value), rule.toString(), value, member, problems);
            default -> {
                if (value instanceof Json.Obj object) {
                    checkObject(schema, keyword, rule, object, member, problems);
                } else if (value instanceof Json.Arr array) {
                    checkArray(schema, keyword, rule, array, member, problems);
                } else {
                    checkScalar(keyword, rule, value, member, problems);
                }
            }
        }
    }

    private static void expect(
            boolean isMet, String expected, @Nullable Json found, String member, List<Problem> problems) {
        if (!isMet) {
            problems.add(new Problem(member, expected, Members.describe(found)));
        }
    }

    /**
     * Checks a value against several schemas, the branches, of which 1 to {@code maxMatches} must accept it. If no
     * branch accepts the value, but exactly one accepts its member {@code type}, the author probably meant this branch,
     * so its problems are reported. Otherwise the expected types of all branches are reported. If the branches have no
     * types, the first problem of the first branch is reported.
     */
    private void checkAlternatives(
            List<Schema> branches, Json value, String member, List<Problem> problems, int maxMatches) {
        List<List<Problem>> invalidBranches = new ArrayList<>();
        for (Schema branch : branches) {
            List<Problem> branchProblems = new ArrayList<>();
            check(branch, value, member, branchProblems);
            if (!branchProblems.isEmpty()) {
                invalidBranches.add(branchProblems);
            }
        }
        int matched = branches.size() - invalidBranches.size();
        if (matched == 0) {
            List<List<Problem>> likelyBranches = invalidBranches.stream()
                    .filter(branchProblems -> branchProblems.stream()
                            .noneMatch(problem -> problem.member().equals(join(member, "type"))))
                    .toList();
            if (likelyBranches.size() == 1) {
                problems.addAll(likelyBranches.get(0));
            } else {
                List<String> kinds = ExpectedValueText.types(
                        branches.stream().map(branch -> resolvedSchema(branch)).toList());
                String expected =
                        kinds.isEmpty() ? invalidBranches.get(0).get(0).expected() : "type " + String.join(", ", kinds);
                problems.add(
                        kinds.isEmpty()
                                ? invalidBranches.get(0).get(0)
                                : new Problem(member, "an object of " + expected, ExpectedValueText.describe(value)));
            }
        } else if (matched > maxMatches) {
            problems.add(new Problem(member, "one form", "a mixture of several"));
        }
    }

    /** Returns the schema itself, or the schema to which it refers. */
    private Json.Obj resolvedSchema(Schema branch) {
        return branch.get("$ref").isPresent()
                ? resolve(branch, ((Json.Str) branch.get("$ref").get()).value()).json()
                : branch.json();
    }

    private void checkObject(
            Schema schema, String keyword, Json rule, Json.Obj object, String member, List<Problem> problems) {
        switch (keyword) {
            case "properties" ->
                ((Json.Obj) rule).members().forEach((name, part) -> object.get(name)
                        .ifPresent(item -> check(schema.withJson(part), item, join(member, name), problems)));
            case "required" ->
                ((Json.Arr) rule)
                        .items().stream()
                                .map(name -> ((Json.Str) name).value())
                                .filter(name -> object.get(name).isEmpty())
                                .forEach(name -> problems.add(new Problem(
                                        join(member, name), ExpectedValueText.member(schema.json(), name), "nothing")));
            // the value of this keyword is false in all schemas of the specification
            case "additionalProperties" ->
                object.members().keySet().stream()
                        .filter(name -> !((Json.Obj) schema.get("properties").orElse(Json.object()))
                                .members()
                                .containsKey(name))
                        .limit(MAX_PROBLEMS)
                        .forEach(name -> problems.add(new Problem(join(member, name), "no such member", "one")));
            default -> requireKnown(keyword);
        }
    }

    private void checkArray(
            Schema schema, String keyword, Json rule, Json.Arr array, String member, List<Problem> problems) {
        List<Json> items = array.items();
        switch (keyword) {
            case "items" -> {
                for (int i = 0; i < items.size() && problems.size() < MAX_PROBLEMS; i++) {
                    check(schema.withJson(rule), items.get(i), member + "[" + i + "]", problems);
                }
            }
            case "minItems" ->
                checkCount(items.size() >= schema.numberOr(keyword, 0), "at least " + rule, items, member, problems);
            case "maxItems" ->
                checkCount(items.size() <= schema.numberOr(keyword, 0), "at most " + rule, items, member, problems);
            case "uniqueItems" -> {
                Set<Object> seen = new HashSet<>();
                for (int i = 0; i < items.size(); i++) {
                    if (!seen.add(normalized(items.get(i)))) {
                        problems.add(new Problem(member + "[" + i + "]", "an item that occurs once", "a repeated one"));
                        return;
                    }
                }
            }
            case "contains" -> {
                long matching = items.stream()
                        .filter(item -> isValid(schema.withJson(rule), item))
                        .count();
                long minMatches = schema.numberOr("minContains", 1);
                long maxMatches = schema.numberOr("maxContains", Long.MAX_VALUE);
                if (matching < minMatches || matching > maxMatches) {
                    problems.add(new Problem(
                            member,
                            ExpectedValueText.items(minMatches, maxMatches, (Json.Obj) rule),
                            String.valueOf(matching)));
                }
            }
            default -> requireKnown(keyword);
        }
    }

    private static void checkCount(
            boolean isMet, String expected, List<Json> items, String member, List<Problem> problems) {
        if (!isMet) {
            problems.add(new Problem(member, expected + " items", String.valueOf(items.size())));
        }
    }

    private static void checkScalar(String keyword, Json rule, Json value, String member, List<Problem> problems) {
        if (value instanceof Json.Num number) {
            double numberValue = Double.parseDouble(number.lexeme());
            double limit = rule instanceof Json.Num n ? Double.parseDouble(n.lexeme()) : Double.NaN;
            switch (keyword) {
                case "minimum" -> expect(numberValue >= limit, "at least " + rule, value, member, problems);
                case "maximum" -> expect(numberValue <= limit, "at most " + rule, value, member, problems);
                case "exclusiveMinimum" -> expect(numberValue > limit, "more than " + rule, value, member, problems);
                default -> requireKnown(keyword);
            }
        } else if (value instanceof Json.Str text) {
            switch (keyword) {
                case "minLength" ->
                    expect(
                            text.value().length() >= Long.parseLong(rule.toString()),
                            "at least " + rule + " characters",
                            value,
                            member,
                            problems);
                case "pattern" -> {
                    String pattern = ((Json.Str) rule).value();
                    boolean matches =
                            Pattern.compile(pattern).matcher(text.value()).find();
                    expect(matches, "a string that matches " + pattern, value, member, problems);
                }
                default -> requireKnown(keyword);
            }
        }
    }

    /**
     * Throws if this class does not know a keyword. A known keyword for another kind of value, such as {@code minItems}
     * for a string, has no effect.
     */
    private static void requireKnown(String keyword) {
        if (!IGNORED.contains(keyword) && !ExpectedValueText.KEYWORDS.contains(keyword)) {
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

    private static boolean areEqual(Json left, Json right) {
        return normalized(left).equals(normalized(right));
    }

    /** Returns a value for comparison: numbers are equal by value, objects regardless of the order of members. */
    private static Object normalized(Json value) {
        if (value instanceof Json.Num n) {
            return Double.parseDouble(n.lexeme()) + 0.0; // -0.0 becomes 0.0
        } else if (value instanceof Json.Arr array) {
            return array.items().stream().map(JsonSchema::normalized).toList();
        } else if (value instanceof Json.Obj object) {
            return object.members().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, e -> normalized(e.getValue())));
        }
        return value;
    }

    private static String join(String member, String name) {
        return member.isEmpty() ? name : member + "." + name;
    }
}
