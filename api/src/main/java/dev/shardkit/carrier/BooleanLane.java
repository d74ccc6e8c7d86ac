package dev.shardkit.carrier;

import java.nio.ByteBuffer;

/** The lane of booleans, which are bytes in the buffer: 0 is false. */
final class BooleanLane extends Lane {
    private final boolean[] array;
    private final ByteBuffer words;

    BooleanLane(boolean[] array, ByteBuffer words) {
        super(array);
        this.array = array;
        this.words = words;
    }

    @Override
    void load(int word, Object into, int at, int n) {
        for (int k = 0; k < n; k++) {
            ((boolean[]) into)[at + k] = words.get(word + k) != 0;
        }
    }

    @Override
    void store(Object from, int at, int word, int n) {
        for (int k = 0; k < n; k++) {
            words.put(word + k, (byte) (((boolean[]) from)[at + k] ? 1 : 0));
        }
    }

    @Override
    void take(int a, int as, int b, int bs, int n) {
        for (int k = 0; k < n; k++) {
            array[b + k * bs] = words.get(a + k * as) != 0;
        }
    }

    @Override
    void give(int a, int as, int b, int bs, int n) {
        for (int k = 0; k < n; k++) {
            words.put(b + k * bs, (byte) (array[a + k * as] ? 1 : 0));
        }
    }
}
