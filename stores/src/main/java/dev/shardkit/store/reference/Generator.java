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
 * One item of {@code gen}: references for all combinations of the values of some names. Counts the references before it
 * creates the first. Immutable except for the budget.
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

    /** The values of a name: a list, or {@code count} integers. */
    private record Dimension(String name, List<Object> values, long start, long step, long count) {
        Object value(long i) {
            return values.isEmpty() ? (Object) (start + i * step) : values.get((int) i);
        }
    }

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
                values.add(item instanceof Json.Str s ? s.value() : (Object) integer(name, item));
            }
            return new Dimension(name, values, 0, 1, values.size());
        } else if (json instanceof Json.Obj range) {
            long start = range.get("start").map(j -> integer(name, j)).orElse(0L);
            long stop = integer(name, range.get("stop").orElseThrow(() -> missing("stop of dimension " + name)));
            long step = range.get("step").map(j -> integer(name, j)).orElse(1L);
            return new Dimension(name, List.of(), start, step, count(name, start, stop, step));
        }
        throw new MetadataException(
                "gen: dimension " + Template.shown(name) + ": expected a list or start, stop, step");
    }

    private static long count(String name, long start, long stop, long step) {
        try {
            if (step == 0) {
                throw new MetadataException(
                        "gen: dimension " + Template.shown(name) + ": expected a step that is not 0");
            }
            long distance = Math.subtractExact(stop, start);
            long count = distance == 0 || (distance > 0) != (step > 0) ? 0 : (distance - Long.signum(step)) / step + 1;
            Math.addExact(start, Math.multiplyExact(step, count));
            return count;
        } catch (ArithmeticException e) {
            throw new MetadataException(
                    "gen: dimension " + Template.shown(name) + ": expected a range of integers of 64 " + "bits");
        }
    }

    private static long integer(String name, Json json) {
        try {
            if (json instanceof Json.Num n && n.isInteger()) {
                return Long.parseLong(n.lexeme());
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
        for (Dimension d : dimensions) {
            count = d.count() != 0 && count > Long.MAX_VALUE / d.count() ? Long.MAX_VALUE : count * d.count();
        }
        budget.reference(count);
        for (long i = 0; i < count; i++) {
            budget.spend(dimensions.size());
            Map<String, Object> names = new HashMap<>();
            long remainder = i;
            for (int d = dimensions.size() - 1; d >= 0; d--) {
                Dimension dimension = dimensions.get(d);
                names.put(dimension.name(), dimension.value(remainder % dimension.count()));
                remainder /= dimension.count();
            }
            Expression.Scope scope = new Expression.Scope(names, templates, budget);
            Optional<Range> range = offset.map(o -> new Range(number(o, scope), number(length.orElseThrow(), scope)));
            references.accept(key.render(scope), new Made(url.render(scope), range));
        }
    }

    private static long number(Template template, Expression.Scope scope) {
        String text = template.render(scope);
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new MetadataException("gen: expected an integer of 64 bits, found " + Template.shown(text));
        }
    }
}
