package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;

/** The formats in which a {@link ConformanceResult} can be written. */
public enum ReportFormat {
    /** The rows with problems, and tables of counts. */
    TEXT {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            TextReport.write(result, out);
        }
    },
    /** All rows and counts. */
    JSON {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            JsonReport.write(result, out);
        }
    },
    /** The XML of JUnit for build servers. A refused valid array appears as a skipped test. */
    JUNIT {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            JunitReport.write(result, out);
        }
    },
    /** One self-contained page. */
    HTML {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            HtmlReport.write(result, out);
        }
    };

    /** Writes the report; does not close {@code out}. */
    public abstract void write(ConformanceResult result, Writer out) throws IOException;
}
