package dev.shardkit.store.reference;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.keys.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Parses a reference document: version 0 (keys at the top level), version 1 ({@code refs}, {@code templates},
 * {@code gen}), and lists of pieces, an extension of shardkit. Checks everything for which no target must be read. Used
 * once.
 */
final class DocumentReader {
    private static final String BASE64 = "base64:";

    private final Budget budget;
    private final NavigableMap<String, Reference> references = new TreeMap<>();
    /** The index of each URL in {@link #targets}. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private final List<String> targets = new ArrayList<>();
    /** The templates by name: a {@link Template}, or a string if it contains no expression. */
    private Map<String, Object> templates = Map.of();

    private DocumentReader(Budget budget) {
        this.budget = budget;
    }

    /** Returns the references of {@code document} below {@code root}. */
    static References read(Json document, String root, long maxReferences) {
        if (!(document instanceof Json.Obj members)) {
            throw new MetadataException("a reference document: expected an object, found another kind of value");
        }
        DocumentReader reader = new DocumentReader(new Budget(maxReferences));
        Optional<Json> version = members.get("version");
        if (version.isEmpty()) {
            reader.references(members);
        } else if (version.get().equals(Json.of(1))) {
            reader.versionOne(members);
        } else {
            throw new UnsupportedException(
                    "a reference document: expected version 0 (without a version member) or 1, found "
                            + Template.shown(version.get().toString()));
        }
        return new References(reader.references, List.copyOf(reader.targets), root);
    }

    private void versionOne(Json.Obj document) {
        document.get("templates").ifPresent(json -> templates = templates(object(json, "templates")));
        document.get("refs").ifPresent(refs -> references(object(refs, "refs")));
        if (document.get("gen").isPresent()) {
            if (!(document.get("gen").get() instanceof Json.Arr list)) {
                throw new MetadataException("gen: expected a list, found another kind of value");
            }
            for (Json item : list.items()) {
                Generator.of(object(item, "an item of gen"), templates, budget).run(this::put);
            }
        }
    }

    private static Map<String, Object> templates(Json.Obj members) {
        Map<String, Object> templates = new HashMap<>();
        members.members().forEach((name, value) -> {
            if (!(value instanceof Json.Str text)) {
                throw new MetadataException("template " + Template.shown(name) + ": expected a string");
            }
            templates.put(name, Template.isPlain(text.value()) ? text.value() : Template.of(text.value()));
        });
        return templates;
    }

    private static Json.Obj object(Json json, String description) {
        if (json instanceof Json.Obj members) {
            return members;
        }
        throw new MetadataException(description + ": expected an object, found another kind of value");
    }

    private void references(Json.Obj members) {
        budget.reference(members.members().size());
        members.members().forEach((key, value) -> {
            try {
                put(key, reference(value));
            } catch (MetadataException e) {
                throw new MetadataException("reference " + Template.shown(key) + ": " + e.fact(), e);
            }
        });
    }

    private void put(String key, Generator.Made made) {
        if (made.range().isEmpty()) {
            put(key, new Reference.Whole(target(made.url())));
            return;
        }
        Generator.Range range = made.range().get();
        put(key, part(made.url(), range.offset(), range.size(), OptionalLong.empty()));
    }

    private void put(String key, Reference reference) {
        try {
            Keys.check(key);
        } catch (IllegalArgumentException e) {
            throw new MetadataException(e.getMessage(), e);
        }
        if (References.isReserved(key)) {
            throw new MetadataException("expected keys that do not begin with __target/");
        }
        references.put(key, reference);
    }

    private Reference reference(Json value) {
        if (value instanceof Json.Str text) {
            return new Reference.Pieces(List.of(inline(text.value())));
        } else if (value instanceof Json.Obj document) {
            return new Reference.Pieces(List.of(inlineText(JsonPrinter.text(document))));
        } else if (value instanceof Json.Arr list && !list.items().isEmpty()) {
            boolean isPieces = list.items().stream().anyMatch(Json.Arr.class::isInstance);
            return isPieces ? pieces(list.items()) : range(list.items());
        }
        throw new MetadataException("expected a string, an object, [url] or [url, offset, length], found "
                + Template.shown(value.toString()));
    }

    private Reference range(List<Json> items) {
        if (items.size() == 1) {
            return new Reference.Whole(target(url(items)));
        } else if (items.size() != 3) {
            throw new MetadataException("expected [url] or [url, offset, length], found " + items.size() + " items");
        }
        return part(url(items), number(items.get(1)), number(items.get(2)), OptionalLong.empty());
    }

    private Reference.Pieces part(String url, long offset, long size, OptionalLong objectSize) {
        return new Reference.Pieces(List.of(piece(url, offset, size, objectSize)));
    }

    private Reference.Part piece(String url, long offset, long size, OptionalLong objectSize) {
        if (offset < 0 || size < 0 || offset + size < 0) {
            throw new MetadataException("expected an offset and a length of at least 0 whose sum is below 2^63, found "
                    + offset + " and " + size);
        }
        return new Reference.Part(target(url), offset, size, objectSize);
    }

    /** Parses a list of pieces, whose concatenation is the value; an extension of shardkit. */
    private Reference pieces(List<Json> items) {
        List<Reference.Piece> pieces = new ArrayList<>();
        long size = 0;
        budget.reference(items.size());
        for (Json item : items) {
            if (item instanceof Json.Str text) {
                pieces.add(inline(text.value()));
            } else if (item instanceof Json.Arr list
                    && (list.items().size() == 3 || list.items().size() == 4)) {
                List<Json> range = list.items();
                pieces.add(piece(
                        url(range),
                        number(range.get(1)),
                        number(range.get(2)),
                        range.size() == 4 ? OptionalLong.of(number(range.get(3))) : OptionalLong.empty()));
            } else {
                throw new MetadataException(
                        "a piece: expected a string, [url, offset, length] or [url, offset, length, size "
                                + "of the object], found " + Template.shown(item.toString()));
            }
            try {
                size = Math.addExact(size, pieces.get(pieces.size() - 1).size());
            } catch (ArithmeticException e) {
                throw new MetadataException("expected pieces of less than 2^63 bytes in all");
            }
        }
        return new Reference.Pieces(List.copyOf(pieces));
    }

    private static Reference.Inline inline(String text) {
        if (!text.startsWith(BASE64)) {
            return inlineText(text);
        }
        try {
            return new Reference.Inline(Bytes.of(Base64.getDecoder().decode(text.substring(BASE64.length()))));
        } catch (IllegalArgumentException e) {
            throw new MetadataException("expected base64 after \"base64:\": " + e.getMessage(), e);
        }
    }

    private static Reference.Inline inlineText(String text) {
        return new Reference.Inline(Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the URL at the beginning of a list, with its expressions evaluated. */
    private String url(List<Json> items) {
        if (!(items.get(0) instanceof Json.Str text)) {
            throw new MetadataException(
                    "expected a URL, found " + Template.shown(items.get(0).toString()));
        }
        return Template.isPlain(text.value()) || templates.isEmpty()
                ? text.value()
                : Template.of(text.value()).render(new Expression.Scope(templates, budget));
    }

    private static long number(Json json) {
        try {
            if (json instanceof Json.Num number && number.isInteger()) {
                return Long.parseLong(number.lexeme());
            }
        } catch (NumberFormatException e) {
            // the error below reports it
        }
        throw new MetadataException("expected an integer of 64 bits, found " + Template.shown(json.toString()));
    }

    /** Returns the number of a target. */
    private int target(String url) {
        return numbers.computeIfAbsent(url, newUrl -> {
            targets.add(newUrl);
            return targets.size() - 1;
        });
    }
}
