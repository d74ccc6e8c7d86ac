package dev.shardkit.conformance;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** Writes the result of a run as one JSON object ({@link ReportFormat#JSON}). Stateless. */
final class JsonReport {
    private static final ObjectMapper JSON =
            new ObjectMapper().configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);

    private JsonReport() {}

    static void write(ConformanceResult result, Writer out) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("command", result.command());
        root.put("fixtures", result.fixtures().toString());
        root.put("good", result.isGood());
        root.put("failures", result.failures());
        root.set("sound", counts(result.sound()));
        root.set("malformed", counts(result.malformed()));
        ObjectNode tags = root.putObject("tags");
        result.byTag().forEach((tag, counts) -> tags.set(tag, counts(counts)));
        ArrayNode rows = root.putArray("rows");
        result.outcomes().forEach(o -> row(rows.addObject(), o));
        out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
        out.flush();
    }

    private static ObjectNode counts(Map<Verdict, Integer> counts) {
        ObjectNode node = JSON.createObjectNode();
        counts.forEach((verdict, n) -> node.put(verdict.word(), n));
        return node;
    }

    private static void row(ObjectNode node, Outcome o) {
        node.put("id", o.row().id());
        node.put("verdict", o.verdict().word());
        node.put("passed", o.passed());
        node.put("detail", o.detail());
        node.put("output", o.output());
        node.put("seconds", o.time().toMillis() / 1000.0);
        o.memory().ifPresent(bytes -> node.put("bytes", bytes));
        ArrayNode tags = node.putArray("tags");
        o.row().tags().stream().sorted().forEach(tags::add);
    }
}
