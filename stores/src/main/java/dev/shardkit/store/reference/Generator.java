package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One item of {@code gen} in a reference document. It generates a reference for each combination of the values of its
 * dimensions, by templates for key, URL, offset and length. The budget is charged with all references before the first
 * one is created. Immutable except for the budget.
 */
record Generator(
        Template key,
        Template url,
        Optional<Template> offset,
        Optional<Template> length,
        List<Dimension> dimensions,
        Map<String, Object> templates,
        Budget budget) {
    /** A generated reference. */
    record Made(String url, Optional<Range> range) {}

    /** A byte range of a target. */
    record Range(long offset, long size) {}

    /** The values of a dimension: a list, or {@code count} integers from {@code start} on. */
    private record Dimension(String name, List<Object> values, long start, long step, long count) {
        Object value(long index) {
            return values.isEmpty() ? (Object) (start + index * step) : values.get((int) index);
        }
    }

    /** Parses an item of {@code gen}. */
    static Generator of(Json.Obj item, Map<String, Object> templates, Budget budget) {
        for (String name : item.members().keySet()) {
            if (!List.of("key", "url", "offset", "length", "dimensions").contains(name)) {
                throw new MetadataException(
                        "gen: expected key, url, offset, length and dimensions, found " + Template.shown(name));
            }
        }
        if (item.get("offset").isPresent() != item.get("length").isPresent()) {
            throw new MetadataException("gen: expected both offset and length, or none");
        }
        List<Dimension> dimensions = new ArrayList<>();
        if (!(item.get("dimensions").orElse(Json.object()) instanceof Json.Obj names)) {
            throw new MetadataException("gen: dimensions: expected an object");
        }
        names.members().forEach((name, values) -> dimensions.add(dimension(name, values)));
        return new Generator(
                template(item, "key").orElseThrow(() -> missing("key")),
                template(item, "url").orElseThrow(() -> missing("url")),
                template(item, "offset"),
                template(item, "length"),
                List.copyOf(dimensions),
                templates,
                budget);
    }

    private static MetadataException missing(String name) {
        return new MetadataException("gen: expected a member " + name);
    }

    private static Optional<Template> template(Json.Obj item, String name) {
        return item.get(name).map(json -> {
            if (json instanceof Json.Str text) {
                return Template.of(text.value());
            } else if (json instanceof Json.Num number && number.isInteger()) {
                return Template.of(number.lexeme());
            }
            throw new MetadataException("gen: " + name + ": expected a string");
        });
    }

    private static Dimension dimension(String name, Json json) {
        if (json instanceof Json.Arr list) {
            List<Object> values = new ArrayList<>();
            for (Json item : list.items()) {
                values.add(item instanceof Json.Str text ? text.value() : (Object) integer(name, item));
            }
            return new Dimension(name, values, 0, 1, values.size());
        } else if (json instanceof Json.Obj range) {
            long start = range.get("start").map(value -> integer(name, value)).orElse(0L);
            long stop = integer(name, range.get("stop").orElseThrow(() -> missing("stop of dimension " + name)));
            long step = range.get("step").map(value -> integer(name, value)).orElse(1L);
            return new Dimension(name, List.of(), start, step, count(name, start, stop, step));
        }
        throw new MetadataException(
                "gen: dimension " + Template.shown(name) + ": expected a list or start, stop, step");
    }

    /** Returns the number of integers in a range of Python, which excludes {@code stop}. */
    private static long count(String name, long start, long stop, long step) {
        try {
            if (step == 0) {
                throw new MetadataException(
                        "gen: dimension " + Template.shown(name) + ": expected a step that is not 0");
            }
            long distance = Math.subtractExact(stop, start);
            long count = distance == 0 || (distance > 0) != (step > 0) ? 0 : (distance - Long.signum(step)) / step + 1;
            Math.addExact(start, Math.multiplyExact(step, count)); // throws if a value could overflow
            return count;
        } catch (ArithmeticException e) {
            throw new MetadataException(
                    "gen: dimension " + Template.shown(name) + ": expected a range of integers of 64 " + "bits");
        }
    }

    private static long integer(String name, Json json) {
        try {
            if (json instanceof Json.Num number && number.isInteger()) {
                return Long.parseLong(number.lexeme());
            }
        } catch (NumberFormatException e) {
            // the error below reports it
        }
        throw new MetadataException("gen: dimension " + Template.shown(name) + ": expected integers of 64 bits, found "
                + Template.shown(json.toString()));
    }

    /** Generates all references. */
    void run(BiConsumer<String, Made> references) {
        long count = 1;
        for (Dimension dimension : dimensions) {
            boolean overflows = dimension.count() != 0 && count > Long.MAX_VALUE / dimension.count();
            count = overflows ? Long.MAX_VALUE : count * dimension.count();
        }
        budget.reference(count);
        for (long i = 0; i < count; i++) {
            budget.spend(dimensions.size());
            Map<String, Object> names = new HashMap<>();
            // The digits of i, with the counts as bases, are the indices of the values. The last dimension varies
            // fastest.
            long remainder = i;
            for (int d = dimensions.size() - 1; d >= 0; d--) {
                Dimension dimension = dimensions.get(d);
                names.put(dimension.name(), dimension.value(remainder % dimension.count()));
                remainder /= dimension.count();
            }
            Expression.Scope scope = new Expression.Scope(names, templates, budget);
            Optional<Range> range =
                    offset.map(template -> new Range(number(template, scope), number(length.orElseThrow(), scope)));
            references.accept(key.render(scope), new Made(url.render(scope), range));
        }
    }

    /** Returns the integer that a template produces. */
    private static long number(Template template, Expression.Scope scope) {
        String text = template.render(scope);
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new MetadataException("gen: expected an integer of 64 bits, found " + Template.shown(text));
        }
    }
}
