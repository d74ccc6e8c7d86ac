package dev.shardkit.codec.zstd.entropy;

/**
 * Builds FSE decoding tables (finite state entropy; RFC 8878, section 4.1.1). {@link FseCode} is the encoding side. An
 * entry is a long that describes a state. From the lowest bit up, an entry has:
 *
 * <ul>
 *   <li>32 bits: the base value of the state's symbol ({@link SymbolBaselines}),
 *   <li>8 bits: the number of extra bits of the symbol,
 *   <li>8 bits: the number of bits to read for the next state,
 *   <li>16 bits: the state to which the bits that were read are added.
 * </ul>
 *
 * <p>Reused; not thread-safe.
 */
public final class FseTable {
    /** While a table is built: for each symbol, a number that counts its states. */
    private final int[] next = new int[256];

    /** While a table is built: the symbol of each state. */
    private final int[] symbolOf = new int[1 << 9];

    /** Returns the base value in an entry. */
    public static int base(long entry) {
        return (int) entry;
    }

    /** Returns the number of extra bits in an entry. */
    public static int extraBits(long entry) {
        return (int) (entry >>> 32) & 0xff;
    }

    /** Returns the number of bits to read for the next state. */
    public static int stateBits(long entry) {
        return (int) (entry >>> 40) & 0xff;
    }

    /** Returns the state to which the bits for the next state are added. */
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
        int high = size - 1; // the states above it belong to the symbols with a count of -1
        int symbols = distribution.symbols();
        for (int s = 0; s < symbols; s++) {
            int count = distribution.count(s);
            next[s] = count;
            if (count < 0) {
                next[s] = 1;
                symbolOf[high--] = s;
            }
        }
        int step = (size >> 1) + (size >> 3) + 3; // as the format prescribes
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
