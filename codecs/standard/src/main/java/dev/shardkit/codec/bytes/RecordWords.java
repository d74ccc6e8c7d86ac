package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The positions of the words (numbers of several bytes) in big-endian records. Reverses their bytes, because elements
 * in memory are little-endian. Immutable.
 *
 * @param record the size of a record in bytes
 * @param words the words of several bytes; empty for little-endian records and for other types
 */
record RecordWords(int record, List<Word> words) {
    /** A number of adjacent words of one size, in bytes. */
    private record Word(int offset, int size, int count) {}

    static RecordWords of(DataType type, ByteOrder order) {
        List<Word> words = new ArrayList<>();
        if (order == ByteOrder.BIG_ENDIAN) {
            type.fields().forEach(field -> collect(field, 0, words));
        }
        return new RecordWords(type.elementSize().orElse(0), List.copyOf(words));
    }

    /** Adds the words of a field, which may itself be a record, to {@code target}. */
    private static void collect(Field field, int from, List<Word> target) {
        int offset = from + field.offset();
        DataType type = field.type();
        int wordSize = type.carrier().wordSize();
        if (!type.fields().isEmpty()) {
            type.fields().forEach(inner -> collect(inner, offset, target));
        } else if (wordSize > 1) {
            target.add(new Word(offset, wordSize, type.elementSize().orElseThrow() / wordSize));
        }
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    /** Returns a copy of records with their words reversed. */
    ByteBuffer reversed(ByteBuffer records) {
        byte[] copy = new byte[records.remaining()];
        records.get(records.position(), copy);
        reverse(copy);
        return ByteBuffer.wrap(copy);
    }

    /** Reverses the words of whole records. */
    void reverse(byte[] records) {
        for (Word word : words) {
            for (int position = word.offset(); position < records.length; position += record) {
                for (int k = 0; k < word.count(); k++) {
                    reverse(records, position + k * word.size(), word.size());
                }
            }
        }
    }

    private static void reverse(byte[] bytes, int from, int size) {
        for (int i = from, j = from + size - 1; i < j; i++, j--) {
            byte b = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = b;
        }
    }
}
