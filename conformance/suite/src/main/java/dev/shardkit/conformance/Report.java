package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;

/** A form of a {@link ConformanceResult} for people or programs. */
public enum Report {
    /** What was not as it should be, and tables of counts. */
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
    /** The XML that build servers know. Sound arrays that were refused are skipped tests. */
    JUNIT {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            JunitReport.write(result, out);
        }
    },
    /** One page that needs nothing else. */
    HTML {
        @Override
        public void write(ConformanceResult result, Writer out) throws IOException {
            HtmlReport.write(result, out);
        }
    };

    /** Writes the report; {@code out} stays open. */
    public abstract void write(ConformanceResult result, Writer out) throws IOException;
}
