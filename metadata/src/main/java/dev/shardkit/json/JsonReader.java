package dev.shardkit.json;

import com.fasterxml.jackson.core.ErrorReportConfiguration;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.io.CharArrayReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a JSON document (RFC 8259), strictly: UTF-8, no duplicate names, no text after the value, no language
 * extensions, within the limits. There are two exceptions, because their meaning is beyond doubt. A byte order mark at
 * the beginning is skipped. Below a member called {@code attributes}, {@code NaN}, {@code Infinity} and
 * {@code -Infinity} are numbers, because Python writes them there. Every failure is a {@link MetadataException} with
 * line and column (in UTF-16 code units, from 1). No failure shows more than a few characters of the document. Used
 * once.
 */
public final class JsonReader {
    /** The largest length of a number, in characters. */
    public static final int LONGEST_NUMBER = 1000;

    /** The largest depth limit, because trees are walked recursively. */
    public static final int DEEPEST = 1000;

    private static final String ATTRIBUTES = "attributes";

    /**
     * The member of consolidated metadata that maps paths to nodes. If it has a member called {@code attributes}, this
     * is the node at the path {@code attributes}. Non-finite numbers are accepted in the attributes of that node only.
     */
    private static final String CONSOLIDATED_NODES = "metadata";

    /** The parts of Jackson's messages that name settings of Jackson. */
    private static final Pattern JACKSON_ADVICE =
            Pattern.compile("(?s)(: enable `| \\(for | \\(start marker |: maybe a ).*");

    private final JsonParser parser;
    private final int depth;
    private final boolean allowsNonFiniteEverywhere;

    private JsonReader(JsonParser parser, int depth, boolean allowsNonFiniteEverywhere) {
        this.parser = parser;
        this.depth = depth;
        this.allowsNonFiniteEverywhere = allowsNonFiniteEverywhere;
    }

    /**
     * Reads the document in {@code utf8}.
     *
     * @throws MetadataException if it is not a JSON document, or exceeds {@code limits}
     */
    public static Json read(byte[] utf8, Limits limits) {
        checkSize(utf8.length, limits);
        boolean allowsNonFinite = false;
        return read(decode(utf8), limits, allowsNonFinite);
    }

    /**
     * Reads a document of another format, as Python writes it: {@code NaN}, {@code Infinity} and {@code -Infinity} are
     * numbers everywhere.
     *
     * @throws MetadataException if it is not such a document, or exceeds {@code limits}
     */
    public static Json readWithNonNumbers(byte[] utf8, Limits limits) {
        checkSize(utf8.length, limits);
        boolean allowsNonFinite = true;
        return read(decode(utf8), limits, allowsNonFinite);
    }

    /**
     * Reads the document in {@code text}.
     *
     * @throws MetadataException if it is not a JSON document, or exceeds {@code limits}
     */
    public static Json read(String text, Limits limits) {
        checkSize(utf8Length(text, limits), limits);
        boolean allowsNonFinite = false;
        return read(CharBuffer.wrap(text.toCharArray()), limits, allowsNonFinite);
    }

    /** Returns the number of bytes of a text in UTF-8; no more than needed to see that it exceeds the limit. */
    private static long utf8Length(String text, Limits limits) {
        long bytes = text.length();
        if (3 * bytes <= limits.metadataBytes()) {
            return bytes; // a character takes at most three bytes
        }
        for (int i = 0; i < text.length() && bytes <= limits.metadataBytes(); i++) {
            char c = text.charAt(i);
            // Adds the bytes after the first one. A pair of surrogates takes four bytes, so each of them counts two.
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }

    static MetadataException tooDeep(int depth, String location) {
        return new MetadataException(
                "expected JSON nested at most " + depth + " deep (limit jsonDepth), found more" + location);
    }

    static void checkSize(long size, Limits limits) {
        if (size > limits.metadataBytes()) {
            throw new MetadataException("expected a metadata document of at most " + limits.metadataBytes()
                    + " bytes (limit metadataBytes), found " + size);
        }
    }

    static int depth(Limits limits) {
        return Math.min(limits.jsonDepth(), DEEPEST);
    }

    private static JsonFactory factory(Limits limits) {
        return ((JsonFactoryBuilder) JsonFactory.builder())
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(depth(limits) + 1) // so that tooDeep reports the excess, with the limit's name
                        .maxNumberLength(LONGEST_NUMBER)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build())
                .errorReportConfiguration(ErrorReportConfiguration.builder()
                        .maxErrorTokenLength(40)
                        .build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build();
    }

    private static Json read(CharBuffer text, Limits limits, boolean allowsNonFinite) {
        try (JsonParser parser =
                factory(limits).createParser(new CharArrayReader(text.array(), text.position(), text.remaining()))) {
            return new JsonReader(parser, depth(limits), allowsNonFinite).document();
        } catch (JsonProcessingException e) {
            throw failure(e);
        } catch (IOException e) {
            throw new MetadataException("not JSON: " + e.getMessage(), e);
        }
    }

    /** Returns whether a document begins with a byte order mark, which readers skip. */
    public static boolean isMarked(byte[] utf8) {
        return utf8.length >= 3 && utf8[0] == (byte) 0xef && utf8[1] == (byte) 0xbb && utf8[2] == (byte) 0xbf;
    }

    private static CharBuffer decode(byte[] utf8) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer input = ByteBuffer.wrap(utf8).position(isMarked(utf8) ? 3 : 0);
        CharBuffer characters = CharBuffer.allocate(utf8.length);
        boolean isEndOfInput = true;
        CoderResult result = decoder.decode(input, characters, isEndOfInput);
        if (result.isError()) {
            throw new MetadataException("not JSON: invalid UTF-8 at byte " + input.position());
        }
        decoder.flush(characters);
        return characters.flip();
    }

    private Json document() throws IOException {
        if (parser.nextToken() == null) {
            throw new MetadataException("not JSON: the document is empty");
        }
        Json value = value(1, "", allowsNonFiniteEverywhere);
        if (parser.nextToken() != null) {
            throw new MetadataException(
                    "not JSON: more text after the end of the document" + positionText(parser.currentTokenLocation()));
        }
        return value;
    }

    /**
     * Reads a value.
     *
     * @param name the name of the member whose value this is; empty for the document and for items of a list
     * @param allowsNonFinite whether {@code NaN} and infinities are accepted as numbers
     */
    private Json value(int level, String name, boolean allowsNonFinite) throws IOException {
        JsonToken token = parser.currentToken();
        if (token.isStructStart() && level > depth) {
            throw tooDeep(depth, positionText(parser.currentTokenLocation()));
        }
        return switch (token) {
            case START_OBJECT -> object(level, name, allowsNonFinite);
            case START_ARRAY -> array(level, allowsNonFinite);
            case VALUE_STRING -> new Json.Str(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText(), allowsNonFinite);
            case VALUE_TRUE -> new Json.Bool(true);
            case VALUE_FALSE -> new Json.Bool(false);
            case VALUE_NULL -> new Json.Null();
            default ->
                throw new MetadataException(
                        "not JSON: unexpected " + token + positionText(parser.currentTokenLocation()));
        };
    }

    private Json number(String lexeme, boolean allowsNonFinite) throws IOException {
        if (lexeme.length() > LONGEST_NUMBER) {
            throw new MetadataException(
                    "expected a number of at most " + LONGEST_NUMBER + " characters (a fixed limit), found "
                            + lexeme.length() + positionText(parser.currentTokenLocation()));
        }
        // Jackson also accepts INF, -INF, +INF and +Infinity, which neither JSON nor Python writes.
        if (lexeme.endsWith("INF") || lexeme.startsWith("+")) {
            throw new MetadataException("not JSON: " + lexeme + positionText(parser.currentTokenLocation()));
        }
        Json.Num number = new Json.Num(lexeme);
        if (!number.isFinite() && !allowsNonFinite) {
            throw new MetadataException("not JSON: "
                    + Pointers.shown(Pointers.shorten(
                            parser.getParsingContext().pathAsPointer().toString()))
                    + ": expected a number, found " + lexeme
                    + ", which is accepted in attributes only; fill values are written as strings"
                    + positionText(parser.currentTokenLocation()));
        }
        return number;
    }

    private Json object(int level, String parentName, boolean allowsNonFinite) throws IOException {
        Map<String, Json> members = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (members.containsKey(name)) {
                throw new MetadataException(Pointers.shorten(
                                parser.getParsingContext().pathAsPointer().toString()) + ": duplicate member"
                        + positionText(parser.currentTokenLocation()));
            }
            parser.nextToken();
            members.put(
                    name,
                    value(
                            level + 1,
                            name,
                            allowsNonFinite || name.equals(ATTRIBUTES) && !parentName.equals(CONSOLIDATED_NODES)));
        }
        return new Json.Obj(members);
    }

    private Json array(int level, boolean allowsNonFinite) throws IOException {
        List<Json> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(level + 1, "", allowsNonFinite));
        }
        return new Json.Arr(items);
    }

    /** Returns Jackson's message without advice about Jackson's own settings. */
    private static MetadataException failure(JsonProcessingException e) {
        String reason = e instanceof StreamConstraintsException
                ? "a number or a nesting beyond the limit"
                : JACKSON_ADVICE.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return new MetadataException("not JSON: " + Pointers.shorten(reason) + positionText(e.getLocation()));
    }

    private static String positionText(JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
