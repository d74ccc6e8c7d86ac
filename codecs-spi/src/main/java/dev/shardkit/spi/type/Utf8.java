package dev.shardkit.spi.type;

/** Strict UTF-8 (Unicode table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    /** Returns the index of the first ill-formed sequence; -1 if there is none. */
    static int firstError(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            if (bytes[i] >= 0) {
                i++;
                continue;
            }
            int length = length(bytes[i] & 0xff);
            if (length == 0 || i + length > bytes.length || !isValidSecond(bytes[i] & 0xff, bytes[i + 1] & 0xff)) {
                return i;
            }
            for (int k = 2; k < length; k++) {
                if ((bytes[i + k] & 0xc0) != 0x80) {
                    return i;
                }
            }
            i += length;
        }
        return -1;
    }

    /** Returns the length of the sequence that begins with this byte; 0 if none does. */
    private static int length(int first) {
        if (first >= 0xc2 && first <= 0xdf) {
            return 2;
        }
        if (first >= 0xe0 && first <= 0xef) {
            return 3;
        }
        return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
    }

    /** Returns whether the second byte may follow. Excludes overlong forms, surrogates and values above U+10FFFF. */
    private static boolean isValidSecond(int first, int second) {
        int minimum = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int maximum = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        return second >= minimum && second <= maximum;
    }
}
