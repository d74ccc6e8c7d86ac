package dev.shardkit.spi.grid;

import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.json.Json;

/**
 * The {@code default} and {@code v2} chunk key encodings (Zarr core specification, section "Chunk key encoding"), for
 * code that creates arrays. Metadata always contains the separator, since the encodings have different defaults.
 * Immutable and thread-safe.
 */
public final class ChunkKeys {
    /** The separator between indices. */
    public enum Separator {
        /** {@code /}, which stores chunks in nested folders; the default of {@code default}. */
        SLASH("/"),
        /** {@code .}, which stores all chunks in one folder; the default of {@code v2}. */
        DOT(".");

        private final String text;

        Separator(String text) {
            this.text = text;
        }

        static Separator of(String text) {
            return text.equals("/") ? SLASH : DOT;
        }
    }

    private ChunkKeys() {}

    /** Returns the {@code default} encoding: {@code c/0/1} or {@code c.0.1}; {@code c} for rank 0. */
    public static ChunkKeyEncoding standard(Separator separator) {
        return new Encoding("default", separator);
    }

    /** Returns the {@code v2} encoding: {@code 0/1} or {@code 0.1}; {@code 0} for rank 0. */
    public static ChunkKeyEncoding v2(Separator separator) {
        return new Encoding("v2", separator);
    }

    private record Encoding(String name, Separator separator) implements ChunkKeyEncoding {
        @Override
        public Json.Obj configuration() {
            return Json.object().with("separator", Json.of(separator.text));
        }

        @Override
        public String encode(long[] cell) {
            boolean v2 = name.equals("v2");
            if (cell.length == 0) {
                return v2 ? "0" : "c";
            }
            StringBuilder key = new StringBuilder(v2 ? "" : "c");
            for (int d = 0; d < cell.length; d++) {
                key.append(v2 && d == 0 ? "" : separator.text).append(cell[d]);
            }
            return key.toString();
        }
    }
}
