package dev.shardkit.codec.zstd.entropy;

/**
 * The meaning of the symbols of an FSE table of zstd: each symbol stands for a base value and a number of extra bits,
 * which the stream has, and which are added to the base value (RFC 8878, section 3.1.1.3.2.1.1). Also the predefined
 * distribution of the symbols (section 3.1.1.3.2.2). Immutable.
 */
public final class SymbolBaselines {
    /** Literal lengths. */
    public static final SymbolBaselines LITERAL_LENGTHS = new SymbolBaselines(
            "literal lengths",
            9,
            new int[] {
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256,
                512, 1024, 2048, 4096, 8192, 16384, 32768, 65536
            },
            new int[] {
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13,
                14, 15, 16
            },
            SymbolDistribution.of(
                    6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
                    -1, -1, -1, -1));

    /** Match lengths. */
    public static final SymbolBaselines MATCH_LENGTHS = new SymbolBaselines(
            "match lengths",
            9,
            new int[] {
                3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
                31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195,
                16387, 32771, 65539
            },
            new int[] {
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
                1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
            },
            SymbolDistribution.of(
                    6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1));

    /** Offset values: {@code 1 << symbol}, with as many extra bits. */
    public static final SymbolBaselines OFFSETS = new SymbolBaselines(
            "offsets",
            8,
            powers(32),
            upTo(32),
            SymbolDistribution.of(
                    5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1));

    /** The weights of a Huffman tree: each symbol is its own value. */
    static final SymbolBaselines WEIGHTS =
            new SymbolBaselines("weights", 6, upTo(256), new int[256], SymbolDistribution.of(0));

    private final String name;
    private final int highestLog;
    /** For each symbol, the base value in the lower 32 bits, and the number of extra bits above them. */
    private final long[] meanings;

    private final SymbolDistribution predefined;

    private SymbolBaselines(String name, int highestLog, int[] bases, int[] extraBits, SymbolDistribution predefined) {
        this.name = name;
        this.highestLog = highestLog;
        this.meanings = new long[bases.length];
        for (int i = 0; i < bases.length; i++) {
            meanings[i] = bases[i] & 0xffffffffL | (long) extraBits[i] << 32;
        }
        this.predefined = predefined;
    }

    /** Returns the numbers 0 to {@code n - 1}. */
    private static int[] upTo(int n) {
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = i;
        }
        return values;
    }

    /** Returns the first {@code n} powers of 2. */
    private static int[] powers(int n) {
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = 1 << i;
        }
        return values;
    }

    /** Returns the name, for messages. */
    public String name() {
        return name;
    }

    /** Returns the highest accuracy log of a table. */
    public int highestLog() {
        return highestLog;
    }

    /** Returns the number of symbols. */
    public int size() {
        return meanings.length;
    }

    /** Returns the meaning of a symbol, as the lower 40 bits of an entry of {@link FseTable}. */
    public long meaning(int symbol) {
        return meanings[symbol];
    }

    /** Returns the predefined distribution. */
    public SymbolDistribution predefined() {
        return predefined;
    }
}
