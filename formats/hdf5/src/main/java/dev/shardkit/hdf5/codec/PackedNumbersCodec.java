package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnencodableException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.OptionalLong;

/**
 * The codec {@code hdf5.number}: converts numbers that HDF5 stores in a format without an equal in Zarr to ordinary
 * ones. Examples are integers with fewer bits than their word, and non-standard floating-point numbers. Each word holds
 * one number; decoded numbers have the same size and byte order. Unused bits are ignored when decoding, and written as
 * zeros. (The filters N-bit and scale-offset, which pack numbers without gaps, are {@link Nbit} and
 * {@link ScaleOffset}.) Immutable and thread-safe.
 *
 * @param words the size and byte order of words
 * @param form the position and format of the numbers in words
 */
public record PackedNumbersCodec(WordOrder words, NumberForm form) implements BytesToBytesCodec {
    static final String NAME = "hdf5.number";
    static final String ELEMENT_SIZE = "elementsize";
    static final String ENDIAN = "endian";
    static final String INTEGER = "integer";
    static final String FLOAT = "float";

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
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        if (input.size() % words.size() != 0) {
            throw new UnencodableException(
                    NAME + ": expected numbers of " + words.size() + " bytes, found " + input.size() + " bytes");
        }
        byte[] output = new byte[input.size()];
        long valueMask = -1L >>> Long.SIZE - Byte.SIZE * words.size();
        for (int i = 0; i < output.length; i += words.size()) {
            long number = words.get(input.array(), input.from() + i);
            long word = form.encode(number);
            if ((form.decode(word) & valueMask) != number) {
                throw new UnencodableException(NAME + ": expected numbers that fit into " + form
                        + ", found one of the bits 0x" + Long.toHexString(number));
            }
            words.put(output, i, word);
        }
        return Bytes.of(output);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        expected.check(encoded.size(), NAME + " decoded");
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        if (input.size() % words.size() != 0) {
            throw new CorruptDataException(
                    NAME + ": expected numbers of " + words.size() + " bytes, found " + input.size() + " bytes");
        }
        CodecOutput output = CodecOutput.decoding(DecodedSize.exactly(input.size()), input.size(), scratch);
        for (int i = 0; i < input.size(); i += words.size()) {
            words.put(output.array(), i, form.decode(words.get(input.array(), input.from() + i)));
        }
        output.advance(input.size());
        return output.borrowed();
    }

    /** Decodes one element, such as the fill value. */
    public byte[] decodeElement(byte[] element) {
        byte[] output = new byte[element.length];
        words.put(output, 0, form.decode(words.get(element, 0)));
        return output;
    }

    @Override
    public OptionalLong encodedSize(long decodedSize) {
        return OptionalLong.of(decodedSize);
    }
}
