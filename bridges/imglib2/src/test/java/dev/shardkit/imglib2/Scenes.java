package dev.shardkit.imglib2;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.imglib2.RandomAccess;
import net.imglib2.type.BooleanType;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;

/** Arrays in memory, and what their readers request. */
final class Scenes {
    private Scenes() {}

    /** The data types that images have. */
    static Stream<String> types() {
        return Stream.of(
                "bool",
                "int8",
                "uint8",
                "int16",
                "uint16",
                "int32",
                "uint32",
                "int64",
                "uint64",
                "float16",
                "bfloat16",
                "float32",
                "float64");
    }

    /** Counts reads. */
    static final class Reads implements StoreListener {
        final AtomicInteger requests = new AtomicInteger();
        final AtomicLong bytes = new AtomicLong();

        @Override
        public void onResponse(String key, ByteRange range, long received, Duration took) {
            requests.incrementAndGet();
            bytes.addAndGet(received);
        }
    }

    static ZarrArray create(ArraySpec spec, StoreListener listener) {
        return Zarr.createArray(
                MemoryStore.create(),
                "a",
                spec,
                IfExists.REFUSE,
                ZarrOptions.defaults().withListener(listener));
    }

    static ZarrArray create(ArraySpec spec) {
        return create(spec, new StoreListener() {});
    }

    /** Returns random elements: any bits, but no NaN. */
    static NdArray random(ZarrArray array, long seed) {
        Random random = new Random(seed);
        NdArray values = array.read();
        Object elements = values.array();
        if (elements instanceof byte[] bytes) {
            random.nextBytes(bytes);
        } else if (elements instanceof short[] shorts) {
            for (int i = 0; i < shorts.length; i++) {
                shorts[i] = (short) random.nextInt(0x7c00);
                shorts[i] |= (short) (random.nextBoolean() ? 0x8000 : 0);
            }
        } else if (elements instanceof int[] ints) {
            for (int i = 0; i < ints.length; i++) {
                ints[i] = random.nextInt();
            }
        } else if (elements instanceof long[] longs) {
            for (int i = 0; i < longs.length; i++) {
                longs[i] = random.nextLong();
            }
        } else if (elements instanceof float[] floats) {
            for (int i = 0; i < floats.length; i++) {
                floats[i] = random.nextFloat() - 0.5f;
            }
        } else if (elements instanceof double[] doubles) {
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = random.nextGaussian();
            }
        } else {
            boolean[] booleans = (boolean[]) elements;
            for (int i = 0; i < booleans.length; i++) {
                booleans[i] = random.nextBoolean();
            }
        }
        return values;
    }

    /** Returns the exact number of the pixel at {@code access}, as text. */
    static String text(RandomAccess<?> access) {
        Object pixel = access.get();
        if (pixel instanceof BooleanType<?> bool) {
            return String.valueOf(bool.get());
        } else if (pixel instanceof IntegerType<?> integer) {
            return integer.getBigInteger().toString();
        }
        return String.valueOf(((RealType<?>) pixel).getRealDouble());
    }

    /** Returns the exact number of an element, as text. */
    static String text(NdArray values, long[] at) {
        return switch (values.dataType().name()) {
            case "bool" -> {
                long index = 0;
                for (int d = 0; d < at.length; d++) {
                    index = index * values.shape()[d] + at[d];
                }
                yield String.valueOf(values.booleans()[(int) index]);
            }
            case "float16", "bfloat16", "float32", "float64" -> String.valueOf(values.doubleAt(at));
            default -> values.integerAt(at).toString();
        };
    }
}
