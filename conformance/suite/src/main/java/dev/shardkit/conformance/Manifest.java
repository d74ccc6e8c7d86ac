package dev.shardkit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of {@code manifest.json} and, if it exists, of {@code malformed.json} in one folder. Immutable.
 *
 * @param folder the folder
 * @param rows the rows, in the order of the files
 */
public record Manifest(Path folder, List<Row> rows) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    /** The version of manifests that this class reads. */
    private static final int VERSION = 1;

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
        Set<String> ids = new HashSet<>();
        for (Row row : rows) {
            if (!ids.add(row.id())) {
                throw new IOException(folder + ": expected rows with different ids, found " + row.id() + " twice");
            }
        }
        return new Manifest(folder, List.copyOf(rows));
    }

    private static List<Row> rows(Path folder, Path file) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : cases(file)) {
            if (!row.isObject()) {
                throw new IOException(file + ": expected an object as row, found " + row);
            }
            try {
                rows.add(row(folder, row));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": row " + row.path("id").asText() + ": " + e.getMessage(), e);
            }
        }
        return rows;
    }

    /** Returns the list of rows of a manifest file. */
    private static JsonNode cases(Path file) throws IOException {
        JsonNode manifest;
        try {
            manifest = JSON.readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not a manifest: expected JSON, found " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
        JsonNode cases = manifest.path("cases");
        if (!cases.isArray()) {
            throw new IOException(file + " is not a manifest: expected a list of rows as \"cases\"");
        }
        JsonNode version = manifest.path("manifest_version");
        if (!version.isMissingNode() && (!version.isIntegralNumber() || version.asInt() != VERSION)) {
            throw new IOException(file + ": expected manifest_version " + VERSION + ", found " + version
                    + "; use the runner that comes with it");
        }
        return cases;
    }

    /** Parses a row. */
    private static Row row(Path folder, JsonNode row) {
        String id = text(row, "id");
        Path node = folder.resolve(text(row, "store"));
        String path = text(row, "array_path", "/").replaceAll("^/+|/+$", "");
        Kind kind =
                switch (text(row, "kind", "array")) {
                    case "array" -> Kind.ARRAY;
                    case "group" -> Kind.GROUP;
                    case "draft-transformer" -> Kind.DRAFT;
                    case "malformed" -> Kind.MALFORMED;
                    default -> throw unexpected("array, malformed, group or draft-transformer", "kind", row);
                };
        JsonNode expected = row.path("expected");
        if (!expected.isObject()) {
            throw unexpected("an object", "expected", row);
        }
        boolean malformed = kind == Kind.MALFORMED;
        return new Row(
                id,
                kind,
                path.isEmpty() ? node : node.resolve(path),
                malformed ? Optional.empty() : Optional.of(expected(folder, expected)),
                malformed ? Optional.of(refusal(expected)) : Optional.empty(),
                selection(row, "selection"),
                Set.copyOf(texts(row, "tags")),
                row.path("special").asText());
    }

    private static Expected expected(Path folder, JsonNode expected) {
        Format format =
                switch (text(expected, "format")) {
                    case "raw-le-c" -> Format.RAW;
                    case "json" -> Format.JSON;
                    case "hierarchy-json" -> Format.HIERARCHY;
                    default -> throw unexpected("one of raw-le-c, json, hierarchy-json", "format", expected);
                };
        return new Expected(
                folder.resolve(text(expected, "file")),
                format,
                Optional.ofNullable(expected.path("sha256").textValue()));
    }

    private static Refusal refusal(JsonNode expected) {
        Stage stage =
                switch (text(expected, "stage")) {
                    case "open" -> Stage.OPEN;
                    case "read" -> Stage.READ;
                    case "either" -> Stage.EITHER;
                    default -> throw unexpected("open, read or either", "stage", expected);
                };
        return new Refusal(
                List.copyOf(texts(expected, "refused")),
                stage,
                selection(expected, "part"),
                Set.copyOf(texts(expected, "faults")));
    }

    private static boolean isLong(JsonNode number) {
        return number.isIntegralNumber() && number.canConvertToLong();
    }

    /** Returns the ranges of a selection, one for each dimension; empty if the member is absent. */
    private static Optional<List<SelectionRange>> selection(JsonNode node, String member) {
        JsonNode spans = node.path(member);
        if (isAbsent(spans)) {
            return Optional.empty();
        }
        List<SelectionRange> selection = new ArrayList<>();
        for (JsonNode span : spans) {
            if (span.size() != 2 || !isLong(span.path(0)) || !isLong(span.path(1))) {
                throw unexpected("a list of [start, stop]", member, node);
            }
            selection.add(
                    new SelectionRange(span.path(0).longValue(), span.path(1).longValue()));
        }
        if (!spans.isArray()) { // a string or a number has no elements, so the loop did not refuse it
            throw unexpected("a list of [start, stop]", member, node);
        }
        return Optional.of(List.copyOf(selection));
    }

    private static boolean isAbsent(JsonNode member) {
        return member.isMissingNode() || member.isNull();
    }

    private static String text(JsonNode node, String member, String otherwise) {
        return node.has(member) ? text(node, member) : otherwise;
    }

    private static String text(JsonNode node, String member) {
        if (!node.path(member).isTextual()) {
            throw unexpected("a string", member, node);
        }
        return node.path(member).textValue();
    }

    private static Set<String> texts(JsonNode node, String member) {
        JsonNode list = node.path(member);
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode text : list) {
            if (!text.isTextual()) {
                throw unexpected("a list of strings", member, node);
            }
            texts.add(text.textValue());
        }
        if (!isAbsent(list) && !list.isArray()) { // the loop does not refuse a value without elements
            throw unexpected("a list of strings", member, node);
        }
        return texts;
    }

    private static IllegalArgumentException unexpected(String expected, String member, JsonNode node) {
        JsonNode found = node.path(member);
        return new IllegalArgumentException("expected " + expected + " in " + member + ", found "
                + (found.isMissingNode() ? "nothing" : found.toString()));
    }
}
