package dev.shardkit.codec.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.testkit.internal.FixtureContent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What block formats are tested with: inputs of many kinds, and kernels between bytes that must stay as they are. */
public final class Blocks {
    private static final int BEFORE = 5;
    private static final int BEHIND = 9;
    private static final byte GUARD = (byte) 0xA5;

    private Blocks() {}

    /** A kernel: from a part of one array into a part of another; what it gives is a size. */
    @FunctionalInterface
    public interface Kernel {
        int run(byte[] in, int inAt, int length, byte[] out, int outAt, int room);
    }

    /** Texts, noise, runs, short periods, and all sizes around which copies change their ways. */
    public static List<byte[]> inputs() {
        Random random = new Random(5);
        List<byte[]> inputs = new ArrayList<>();
        for (int n = 0; n < 140; n++) {
            inputs.add(FixtureContent.of(n));
            inputs.add(new byte[n]);
        }
        for (int period = 1; period < 24; period++) {
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i % period * 37 + (random.nextInt(60) == 0 ? 1 : 0));
            }
            inputs.add(bytes);
        }
        for (int kinds : new int[] {2, 3, 16, 256}) {
            byte[] bytes = new byte[70_000 + random.nextInt(1000)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt(kinds);
            }
            inputs.add(bytes);
        }
        inputs.add(FixtureContent.of(300_000));
        inputs.add(new byte[300_000]);
        byte[] remote = new byte[200_000]; // repeats from just within and just past what an offset of 16 bits reaches
        random.nextBytes(remote);
        System.arraycopy(remote, 0, remote, 65_535, 1000);
        System.arraycopy(remote, 100_000, remote, 165_536, 1000);
        inputs.add(remote);
        return inputs;
    }

    /** Runs {@code kernel} with guards around what it may touch; gives what it wrote. */
    public static byte[] run(Kernel kernel, byte[] bytes, int room) {
        byte[] in = new byte[BEFORE + bytes.length + BEHIND];
        byte[] out = new byte[BEFORE + room + BEHIND];
        Arrays.fill(in, GUARD);
        Arrays.fill(out, GUARD);
        System.arraycopy(bytes, 0, in, BEFORE, bytes.length);
        byte[] given = in.clone();
        int n;
        try {
            n = kernel.run(in, BEFORE, bytes.length, out, BEFORE, room);
        } finally {
            assertArrayEquals(given, in, "the input was written to");
            for (int i = 0; i < out.length; i++) {
                if (i < BEFORE || i >= BEFORE + room) {
                    assertEquals(GUARD, out[i], "written outside of the room");
                }
            }
        }
        assertTrue(n <= room, n + " bytes in a room of " + room);
        return n < 0 ? new byte[0] : Arrays.copyOfRange(out, BEFORE, BEFORE + n);
    }

    /** Decodes hostile variants of {@code block}: a CorruptDataException or bytes within the room come out. */
    public static int attack(Kernel decoder, byte[] block, int size, Random random) {
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            byte[] bad = i % 4 == 0 ? Arrays.copyOf(block, random.nextInt(block.length + 1)) : block.clone();
            for (int flips = i % 3; flips >= 0 && bad.length > 0 && i % 4 != 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) (random.nextBoolean() ? random.nextInt() : -1);
            }
            try {
                run(decoder, bad, i % 5 == 0 ? random.nextInt(size + 1) : size);
            } catch (CorruptDataException e) {
                refused++;
            }
        }
        return refused;
    }
}
