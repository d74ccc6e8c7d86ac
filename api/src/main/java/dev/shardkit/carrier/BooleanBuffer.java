package dev.shardkit.carrier;

import java.nio.ByteBuffer;

/** A {@link WordBuffer} for a {@code boolean[]}. The buffer has one byte for each boolean; 0 is false. */
final class BooleanBuffer extends WordBuffer {
    private final boolean[] array;
    private final ByteBuffer words;

    BooleanBuffer(boolean[] array, ByteBuffer words) {
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
