package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Rounds of random work on an array through a network that breaks. Each operation ends with the right result or with a
 * declared error. After an error, each element must be old or new. Objects are small.
 */
final class FaultRounds {
    static final String PATH = "a";
    private static final int SIDE = 32;
    static final int ELEMENTS = SIDE * SIDE;
    static final int SHARD = 16;

    private final Store faulty;
    private final Store direct;
    private final Random random;
    private final List<ZarrException> failures = new ArrayList<>();
    private short[] model = new short[ELEMENTS];

    /** Creates the array through the network that does not break. */
    FaultRounds(Store faulty, Store direct, Random random) {
        this.faulty = faulty;
        this.direct = direct;
        this.random = random;
        create(direct);
    }

    static void create(Store store) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec spec = ArraySpec.of("uint16", SIDE, SIDE).withChunkShape(8, 8).withShardShape(SHARD, SHARD);
        Zarr.createArray(store, PATH, spec, IfExists.REFUSE, ZarrOptions.defaults())
                .close();
    }

    static short[] elements(Store store) {
        try (ZarrArray array = Zarr.openArray(store, PATH, ZarrOptions.defaults())) {
            return array.read().shorts().clone();
        }
    }

    /** Returns the declared errors. */
    List<ZarrException> failures() {
        return failures;
    }

    /** Opens, writes, erases a shard at times, reads and lists. Returns whether all of it succeeded. */
    boolean next() {
        int before = failures.size();
        try (ZarrArray array = Zarr.openArray(faulty, PATH, ZarrOptions.defaults())) {
            boolean erase = random.nextInt(3) == 0;
            Box box = erase ? shard() : box();
            short value = (short) (erase ? 0 : 1 + random.nextInt(1000));
            change(array, box, value);
            attempt(() -> assertArrayEquals(model, array.read().shorts(), "read through the faults"));
        } catch (ZarrException e) {
            failures.add(e);
        }
        attempt(() -> {
            ZarrGroup group = Zarr.openGroup(faulty, "", ZarrOptions.defaults());
            assertEquals(Set.of(PATH), group.childNames());
        });
        assertArrayEquals(model, elements(direct));
        return failures.size() == before;
    }

    private void attempt(Runnable operation) {
        try {
            operation.run();
        } catch (ZarrException e) {
            failures.add(e);
        }
    }

    private Box box() {
        int row = random.nextInt(SIDE);
        int column = random.nextInt(SIDE);
        return Box.of(
                new long[] {row, column},
                new long[] {1 + random.nextInt(SIDE - row), 1 + random.nextInt(SIDE - column)});
    }

    /** Its object is deleted when it has only the fill value. */
    private Box shard() {
        return Box.of(new long[] {SHARD * random.nextInt(2), SHARD * random.nextInt(2)}, new long[] {SHARD, SHARD});
    }

    private void change(ZarrArray array, Box box, short value) {
        short[] changed = model.clone();
        for (long row = box.origin(0); row < box.end(0); row++) {
            for (long column = box.origin(1); column < box.end(1); column++) {
                changed[(int) (row * SIDE + column)] = value;
            }
        }
        try {
            if (value == 0) {
                array.erase(box);
            } else {
                array.write(box, filled(box, value), 0);
            }
            model = changed;
        } catch (ZarrException e) {
            failures.add(e);
            short[] found = elements(direct);
            for (int i = 0; i < ELEMENTS; i++) {
                assertTrue(found[i] == model[i] || found[i] == changed[i], "element " + i + " is neither old nor new");
            }
            model = found;
        }
    }

    private static short[] filled(Box box, short value) {
        short[] values = new short[Math.toIntExact(box.count())];
        Arrays.fill(values, value);
        return values;
    }
}
