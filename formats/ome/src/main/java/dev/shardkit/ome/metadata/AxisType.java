package dev.shardkit.ome.metadata;

import java.util.Locale;

/** The type of an axis, such as space or time (section "axes"). */
public sealed interface AxisType {
    /** The types that the specification defines. */
    enum Standard implements AxisType {
        /** A dimension of space. */
        SPACE,
        /** Time. */
        TIME,
        /** Channels of an image. */
        CHANNEL;

        @Override
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A type that the specification does not define. */
    record Custom(String text) implements AxisType {}

    /** Returns the type as metadata spells it. */
    String text();

    /** Parses a type as metadata spells it. */
    static AxisType of(String text) {
        for (Standard type : Standard.values()) {
            if (type.text().equals(text)) {
                return type;
            }
        }
        return new Custom(text);
    }
}
