package dev.shardkit.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Compares the output of a tool with the expected values. */
final class OutputComparison {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int JSON_SLACK = 1 << 20;
    private static final int ESCAPES = 6;

    private OutputComparison() {}

    /** Returns the difference; empty if they are equal. */
    static Optional<String> difference(Path found, Row.Expected expected) throws IOException {
        if (!Files.isRegularFile(found)) {
            return Optional.of("success, but no output file");
        }
        return expected.format() == Row.Format.RAW ? raw(found, expected.file()) : json(found, expected.file());
    }

    private static Optional<String> raw(Path found, Path expected) throws IOException {
        if (Files.size(found) != Files.size(expected)) {
            return Optional.of("expected " + Files.size(expected) + " bytes, found " + Files.size(found));
        }
        long at = Files.mismatch(found, expected);
        return at < 0
                ? Optional.empty()
                : Optional.of("byte " + at + " of " + Files.size(expected) + ": expected " + byteAt(expected, at)
                        + ", found " + byteAt(found, at));
    }

    private static String byteAt(Path file, long at) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(at);
            return String.format("%02x", in.read());
        }
    }

    private static Optional<String> json(Path found, Path expected) throws IOException {
        if (Files.size(found) > ESCAPES * Files.size(expected) + JSON_SLACK) {
            return Optional.of("expected JSON of about " + Files.size(expected) + " bytes, found " + Files.size(found));
        }
        JsonNode is;
        try {
            is = JSON.readTree(found.toFile());
        } catch (JsonProcessingException e) {
            return Optional.of("expected JSON: " + e.getOriginalMessage());
        }
        JsonNode want = expected(expected);
        if (!is.path("encoding").equals(want.path("encoding"))) {
            return Optional.of("encoding: expected " + want.path("encoding") + ", found " + found(is.path("encoding")));
        }
        if (!is.path("shape").toString().equals(want.path("shape").toString())) {
            return Optional.of("shape: expected " + want.path("shape") + ", found " + found(is.path("shape")));
        }
        return values(is.path("values"), want.path("values"));
    }

    private static JsonNode expected(Path file) throws IOException {
        try {
            return JSON.readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IOException(file + " holds no expected values: " + e.getOriginalMessage(), e);
        }
    }

    private static String found(JsonNode value) {
        return value.isMissingNode() ? "nothing" : value.toString();
    }

    private static Optional<String> values(JsonNode is, JsonNode want) {
        for (int i = 0; i < want.size(); i++) {
            if (!is.path(i).equals(want.path(i))) {
                return Optional.of("value " + i + ": expected " + want.path(i) + ", found " + found(is.path(i)));
            }
        }
        return is.isArray() && is.size() == want.size()
                ? Optional.empty()
                : Optional.of("expected " + want.size() + " values, found " + is.size());
    }
}
