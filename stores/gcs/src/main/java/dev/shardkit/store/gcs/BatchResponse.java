package dev.shardkit.store.gcs;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The response to a batch of calls. Its body is {@code multipart/mixed} (RFC 2046, section 5.1), and each part is the
 * response to one call. Parts may come in any order; the {@code Content-ID} of a part names the call. Immutable.
 *
 * @param parts the responses, by the index of the call
 */
record BatchResponse(Map<Integer, Response> parts) {
    /** The prefix of the {@code Content-ID} of a call; the index of the call follows. */
    static final String ID_PREFIX = "shardkit-";

    private static final String LINE_END = "\r\n";
    private static final Pattern BOUNDARY = Pattern.compile(
            "multipart/mixed\\s*;.*?boundary=(?:\"([^\"]{1,70})\"|([^\\s\";]{1,70})).*", Pattern.CASE_INSENSITIVE);
    /** A {@code Content-ID} that names a call. The server puts {@code response-} before the identifier of the call. */
    private static final Pattern CALL = Pattern.compile("<?(?:response-)?" + ID_PREFIX + "([0-9]{1,3})>?");

    private static final Pattern STATUS = Pattern.compile("HTTP/[0-9.]{1,3} ([1-5][0-9]{2})(?: .*)?");

    /** Returns the response to a call; empty if there is none. */
    Optional<Response> part(int call) {
        return Optional.ofNullable(parts.get(call));
    }

    /** Parses the response to a batch of {@code count} calls; empty if it is damaged. */
    static Optional<BatchResponse> parse(Response response, int count) {
        Matcher type =
                BOUNDARY.matcher(response.headers().firstValue("Content-Type").orElse(""));
        if (!type.matches()) {
            return Optional.empty();
        }
        String delimiter = LINE_END + "--" + (type.group(1) != null ? type.group(1) : type.group(2));
        // Each byte becomes a character, so positions in the text are positions in the body.
        String text = LINE_END + new String(response.body().toArray(), StandardCharsets.ISO_8859_1);
        Map<Integer, Response> parts = new HashMap<>();
        int start = text.indexOf(delimiter);
        while (start >= 0 && !text.startsWith("--", start + delimiter.length())) {
            int line = text.indexOf(LINE_END, start + delimiter.length());
            int end = line < 0 ? -1 : text.indexOf(delimiter, line);
            if (end < 0 || !add(text.substring(line, end), count, parts)) {
                return Optional.empty();
            }
            start = end;
        }
        return start < 0 ? Optional.empty() : Optional.of(new BatchResponse(parts));
    }

    /** Adds a part: its header fields, and a response with a status line, header fields and a body. */
    private static boolean add(String part, int count, Map<Integer, Response> parts) {
        Message outer = Message.of(part);
        Matcher call = CALL.matcher(outer.headers().firstValue("Content-ID").orElse(""));
        int line = outer.body().indexOf(LINE_END);
        Matcher status = STATUS.matcher(line < 0 ? outer.body() : outer.body().substring(0, line));
        if (!call.matches() || !status.matches() || Integer.parseInt(call.group(1)) >= count) {
            return false;
        }
        Message inner = Message.of(line < 0 ? "" : outer.body().substring(line));
        Bytes body = Bytes.of(inner.body().getBytes(StandardCharsets.ISO_8859_1));
        Response response = new Response(Integer.parseInt(status.group(1)), inner.headers(), body);
        return parts.put(Integer.parseInt(call.group(1)), response) == null;
    }

    /** Header fields and a body. */
    private record Message(Headers headers, String body) {
        /** Parses header fields, each preceded by a line end, and the body after the empty line. */
        static Message of(String text) {
            int blank = text.indexOf(LINE_END + LINE_END);
            List<Map.Entry<String, String>> fields = new ArrayList<>();
            for (String line : (blank < 0 ? text : text.substring(0, blank)).split(LINE_END)) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.add(Map.entry(
                            line.substring(0, colon), line.substring(colon + 1).strip()));
                }
            }
            return new Message(Headers.of(fields), blank < 0 ? "" : text.substring(blank + 2 * LINE_END.length()));
        }
    }
}
