package dev.shardkit.cli.print;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.json.Json;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** Formats the findings of maintenance commands, such as {@code verify}, as text and JSON. */
public final class FindingText {
    private FindingText() {}

    /** Returns a finding as JSON, without members for absent details. */
    public static Json.Obj toJson(Finding finding) {
        Json.Obj json = Json.object()
                .with("severity", Json.of(lowerCaseName(finding.severity())))
                .with("kind", Json.of(lowerCaseName(finding.kind())))
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
        return json.with("expected", Json.of(finding.expected()))
                .with("found", Json.of(ApiNameReplacement.replaceIn(finding.found())));
    }

    /** Returns the name of a constant in lower case. */
    public static String lowerCaseName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * A JSON document whose items are printed one by one, so that no list of them is kept in memory: {@code {NAME:
     * [item, ...], "summary": {...}}}. Not thread-safe.
     */
    public static final class Document {
        private final Output output;
        private final String name;
        private boolean hasItems;

        public Document(Output output, String name) {
            this.output = output;
            this.name = name;
        }

        /** Prints the next item. */
        public void printItem(Json.Obj item) {
            output.printLine((hasItems ? "," : "{\"" + name + "\":[") + JsonPrinter.text(item));
            hasItems = true;
        }

        /** Prints the summary and the end of the document. */
        public void finish(Json.Obj summary) {
            output.printLine(
                    (hasItems ? "]," : "{\"" + name + "\":[],") + "\"summary\":" + JsonPrinter.text(summary) + "}");
        }
    }

    /** Prints the findings of a command as lines of text, or as one JSON document. Not thread-safe. */
    public static final class Report {
        private final Output output;
        private final boolean isJson;
        private final Document document;

        /**
         * Creates a report.
         *
         * @param name the name of the list in the JSON document
         */
        public Report(Output output, String name, boolean isJson) {
            this.output = output;
            this.isJson = isJson;
            this.document = new Document(output, name);
        }

        /** Returns a consumer that prints each item, by one of the two functions. */
        public <T> Consumer<T> itemPrinter(Function<T, Json.Obj> toJson, Function<T, String> toText) {
            return item -> {
                if (isJson) {
                    document.printItem(toJson.apply(item));
                } else {
                    output.printLine(toText.apply(item));
                }
            };
        }

        /** Prints the summary. */
        public void finish(Json.Obj jsonSummary, String textSummary) {
            if (isJson) {
                document.finish(jsonSummary);
            } else {
                output.printLine(textSummary);
            }
        }
    }
}
