package dev.shardkit.spi.grid;

import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.json.Json;

/**
 * The {@code default} and {@code v2} chunk key encodings (Zarr core specification, section "Chunk key encoding"), for
 * code that makes arrays. The separator is always written, since each encoding has a default of its own. Immutable and
 * thread-safe.
 */
public final class ChunkKeys {
    /** What stands between the indices. */
    public enum Separator {
        /** {@code /}: chunks in nested folders; the default of {@code default}. */
        SLASH("/"),
        /** {@code .}: chunks side by side; the default of {@code v2}. */
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

    /** {@code c/0/1} or {@code c.0.1}; {@code c} without dimensions. */
    public static ChunkKeyEncoding standard(Separator separator) {
        return new Encoding("default", separator);
    }

    /** {@code 0/1} or {@code 0.1}; {@code 0} without dimensions. */
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
