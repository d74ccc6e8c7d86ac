package dev.shardkit.hdf5;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Numbers in words that have bits without a meaning, or of a floating-point format of their own: integers of less
 * precision than their size, with an offset, and floating-point numbers whose parts lie elsewhere. Decodes them to
 * numbers of the same size and byte order. Bits without a meaning are ignored, and written as zeros. Immutable and
 * thread-safe.
 *
 * @param words the words
 * @param form where the numbers are in them
 */
record StoredNumbers(WordOrder words, NumberForm form) implements BytesToBytesCodec {
    static final String NAME = "hdf5.number";
    static final String ELEMENT_SIZE = "elementsize";
    static final String ENDIAN = "endian";
    static final String INTEGER = "integer";
    static final String FLOAT = "float";

    /** Returns the codec of elements of one datatype; empty if they need none. */
    static Optional<StoredNumbers> of(Datatype type) {
        if (type instanceof Datatype.Enumeration names) {
            return of(names.base());
        } else if (type instanceof Datatype.Bits bits) {
            boolean isBig =
                    bits.number() instanceof Datatype.Whole whole ? whole.big() : ((Datatype.Real) bits.number()).big();
            return Optional.of(new StoredNumbers(new WordOrder((int) bits.size(), isBig), bits.form()));
        }
        return Optional.empty();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(ELEMENT_SIZE, Json.of(words.size()))
                .with(ENDIAN, Json.of(words.isBig() ? "big" : "little"))
                .with(
                        form instanceof NumberForm.Whole ? INTEGER : FLOAT,
                        Json.of(form.parameters().stream()
                                .mapToLong(Long::longValue)
                                .toArray()));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        if (in.size() % words.size() != 0) {
            throw new UnencodableException(
                    NAME + ": expected numbers of " + words.size() + " bytes, found " + in.size() + " bytes");
        }
        byte[] out = new byte[in.size()];
        long all = -1L >>> Long.SIZE - Byte.SIZE * words.size();
        for (int i = 0; i < out.length; i += words.size()) {
            long number = words.get(in.array(), in.from() + i);
            long word = form.encode(number);
            if ((form.decode(word) & all) != number) {
                throw new UnencodableException(NAME + ": expected numbers that fit into " + form
                        + ", found one of the bits 0x" + Long.toHexString(number));
            }
            words.put(out, i, word);
        }
        return Bytes.of(out);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        expected.check(encoded.size(), NAME + " decoded");
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        if (in.size() % words.size() != 0) {
            throw new CorruptDataException(
                    NAME + ": expected numbers of " + words.size() + " bytes, found " + in.size() + " bytes");
        }
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(in.size()), in.size(), scratch);
        for (int i = 0; i < in.size(); i += words.size()) {
            words.put(out.array(), i, form.decode(words.get(in.array(), in.from() + i)));
        }
        out.advance(in.size());
        return out.borrowed();
    }

    /** Returns an element as a number. */
    byte[] decoded(byte[] element) {
        byte[] out = new byte[element.length];
        words.put(out, 0, form.decode(words.get(element, 0)));
        return out;
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(decodedSize);
    }
}
