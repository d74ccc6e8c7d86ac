package dev.shardkit.codec.zstd.entropy;

/**
 * Builds FSE decoding tables (RFC 8878, section 4.1.1); {@link FseCode} is the encoding side. An entry is the meaning
 * of a state in one word. From the lowest bit up it has 32 bits of base value, 8 for the number of extra bits, 8 for
 * the number of bits that lead to the next state, and 16 for the base of that state. Reused; not thread-safe.
 */
public final class FseTable {
    private final int[] next = new int[256];
    private final int[] symbolOf = new int[1 << 9];

    public static int base(long entry) {
        return (int) entry;
    }

    public static int extraBits(long entry) {
        return (int) (entry >>> 32) & 0xff;
    }

    public static int stateBits(long entry) {
        return (int) (entry >>> 40) & 0xff;
    }

    public static int nextState(long entry) {
        return (int) (entry >>> 48);
    }

    /** Builds a table at {@code from} with a single state, which always has the same meaning. */
    public static void single(long[] table, int from, long meaning) {
        table[from] = meaning | (long) from << 48;
    }

    /** Fills {@code 1 << log} entries of {@code table} from {@code from} on; states count from there too. */
    public void build(SymbolDistribution distribution, SymbolBaselines codes, long[] table, int from) {
        int log = distribution.log();
        int size = 1 << log;
        int[] symbolOf = spread(distribution, size);
        int[] next = this.next;
        for (int state = 0; state < size; state++) {
            int symbol = symbolOf[state];
            int x = next[symbol]++;
            int bits = log - 31 + Integer.numberOfLeadingZeros(x);
            table[from + state] = codes.meaning(symbol) | (long) bits << 40 | (long) (from + (x << bits) - size) << 48;
        }
    }

    /** Assigns a symbol to each state. Counts always add up to {@code size}. */
    int[] spread(SymbolDistribution distribution, int size) {
        int[] next = this.next;
        int[] symbolOf = this.symbolOf;
        int high = size - 1;
        int symbols = distribution.symbols();
        for (int s = 0; s < symbols; s++) {
            int count = distribution.count(s);
            next[s] = count;
            if (count < 0) {
                next[s] = 1;
                symbolOf[high--] = s;
            }
        }
        int step = (size >> 1) + (size >> 3) + 3;
        int mask = size - 1;
        int position = 0;
        for (int s = 0; s < symbols; s++) {
            for (int i = distribution.count(s); i > 0; i--) {
                symbolOf[position] = s;
                do {
                    position = position + step & mask;
                } while (position > high);
            }
        }
        return symbolOf;
    }
}
