package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Carrier;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Creates the {@link WordBuffer} for each primitive type. The classes differ only in the type of their words, because
 * Java has no generic classes of primitive types.
 */
final class WordBuffers {
    private WordBuffers() {}

    /** Returns the word buffer over {@code words}, with {@code array} for copies with steps. */
    static WordBuffer of(Carrier carrier, Object array, ByteBuffer words) {
        return switch (carrier) {
            case BOOLEAN -> new BooleanBuffer((boolean[]) array, words);
            case BYTE -> new Bytes((byte[]) array, words);
            case SHORT -> new Shorts((short[]) array, words.asShortBuffer());
            case INT -> new Ints((int[]) array, words.asIntBuffer());
            case LONG -> new Longs((long[]) array, words.asLongBuffer());
            case FLOAT -> new Floats((float[]) array, words.asFloatBuffer());
            case DOUBLE -> new Doubles((double[]) array, words.asDoubleBuffer());
            case UTF32, STRING, BYTES -> throw new IllegalArgumentException(carrier + " has no words");
        };
    }

    private static final class Bytes extends WordBuffer {
        private final byte[] array;
        private final ByteBuffer words;

        Bytes(byte[] array, ByteBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (byte[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (byte[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }

    private static final class Shorts extends WordBuffer {
        private final short[] array;
        private final ShortBuffer words;

        Shorts(short[] array, ShortBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (short[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (short[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }

    private static final class Ints extends WordBuffer {
        private final int[] array;
        private final IntBuffer words;

        Ints(int[] array, IntBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (int[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (int[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }

    private static final class Longs extends WordBuffer {
        private final long[] array;
        private final LongBuffer words;

        Longs(long[] array, LongBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (long[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (long[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }

    private static final class Floats extends WordBuffer {
        private final float[] array;
        private final FloatBuffer words;

        Floats(float[] array, FloatBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (float[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (float[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }

    private static final class Doubles extends WordBuffer {
        private final double[] array;
        private final DoubleBuffer words;

        Doubles(double[] array, DoubleBuffer words) {
            super(array);
            this.array = array;
            this.words = words;
        }

        @Override
        void load(int word, Object target, int offset, int count) {
            words.get(word, (double[]) target, offset, count);
        }

        @Override
        void store(Object source, int offset, int word, int count) {
            words.put(word, (double[]) source, offset, count);
        }

        @Override
        void loadStrided(int word, int wordStep, int index, int indexStep, int count) {
            for (int k = 0; k < count; k++) {
                array[index + k * indexStep] = words.get(word + k * wordStep);
            }
        }

        @Override
        void storeStrided(int index, int indexStep, int word, int wordStep, int count) {
            for (int k = 0; k < count; k++) {
                words.put(word + k * wordStep, array[index + k * indexStep]);
            }
        }
    }
}
