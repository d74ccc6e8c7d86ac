package dev.shardkit.cli.print;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.json.Json;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** The findings of maintenance commands as JSON. */
public final class Findings {
    private Findings() {}

    /** Returns a finding as JSON, without members for absent details. */
    public static Json.Obj json(Finding finding) {
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
        return json.with("expected", Json.of(finding.expected())).with("found", Json.of(Switches.in(finding.found())));
    }

    /** Returns the word for a constant. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A document that is printed while it is built: {@code {NAME: [item, ...], "summary": {...}}}. Not thread-safe. */
    public static final class Document {
        private final Output output;
        private final String name;
        private boolean begun;

        public Document(Output output, String name) {
            this.output = output;
            this.name = name;
        }

        public void item(Json.Obj item) {
            output.line((begun ? "," : "{\"" + name + "\":[") + JsonPrinter.text(item));
            begun = true;
        }

        public void end(Json.Obj summary) {
            output.line((begun ? "]," : "{\"" + name + "\":[],") + "\"summary\":" + JsonPrinter.text(summary) + "}");
        }
    }

    /** What a command prints about its findings: lines of text, or one JSON document. Not thread-safe. */
    public static final class Report {
        private final Output output;
        private final boolean json;
        private final Document document;

        /**
         * Creates a report.
         *
         * @param name the name of the list in the JSON document
         */
        public Report(Output output, String name, boolean json) {
            this.output = output;
            this.json = json;
            this.document = new Document(output, name);
        }

        /** Returns a receiver that prints each item. */
        public <T> Consumer<T> items(Function<T, Json.Obj> asJson, Function<T, String> asText) {
            return item -> {
                if (json) {
                    document.item(asJson.apply(item));
                } else {
                    output.line(asText.apply(item));
                }
            };
        }

        /** Prints the summary. */
        public void end(Json.Obj asJson, String asText) {
            if (json) {
                document.end(asJson);
            } else {
                output.line(asText);
            }
        }
    }
}
