package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Builds one HTML page, without outside resources and without scripts, element by element. All text is escaped, except
 * by {@link #raw}. Not thread-safe.
 */
final class HtmlPage {
    /** The factor between two units of size. */
    private static final int KIBI = 1024;

    private static final String STYLE = """
            :root { color-scheme: light; }
            body { font: 15px/1.5 system-ui, sans-serif; color: #1c2330; margin: 0; background: #f4f5f7; }
            header { background: #16324f; color: #fff; padding: 1.4rem 2rem; }
            header h1 { margin: 0; font-size: 1.35rem; font-weight: 600; overflow-wrap: anywhere; }
            header p { margin: .2rem 0 0; color: #bcd0e4; }
            main { max-width: 66rem; margin: 1.2rem auto; padding: 0 1.2rem; }
            section { background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: 1rem 1.4rem; margin: 0 0 1.2rem; }
            h2 { font-size: 1.1rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
            h3 { font-size: .95rem; margin: 1rem 0 .4rem; color: #46536a; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid #eceef1; }
            th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
            th { color: #6a7688; font-weight: 500; font-size: .85rem; }
            .cards { display: flex; flex-wrap: wrap; gap: .8rem; margin-bottom: 1.2rem; }
            .card { background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: .7rem 1.1rem; flex: 1 0 8rem; }
            .card b { display: block; font-size: 1.4rem; font-weight: 600; } .card span { color: #6a7688; font-size: .85rem; }
            .array { display: flex; flex-wrap: wrap; gap: 1.6rem; align-items: flex-start; }
            .array > div { flex: 1 1 20rem; min-width: 0; }
            .picture { max-width: 24rem; max-height: 24rem; width: 100%; object-fit: contain; object-position: left top;
              background: #dde1e6; border-radius: 4px; image-rendering: pixelated; }
            .maps { display: flex; flex-wrap: wrap; gap: 1.2rem; } figure { margin: 0; }
            figcaption { font-size: .85rem; color: #46536a; margin-bottom: .3rem; }
            .advice li { margin-bottom: .5rem; } .advice b { color: #9a3412; }
            .bar { background: #e6ebf1; border-radius: 3px; height: .6rem; min-width: 6rem; }
            .bar i { display: block; background: #2f6fb0; border-radius: 3px; height: 100%; }
            pre { background: #f4f5f7; padding: .8rem; overflow: auto; max-height: 22rem; font-size: .8rem; }
            summary { cursor: pointer; color: #2f6fb0; } .error { color: #b42318; }
            code { background: #f4f5f7; padding: 0 .25rem; border-radius: 3px; overflow-wrap: anywhere; }
            """;

    private final StringBuilder text = new StringBuilder();
    private final UnaryOperator<String> wording;

    /** Begins a page that shows messages of errors as they are. */
    HtmlPage(String title) {
        this(title, message -> message);
    }

    /**
     * Begins a page.
     *
     * @param wording changes the messages of errors before they are shown
     */
    HtmlPage(String title, UnaryOperator<String> wording) {
        this.wording = wording;
        raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                + "style-src 'unsafe-inline'; img-src data:\"><title>" + escaped(title) + "</title><style>\n" + STYLE
                + "</style></head><body>\n<header><h1>" + escaped(title) + "</h1><p>shardkit</p></header>\n<main>\n");
    }

    /** Adds text that is HTML already. */
    void raw(String html) {
        text.append(html);
    }

    /**
     * Opens an element.
     *
     * @param element the name, and attributes after it, such as {@code div class="maps"}
     */
    void open(String element) {
        text.append('<').append(element).append(">\n");
    }

    void close(String name) {
        text.append("</").append(name).append(">\n");
    }

    /**
     * Adds an element with text.
     *
     * @param element the name, and attributes after it
     */
    void tag(String element, String content) {
        text.append('<')
                .append(element)
                .append('>')
                .append(escaped(content))
                .append("</")
                .append(element.split(" ")[0])
                .append(">\n");
    }

    /** Adds an element with the message of a failure. */
    void error(String element, String message) {
        tag(element + " class=\"error\"", wording.apply(message));
    }

    /**
     * Adds a row of a table.
     *
     * @param cell the element of each cell: {@code td}, or {@code th} in a heading
     */
    void row(String cell, String... values) {
        open("tr");
        for (String value : values) {
            tag(cell, value);
        }
        close("tr");
    }

    /** Ends the page and returns it. */
    String end() {
        return text.append("</main></body></html>\n").toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Returns a size for people, such as {@code 1.5 MiB}. */
    static String bytes(double size) {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        double value = size;
        int unit = 0;
        while (value >= KIBI && unit < units.length - 1) {
            value /= KIBI;
            unit++;
        }
        return unit == 0 ? (long) size + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** Returns type, shape and layout of an array. */
    static String facts(ZarrArray array) {
        return array.dataType().name() + " " + Arrays.toString(array.shape())
                + (array.isSharded() ? ", shards " : ", chunks ") + Arrays.toString(array.storedChunkShape())
                + (array.isSharded() ? " of inner chunks " + Arrays.toString(array.chunkShape()) : "");
    }
}
