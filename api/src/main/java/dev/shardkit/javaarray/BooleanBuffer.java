package dev.shardkit.javaarray;

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
    void load(int word, Object target, int offset, int count) {
        for (int k = 0; k < count; k++) {
            ((boolean[]) target)[offset + k] = words.get(word + k) != 0;
        }
    }

    @Override
    void store(Object source, int offset, int word, int count) {
        for (int k = 0; k < count; k++) {
            words.put(word + k, (byte) (((boolean[]) source)[offset + k] ? 1 : 0));
        }
    }

    @Override
    void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
        for (int k = 0; k < count; k++) {
            array[index + k * indexStep] = words.get(word + k * wordStep) != 0;
        }
    }

    @Override
    void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
        for (int k = 0; k < count; k++) {
            words.put(word + k * wordStep, (byte) (array[index + k * indexStep] ? 1 : 0));
        }
    }
}
