package dev.shardkit.ome;

import java.util.Locale;

/** What an axis measures (section "axes"). */
public sealed interface AxisType {
    /** The types that the specification defines. */
    enum Standard implements AxisType {
        /** A dimension of space. */
        SPACE,
        /** Time. */
        TIME,
        /** Channels, such as colours. */
        CHANNEL;

        @Override
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A type that the specification does not define. */
    record Custom(String text) implements AxisType {}

    /** Returns the type as metadata state it. */
    String text();

    /** Returns the type that metadata state as {@code text}. */
    static AxisType of(String text) {
        for (Standard type : Standard.values()) {
            if (type.text().equals(text)) {
                return type;
            }
        }
        return new Custom(text);
    }
}
