package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Elements of another data type in a Java array of the same class: a byte of uint8 is another number in an array of
 * int8. No way to write them stores the bits as they are.
 */
@Timeout(120)
class WrittenTypesTest {
    private static final long[] SHAPE = {1, 2};
    private static final Box ALL = Box.of(SHAPE);
    private static final Map<String, Long> FIRST = Map.of("t", 0L);

    /** Writes one slice, which is the whole array. */
    private interface Write {
        void run(ZarrArray array, NdArray values);
    }

    /** Every way to write an {@link NdArray}. */
    private enum Entry {
        WRITE(true, (array, values) -> array.write(ALL, values)),
        WRITE_ASYNC(true, (array, values) -> array.writeAsync(ALL, values).join()),
        VIEW(true, (array, values) -> array.view().write(values)),
        VIEW_ASYNC(true, (array, values) -> array.view().writeAsync(values).join()),
        POINTS(true, (array, values) -> points(array).write(flat(values))),
        POINTS_ASYNC(
                true, (array, values) -> points(array).writeAsync(flat(values)).join()),
        TRANSACTION(true, (array, values) -> commit(array, t -> t.write(ALL, values))),
        TRANSACTION_OWNED(false, (array, values) -> commit(array, t -> t.writeOwned(ALL, values))),
        SLICE(false, (array, values) -> stream(array, slices -> slices.write(values))),
        SLICE_OWNED(false, (array, values) -> stream(array, slices -> slices.writeOwned(values, () -> {}))),
        SLICE_ASYNC(false, (array, values) -> slice(array, values)),
        SLICE_TILE(false, (array, values) -> stream(array, slices -> slices.writeTile(new long[2], values))),
        FRAME(false, (array, values) -> acquire(array, a -> a.write(FIRST, flat(values)))),
        FRAME_OWNED(false, (array, values) -> acquire(array, a -> a.writeOwned(FIRST, flat(values), () -> {}))),
        FRAME_ASYNC(
                false,
                (array, values) ->
                        acquire(array, a -> a.writeAsync(FIRST, flat(values)).join())),
        FRAME_TILE(false, (array, values) -> acquire(array, a -> a.writeTile(FIRST, new long[1], flat(values))));

        /** Whether it converts real numbers. */
        final boolean converts;

        final Write write;

        Entry(boolean converts, Write write) {
            this.converts = converts;
            this.write = write;
        }
    }

    private interface Use<T> {
        void with(T writer);
    }

    private static ZarrPoints points(ZarrArray array) {
        return array.view().points(new long[] {0, 0}, new long[] {0, 1});
    }

    private static NdArray flat(NdArray values) {
        return NdArray.of(values.dataType(), new long[] {2}, values.array());
    }

    private static void commit(ZarrArray array, Use<Transaction> use) {
        try (Transaction transaction = array.transaction(1 << 20)) {
            use.with(transaction);
            transaction.commit();
        }
    }

    private static void stream(ZarrArray array, Use<SliceWriter> use) {
        try (SliceWriter slices = array.slices(0)) {
            use.with(slices);
        }
    }

    /** A failed asynchronous write fails the close, too. */
    private static void slice(ZarrArray array, NdArray values) {
        SliceWriter slices = array.slices(0);
        boolean isAccepted = false;
        try {
            slices.writeAsync(values).join();
            isAccepted = true;
        } finally {
            if (isAccepted) {
                slices.close();
            } else {
                assertThrows(IllegalStateException.class, slices::close);
            }
        }
    }

    private static void acquire(ZarrArray array, Use<Acquisition> use) {
        try (Acquisition acquisition =
                array.acquisition(AcquisitionOptions.defaults().withFrame("x"))) {
            use.with(acquisition);
        }
    }

    private static ZarrArray array(Json type) {
        ArraySpec spec = ArraySpec.of(type, SHAPE).withDimensionNames("t", "x");
        return Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static ZarrArray array(String type) {
        return array(Json.of(type));
    }

    private static Throwable failure(Entry entry, ZarrArray array, NdArray values) {
        RuntimeException thrown = assertThrows(RuntimeException.class, () -> entry.write.run(array, values));
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    @ParameterizedTest
    @EnumSource
    void numbersOfAnotherType_areConvertedOrRefused(Entry entry) {
        ZarrArray array = array("int8");
        NdArray large = NdArray.of(CoreTypes.UINT8, SHAPE, new byte[] {(byte) 200, 1});
        Throwable thrown = failure(entry, array, large);
        assertEquals(
                entry.converts ? ArithmeticException.class : IllegalArgumentException.class,
                thrown.getClass(),
                () -> "found " + thrown);
        assertTrue(thrown.getMessage().contains("uint8"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("int8"), thrown.getMessage());
        assertArrayEquals(new byte[2], array.read().bytes(), "nothing is stored");
        NdArray small = NdArray.of(CoreTypes.UINT8, SHAPE, new byte[] {100, 1});
        if (entry.converts) {
            entry.write.run(array, small);
        } else {
            assertEquals(
                    IllegalArgumentException.class, failure(entry, array, small).getClass());
            entry.write.run(array, NdArray.of(CoreTypes.INT8, SHAPE, new byte[] {100, 1}));
        }
        assertArrayEquals(new byte[] {100, 1}, array.read().bytes());
    }

    @ParameterizedTest
    @EnumSource
    void bitsOfOtherNumbers_areNotStored(Entry entry) {
        ZarrArray array = array("uint16");
        NdArray halves = NdArray.of(CoreTypes.FLOAT16, SHAPE, new short[] {0x3c00, 0x3800}); // 1 and 0.5
        failure(entry, array, halves);
        assertArrayEquals(new short[2], array.read().shorts());
    }

    /** Types that are no real numbers, in Java arrays that the array's type would take. */
    static Stream<Arguments> others() {
        Json seconds = time("s");
        Json milliseconds = time("ms");
        return Stream.of(
                Arguments.of(seconds, milliseconds, new long[] {1, 2}),
                Arguments.of(seconds, Json.of("int64"), new long[] {1, 2}),
                Arguments.of(Json.of("int64"), seconds, new long[] {1, 2}),
                Arguments.of(Json.of("float32"), Json.of("complex64"), new float[] {1, 2, 3, 4}),
                Arguments.of(Json.of("uint8"), Json.of("r16"), new byte[] {1, 2, 3, 4}),
                Arguments.of(Json.of("r8"), Json.of("uint8"), new byte[] {1, 2}));
    }

    private static Json time(String unit) {
        return Json.object()
                .with("name", Json.of("numpy.datetime64"))
                .with("configuration", Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(1)));
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherTypes_areRefused(Json stored, Json given, Object elements) {
        DataType type = array(given).dataType();
        for (Entry entry : Entry.values()) {
            ZarrArray array = array(stored);
            NdArray before = array.read();
            failure(entry, array, NdArray.of(type, SHAPE, elements));
            assertEquals(before, array.read(), () -> entry + " stored them");
        }
    }

    /** Text is the same in both types. */
    @Test
    void text_isWrittenToArraysOfBothTypes() {
        Json fixed = Json.object()
                .with("name", Json.of("fixed_length_utf32"))
                .with("configuration", Json.object().with("length_bytes", Json.of(16)));
        NdArray text = NdArray.of(array("string").dataType(), SHAPE, new String[] {"a", "bc"});
        ZarrArray array = array(fixed);
        array.write(ALL, text);
        assertArrayEquals(text.strings(), array.read().strings());
        NdArray cut = NdArray.of(array.dataType(), SHAPE, text.array());
        ZarrArray strings = array("string");
        commit(strings, t -> t.writeOwned(ALL, cut));
        assertArrayEquals(text.strings(), strings.read().strings());
    }

    /** A Java array has no data type: it is taken for the carrier. */
    @Test
    void javaArrays_areTheCarrier() {
        byte[] elements = {(byte) 200, 1};
        for (String type : new String[] {"uint8", "int8"}) {
            List<Use<ZarrArray>> writes = List.of(
                    array -> array.write(ALL, elements, 0),
                    array -> array.view().write(elements, 0),
                    array -> commit(array, t -> t.write(ALL, elements, 0)),
                    array -> stream(array, slices -> slices.write(elements, 0)),
                    array -> stream(array, slices -> slices.write(elements, 0, 1)),
                    array -> stream(array, slices -> slices.write(ByteBuffer.wrap(elements))),
                    array -> acquire(array, a -> a.write(FIRST, ByteBuffer.wrap(elements))));
            for (Use<ZarrArray> write : writes) {
                ZarrArray array = array(type);
                write.with(array);
                assertArrayEquals(elements, array.read().bytes());
            }
        }
    }

    @Test
    void ownersOfRefusedElements_haveTheirMemoryBack() {
        ZarrArray array = array("int8");
        NdArray other = NdArray.of(CoreTypes.UINT8, SHAPE, new byte[2]);
        AtomicInteger released = new AtomicInteger();
        stream(
                array,
                slices -> assertThrows(
                        IllegalArgumentException.class, () -> slices.writeOwned(other, released::incrementAndGet)));
        acquire(
                array,
                a -> assertThrows(
                        IllegalArgumentException.class,
                        () -> a.writeOwned(FIRST, flat(other), released::incrementAndGet)));
        assertEquals(2, released.get());
    }
}
