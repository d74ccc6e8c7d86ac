package dev.shardkit.cli;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.maintenance.Finding;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.json.Json;
import java.util.Locale;

/** The findings of maintenance commands as JSON. */
final class Findings {
    private Findings() {}

    /** Returns a finding as JSON, without members for absent details. */
    static Json.Obj json(Finding finding) {
        Json.Obj json = Json.object()
                .with("severity", Json.of(word(finding.severity())))
                .with("kind", Json.of(word(finding.kind())))
                .with("node", Json.of(finding.node()));
        if (finding.key().isPresent()) {
            json = json.with("key", Json.of(finding.key().get()));
        }
        if (!finding.innerChunks().isEmpty()) {
            json = json.with(
                    "inner_chunk",
                    new Json.Arr(finding.innerChunks().stream().map(Json::of).toList()));
        }
        if (finding.bytes().isPresent()) {
            Extent bytes = finding.bytes().get();
            json = json.with("offset", Json.of(bytes.offset())).with("size", Json.of(bytes.size()));
        }
        return json.with("expected", Json.of(finding.expected())).with("found", Json.of(finding.found()));
    }

    /** Returns the word for a constant. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A document that is printed while it is built: {@code {NAME: [item, ...], "summary": {...}}}. Not thread-safe. */
    static final class Document {
        private final Output output;
        private final String name;
        private boolean begun;

        Document(Output output, String name) {
            this.output = output;
            this.name = name;
        }

        void item(Json.Obj item) {
            output.line((begun ? "," : "{\"" + name + "\":[") + JsonPrinter.text(item));
            begun = true;
        }

        void end(Json.Obj summary) {
            output.line((begun ? "]," : "{\"" + name + "\":[],") + "\"summary\":" + JsonPrinter.text(summary) + "}");
        }
    }
}
