package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The contract of data types as tests. To test a type, extend this class and supply the type and its fill values. */
public abstract class DataTypeContract {
    /** For subclasses. */
    protected DataTypeContract() {}

    /** Returns the type. */
    protected abstract DataType type();

    /** Returns its factory. */
    protected abstract DataTypeFactory factory();

    /** Returns valid fill values in every form that metadata allow. */
    protected abstract List<Json> fills();

    /** Returns invalid fill values. */
    protected abstract List<Json> illegalFills();

    /** Returns invalid stored elements, each as a single element of little-endian words. */
    protected List<byte[]> illegalElements() {
        return List.of();
    }

    @Test
    void fill_readWrittenRead_isTheSameBits() {
        for (Json json : fills()) {
            FillValue value = type().parseFill(json);
            Json written = type().formatFill(value);
            assertEquals(value, type().parseFill(written), () -> json + " was written as " + written);
            assertEquals(
                    written,
                    type().formatFill(type().parseFill(written)),
                    "a written fill value reads and writes again unchanged");
            checkSize(value, json.toString());
        }
    }

    private void checkSize(FillValue value, String description) {
        if (type().elementSize().isPresent()) {
            assertEquals(type().elementSize().getAsInt(), value.size(), () -> "bytes of " + description);
        }
    }

    @Test
    void fill_ofAnyLegalBits_survivesJson() {
        ChunkType many = ChunkType.of(type(), type().defaultFill(), new long[] {200});
        DenseChunk random = SampleChunks.random(many, 3);
        for (int i = 0; i < many.count(); i++) {
            FillValue value = FillValue.of(element(random.elements(), i));
            if (legal(value)) {
                Json written = type().formatFill(value);
                assertEquals(value, type().parseFill(written), () -> value + " was written as " + written);
            }
        }
    }

    private static byte[] element(Elements elements, int i) {
        if (elements instanceof Elements.Variable v) {
            return v.values()[i];
        }
        Elements.Fixed f = (Elements.Fixed) elements;
        byte[] bytes = new byte[f.elementSize()];
        f.bytes().get(i * f.elementSize(), bytes);
        return bytes;
    }

    /** Returns whether the type accepts the bits of {@code value} as an element. */
    private boolean legal(FillValue value) {
        try {
            type().check(elements(value.bytes()));
            return true;
        } catch (CorruptDataException e) {
            return false;
        }
    }

    /** Returns the single element with these bytes. */
    private Elements elements(byte[] element) {
        return type().elementSize().isPresent()
                ? Elements.Fixed.of(type(), ByteBuffer.wrap(element), ByteOrder.LITTLE_ENDIAN)
                : new Elements.Variable(new byte[][] {element});
    }

    @Test
    void illegalFills_areRefusedAsMetadata() {
        for (Json json : illegalFills()) {
            MetadataException e =
                    assertThrows(MetadataException.class, () -> type().parseFill(json), () -> "taken: " + json);
            assertFalse(e.fact().isBlank(), () -> "no message: " + json);
        }
    }

    @Test
    void sizes_fitTheCarrier() {
        Carrier carrier = type().carrier();
        assertEquals(carrier.isVariable(), type().elementSize().isEmpty(), "elements vary in size if the carrier does");
        if (type().elementSize().isPresent()) {
            int size = type().elementSize().getAsInt();
            assertTrue(
                    size > 0 && size % carrier.wordSize() == 0,
                    () -> size + " bytes in words of " + carrier.wordSize());
        }
    }

    @Test
    void defaultFill_isLegal() {
        FillValue value = type().defaultFill();
        checkSize(value, "the default fill value");
        assertTrue(legal(value), () -> "check refuses the default fill value " + value);
        assertEquals(value, type().parseFill(type().formatFill(value)));
    }

    @Test
    void factory_makesAnEqualType() {
        assertTrue(factory().claims(type().name()), () -> "the factory does not claim " + type().name());
        DataType again = LoadedExtensions.made(
                type().configuration(), config -> factory().create(type().name(), config));
        assertEquals(type(), again);
        assertEquals(type().hashCode(), again.hashCode());
        assertEquals(type().name(), again.name());
        assertEquals(type().configuration(), again.configuration());
        assertTrue(
                LoadedExtensions.all(DataTypeFactory.class).stream()
                        .anyMatch(f -> f.getClass() == factory().getClass()),
                () -> factory().getClass().getName() + " is not in META-INF/services/"
                        + DataTypeFactory.class.getName());
    }

    @Test
    void check_refusesIllegalElementsAmongOthers() {
        byte[] good = type().defaultFill().bytes();
        for (byte[] bad : illegalElements()) {
            assertThrows(
                    CorruptDataException.class, () -> type().check(elements(bad)), () -> "taken: " + FillValue.of(bad));
            Random random = new Random(2);
            int badIndex = random.nextInt(100);
            Elements many;
            if (type().elementSize().isPresent()) {
                ByteBuffer bytes = ByteBuffer.allocate(100 * good.length);
                for (int i = 0; i < 100; i++) {
                    bytes.put(i == badIndex ? bad : good);
                }
                many = Elements.Fixed.of(type(), bytes.flip(), ByteOrder.LITTLE_ENDIAN);
            } else {
                byte[][] values = new byte[100][];
                Arrays.fill(values, good);
                values[badIndex] = bad;
                many = new Elements.Variable(values);
            }
            assertThrows(
                    CorruptDataException.class, () -> type().check(many), "an illegal element among 99 legal ones");
        }
    }
}
