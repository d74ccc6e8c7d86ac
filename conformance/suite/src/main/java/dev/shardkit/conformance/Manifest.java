package dev.shardkit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardkit.conformance.Row.Expected;
import dev.shardkit.conformance.Row.Format;
import dev.shardkit.conformance.Row.Kind;
import dev.shardkit.conformance.Row.Refusal;
import dev.shardkit.conformance.Row.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/**
 * The rows of {@code manifest.json} and, if it exists, of {@code malformed.json} in one folder. Immutable.
 *
 * @param folder the folder
 * @param rows the rows, in the order of the files
 */
public record Manifest(Path folder, List<Row> rows) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the manifests in {@code folder}.
     *
     * @throws IOException if there is none, or it is invalid
     */
    public static Manifest read(Path folder) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String name : List.of("manifest.json", "malformed.json")) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                rows.addAll(rows(folder, file));
            }
        }
        if (rows.isEmpty()) {
            throw new NoSuchFileException(folder + " has no manifest.json and no malformed.json with rows");
        }
        return new Manifest(folder, List.copyOf(rows));
    }

    /** Returns the tags of the rows, in alphabetical order. */
    public SortedSet<String> tags() {
        SortedSet<String> tags = new TreeSet<>();
        rows.forEach(row -> tags.addAll(row.tags()));
        return tags;
    }

    private static List<Row> rows(Path folder, Path file) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : cases(file)) {
            try {
                rows.add(row(folder, row));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": row " + row.path("id") + ": " + e.getMessage(), e);
            }
        }
        return rows;
    }

    private static JsonNode cases(Path file) throws IOException {
        JsonNode cases;
        try {
            cases = JSON.readTree(file.toFile()).path("cases");
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is no manifest: expected JSON, found " + e.getOriginalMessage(), e);
        }
        if (!cases.isArray()) {
            throw new IOException(file + " is no manifest: expected a list of rows as \"cases\"");
        }
        return cases;
    }

    private static Row row(Path folder, JsonNode row) {
        Kind kind =
                switch (row.path("kind").asText("array")) {
                    case "array" -> Kind.ARRAY;
                    case "group" -> Kind.GROUP;
                    case "draft-transformer" -> Kind.DRAFT;
                    case "malformed" -> Kind.MALFORMED;
                    default -> throw new IllegalArgumentException("unknown kind " + row.get("kind"));
                };
        Path node = folder.resolve(text(row, "store"));
        String path = row.path("array_path").asText("/").replaceAll("^/+|/+$", "");
        JsonNode expected = row.path("expected");
        boolean malformed = kind == Kind.MALFORMED;
        return new Row(
                text(row, "id"),
                kind,
                path.isEmpty() ? node : node.resolve(path),
                malformed ? Optional.empty() : Optional.of(expected(folder, expected)),
                malformed ? Optional.of(refusal(expected)) : Optional.empty(),
                selection(row.path("selection")),
                Set.copyOf(texts(row.path("tags"))),
                row.path("special").asText());
    }

    private static Expected expected(Path folder, JsonNode expected) {
        Format format =
                switch (text(expected, "format")) {
                    case "raw-le-c" -> Format.RAW;
                    case "json" -> Format.JSON;
                    case "hierarchy-json" -> Format.HIERARCHY;
                    default -> throw new IllegalArgumentException("unknown format " + expected.get("format"));
                };
        return new Expected(
                folder.resolve(text(expected, "file")),
                format,
                Optional.ofNullable(expected.path("sha256").textValue()));
    }

    private static Refusal refusal(JsonNode expected) {
        return new Refusal(
                List.copyOf(texts(expected.path("refused"))),
                Stage.valueOf(text(expected, "stage").toUpperCase(Locale.ROOT)),
                selection(expected.path("part")),
                Set.copyOf(texts(expected.path("faults"))));
    }

    private static Optional<List<Span>> selection(JsonNode spans) {
        if (!spans.isArray()) {
            return Optional.empty();
        }
        List<Span> selection = new ArrayList<>();
        spans.forEach(
                s -> selection.add(new Span(s.path(0).longValue(), s.path(1).longValue())));
        return Optional.of(List.copyOf(selection));
    }

    private static String text(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("expected a string in " + member + ", found " + value);
        }
        return value.textValue();
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new LinkedHashSet<>();
        StreamSupport.stream(list.spliterator(), false).forEach(t -> texts.add(t.asText()));
        return texts;
    }
}
