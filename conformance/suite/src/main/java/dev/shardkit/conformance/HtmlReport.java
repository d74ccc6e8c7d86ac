package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLStreamException;

/** Writes the result of a run as a page of HTML ({@link ReportFormat#HTML}). Stateless. */
final class HtmlReport {
    private static final int MEBIBYTE = 1 << 20;
    private static final String STYLE = """
        body { font: 14px/1.4 sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #222 }
        table { border-collapse: collapse; margin: 1em 0 }
        th, td { border: 1px solid #ccc; padding: .2em .6em; text-align: left; vertical-align: top }
        td.n { text-align: right }
        .equal, .pass { background: #e3f4e3 } .different, .costly, .crash, .timeout, .damaged, .fail { background: #f9d6d5 }
        .refused, .misnamed, .accepted { background: #fdf3d0 } .skipped { background: #eee }
        pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 12em; overflow: auto }
        """;

    private HtmlReport() {}

    static void write(ConformanceResult result, Writer out) throws IOException {
        XmlOutput.write(out, html -> {
            html.doctype()
                    .line()
                    .begin("html", "lang", "en")
                    .line()
                    .begin("head")
                    .begin("meta", "charset", "UTF-8")
                    .end();
            html.element("title", "Zarr v3 conformance")
                    .element("style", STYLE)
                    .end()
                    .line()
                    .begin("body")
                    .line();
            html.element("h1", "Zarr v3 conformance")
                    .begin("p")
                    .element("code", result.command())
                    .end();
            html.element("p", TextReport.verdict(result), "class", result.isGood() ? "pass" : "fail")
                    .line();
            counts(html, result);
            rows(html, result);
            html.end().line().end();
        });
    }

    /** Writes the table that counts rows by verdict. */
    private static void counts(XmlOutput html, ConformanceResult result) throws XMLStreamException {
        html.begin("table").begin("tr").element("th", "rows");
        for (Verdict v : Verdict.values()) {
            html.element("th", v.word());
        }
        html.end().line();
        count(html, "sound arrays", result.sound());
        count(html, "malformed arrays", result.malformed());
        for (Map.Entry<String, Map<Verdict, Integer>> tag : result.byTag().entrySet()) {
            count(html, "tag " + tag.getKey(), tag.getValue());
        }
        html.end().line();
    }

    private static void count(XmlOutput html, String name, Map<Verdict, Integer> counts) throws XMLStreamException {
        html.begin("tr").element("td", name);
        for (Map.Entry<Verdict, Integer> c : counts.entrySet()) {
            html.element("td", c.getValue() == 0 ? "" : c.getValue().toString(), "class", "n");
        }
        html.end().line();
    }

    private static String seconds(Outcome o) {
        return o.time().isZero()
                ? ""
                : String.format(Locale.ROOT, "%.3f", o.time().toMillis() / 1000.0);
    }

    private static String mebibytes(Outcome o) {
        return o.memory().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "%.1f", o.memory().getAsLong() / (double) MEBIBYTE);
    }

    /** Writes the table of all rows. */
    private static void rows(XmlOutput html, ConformanceResult result) throws XMLStreamException {
        html.begin("table").begin("tr");
        for (String head : new String[] {"row", "verdict", "seconds", "MiB", "detail", "output"}) {
            html.element("th", head);
        }
        html.end().line();
        for (Outcome o : result.outcomes()) {
            boolean refusedRightly = o.passed() && o.verdict() == Verdict.REFUSED;
            html.begin("tr")
                    .element("td", o.row().id(), "title", o.row().special())
                    .element(
                            "td",
                            o.verdict().word(),
                            "class",
                            refusedRightly ? "pass" : o.verdict().word())
                    .element("td", seconds(o), "class", "n")
                    .element("td", mebibytes(o), "class", "n")
                    .element("td", o.detail())
                    .begin("td")
                    .element("pre", o.output())
                    .end()
                    .end()
                    .line();
        }
        html.end().line();
    }
}
