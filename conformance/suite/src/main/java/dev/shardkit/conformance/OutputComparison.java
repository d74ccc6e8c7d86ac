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

/** Compares the file of values that a tool wrote with the expected values. Stateless. */
final class OutputComparison {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    /** The maximum size of a tool's JSON is this number of bytes and {@link #ESCAPES} times the expected size. */
    private static final int JSON_SLACK = 1 << 20;
    /** The number of characters of an escape of JSON (a backslash, "u" and four digits) for one character. */
    private static final int ESCAPES = 6;

    private OutputComparison() {}

    /** Returns the difference; empty if they are equal. */
    static Optional<String> difference(Path found, Row.Expected expected) throws IOException {
        if (!Files.isRegularFile(found)) {
            return Optional.of("success, but no output file");
        }
        return expected.format() == Row.Format.RAW ? raw(found, expected.file()) : json(found, expected.file());
    }

    /** Compares little-endian elements in C order. */
    private static Optional<String> raw(Path found, Path expected) throws IOException {
        if (Files.size(found) != Files.size(expected)) {
            return Optional.of("expected " + Files.size(expected) + " bytes, found " + Files.size(found));
        }
        long position = Files.mismatch(found, expected);
        return position < 0
                ? Optional.empty()
                : Optional.of("byte " + position + " of " + Files.size(expected) + ": expected "
                        + byteAt(expected, position) + ", found " + byteAt(found, position));
    }

    private static String byteAt(Path file, long position) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(position);
            return String.format("%02x", in.read());
        }
    }

    /** Compares elements or trees in JSON: the encoding, the shape and the values. */
    private static Optional<String> json(Path found, Path expected) throws IOException {
        if (Files.size(found) > ESCAPES * Files.size(expected) + JSON_SLACK) {
            return Optional.of("expected JSON of about " + Files.size(expected) + " bytes, found " + Files.size(found));
        }
        JsonNode actual;
        try {
            actual = JSON.readTree(found.toFile());
        } catch (JsonProcessingException e) {
            return Optional.of("expected JSON: " + e.getOriginalMessage());
        }
        JsonNode wanted = expected(expected);
        if (!actual.path("encoding").equals(wanted.path("encoding"))) {
            return Optional.of(
                    "encoding: expected " + wanted.path("encoding") + ", found " + found(actual.path("encoding")));
        }
        if (!actual.path("shape").toString().equals(wanted.path("shape").toString())) {
            return Optional.of("shape: expected " + wanted.path("shape") + ", found " + found(actual.path("shape")));
        }
        return values(actual.path("values"), wanted.path("values"));
    }

    private static JsonNode expected(Path file) throws IOException {
        try {
            return JSON.readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IOException(file + " holds no expected values: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns a value of the tool as text for the message. */
    private static String found(JsonNode value) {
        return value.isMissingNode() ? "nothing" : value.toString();
    }

    private static Optional<String> values(JsonNode actual, JsonNode wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            if (!actual.path(i).equals(wanted.path(i))) {
                return Optional.of("value " + i + ": expected " + wanted.path(i) + ", found " + found(actual.path(i)));
            }
        }
        return actual.isArray() && actual.size() == wanted.size()
                ? Optional.empty()
                : Optional.of("expected " + wanted.size() + " values, found " + actual.size());
    }
}
