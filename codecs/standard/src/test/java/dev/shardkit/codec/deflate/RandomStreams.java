package dev.shardkit.codec.deflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;

/** Random valid streams: by the JDK's Deflater in all its settings, and blocks with random codes. Not thread-safe. */
final class RandomStreams {
    private static final int[] FLUSHES = {Deflater.NO_FLUSH, Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH};

    private final Random random;

    RandomStreams(long seed) {
        random = new Random(seed);
    }

    /** Returns up to {@code most} bytes of one of several kinds. */
    byte[] content(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        int kind = random.nextInt(6);
        int period = 1 + random.nextInt(kind == 1 ? 12 : 4000);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte)
                    switch (kind) {
                        case 0 -> 0;
                        case 1, 2 -> i < period || random.nextInt(200) == 0 ? random.nextInt() : bytes[i - period];
                        case 3 -> random.nextInt();
                        case 4 -> (int) Math.abs(8 * random.nextGaussian());
                        default -> (i & 1) == 0 ? (int) (4 * random.nextGaussian()) : i >> 8;
                    };
        }
        return bytes;
    }

    /** Encodes with random settings, which may change in the middle. */
    byte[] deflated(byte[] content, DeflateFormat format) {
        Deflater deflater = new Deflater(random.nextInt(11) - 1, format.isRaw());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        int pieces = random.nextInt(4);
        int from = 0;
        for (int i = 0; i <= pieces; i++) {
            int to = i == pieces ? content.length : from + random.nextInt(content.length - from + 1);
            deflater.setStrategy(random.nextInt(3));
            deflater.setLevel(random.nextInt(11) - 1);
            deflater.setInput(content, from, to - from);
            if (i == pieces) {
                deflater.finish();
            }
            int flush = i == pieces ? Deflater.NO_FLUSH : FLUSHES[random.nextInt(3)];
            int n;
            do {
                n = deflater.deflate(buffer, 0, buffer.length, flush);
                out.write(buffer, 0, n);
            } while (i == pieces ? !deflater.finished() : n > 0 || !deflater.needsInput());
            from = to;
        }
        deflater.end();
        return out.toByteArray();
    }

    /** Returns a raw stream of one block with random complete codes of up to 15 bits and random symbols. */
    byte[] ofRandomCodes() {
        int[] literals = codeLengths(286, 2 + random.nextInt(285), 256);
        int[] distances = codeLengths(30, random.nextInt(31), 0);
        BitWriter out = new BitWriter().bits(1, 1).bits(2, 2).codes(literals, distances);
        int[] literalCodes = codes(literals);
        int[] distanceCodes = codes(distances);
        int size = 0;
        for (int i = random.nextInt(1000); i > 0; i--) {
            int symbol = random.nextInt(286);
            if (literals[symbol] == 0 || symbol == 256) {
                continue;
            }
            int distance = random.nextInt(30);
            int extra = Math.max(0, distance / 2 - 1);
            int farthest = distance < 4 ? distance + 1 : (2 + (distance & 1) + 1) << extra;
            if (symbol > 256 && (distances[distance] == 0 || farthest > size && random.nextInt(500) > 0)) {
                continue;
            }
            out.code(literalCodes[symbol], literals[symbol]);
            size++;
            if (symbol > 256) {
                out.bits(random.nextInt(), symbol == 285 ? 0 : Math.max(0, (symbol - 257) / 4 - 1));
                out.code(distanceCodes[distance], distances[distance]);
                out.bits(random.nextInt(), extra);
                size += 2; // at least
            }
        }
        return out.code(literalCodes[256], literals[256]).bytes();
    }

    /** Changes, removes or inserts some bits or bytes, or cuts the end. */
    byte[] mutated(byte[] stream) {
        byte[] bytes = stream.clone();
        for (int i = 1 + random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            // Half of the changes concern the header of the first block, where most errors are possible.
            int at = random.nextInt(random.nextBoolean() ? Math.min(60, bytes.length) : bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> {
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
                    System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
                    bytes = longer;
                }
                default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
        }
        return bytes;
    }

    /** Returns the lengths of a complete code of {@code coded} symbols, of which {@code always} is one; or none. */
    private int[] codeLengths(int symbols, int coded, int always) {
        int[] lengths = new int[symbols];
        if (coded < 2) {
            lengths[0] = coded;
            return lengths;
        }
        int[] leaves = new int[coded];
        boolean deep = random.nextBoolean();
        for (int n = 1; n < coded; n++) {
            int split = deep ? n - 1 - random.nextInt(Math.min(n, 3)) : random.nextInt(n);
            while (leaves[split] == CodeTable.MAX_BITS) {
                split = random.nextInt(n);
            }
            leaves[n] = ++leaves[split];
        }
        lengths[always] = leaves[0];
        for (int i = 1; i < coded; i++) {
            int symbol = random.nextInt(symbols);
            while (lengths[symbol] != 0) {
                symbol = (symbol + 1) % symbols;
            }
            lengths[symbol] = leaves[i];
        }
        return lengths;
    }

    /** Returns the code of each symbol (RFC 1951, section 3.2.2). */
    private static int[] codes(int[] lengths) {
        int[] codes = new int[lengths.length];
        int code = 0;
        for (int length = 1; length <= CodeTable.MAX_BITS; length++) {
            for (int i = 0; i < lengths.length; i++) {
                if (lengths[i] == length) {
                    codes[i] = code++;
                }
            }
            code <<= 1;
        }
        return codes;
    }
}
