package dev.shardkit.crash;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.Random;

/**
 * One write: what version {@code version} of an array changes, known to all processes without telling.
 *
 * @param fill whether the fill value is written
 */
record Step(Setup setup, int version, Box region, boolean fill) {
    /** The step to a version: an inner chunk, a part of some, a piece of both shards, or fill. */
    static Step of(Setup setup, long seed, int version) {
        Random random = new Random(seed * 1_000_003 + version * 7919L + setup.number());
        random.nextInt();
        int kind = random.nextInt(100);
        long chunk = random.nextInt((int) (setup.cells()[0] * setup.cells()[1]));
        if (kind < 45) {
            return new Step(setup, version, setup.chunk(chunk), false);
        } else if (kind < 60) {
            return new Step(setup, version, setup.chunk(chunk), true);
        }
        long[] most = kind < 92 ? setup.inner() : setup.shape();
        long[] origin = new long[2];
        long[] shape = new long[2];
        for (int d = 0; d < 2; d++) {
            shape[d] = 1 + random.nextInt((int) most[d]);
            origin[d] = random.nextInt((int) (setup.shape()[d] - shape[d]) + 1);
        }
        return new Step(setup, version, Box.of(origin, shape), false);
    }

    /** Whole inner chunk {@code chunk}. */
    static Step chunk(Setup setup, int version, long chunk) {
        return new Step(setup, version, setup.chunk(chunk), false);
    }

    /** One element of each shard, in row {@code row}. */
    static Step touch(Setup setup, int version, int shard, int row) {
        return new Step(
                setup, version, Box.of(new long[] {row, shard * setup.shard()[1] + row}, new long[] {1, 1}), false);
    }

    /** The value at a place. Those of one version in one inner chunk tell it: the first one is the version. */
    int value(long row, long column) {
        return fill ? 0 : value(setup, version, row, column);
    }

    static int value(Setup setup, int version, long row, long column) {
        int i = (int) (row % setup.rows() * setup.columns() + column % setup.columns());
        return switch (version % 3) {
            case 0 -> version + (i == 0 ? 0 : (i * 0x9E3779B1 ^ version * 0x85EBCA6B) >>> 3);
            case 1 -> version;
            default -> version + i * (version % 7);
        };
    }

    /** The region's values, in C order. */
    int[] values() {
        int[] values = new int[(int) region.count()];
        int i = 0;
        for (long r = region.origin(0); r < region.end(0); r++) {
            for (long c = region.origin(1); c < region.end(1); c++) {
                values[i++] = value(r, c);
            }
        }
        return values;
    }

    void write(ZarrArray array) {
        if (fill && version % 2 == 0) {
            array.erase(region);
            return;
        }
        array.write(region, NdArray.of(array.dataType(), region.shape(), values()));
    }
}
