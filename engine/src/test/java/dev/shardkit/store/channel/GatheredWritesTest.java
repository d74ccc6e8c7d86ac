package dev.shardkit.store.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatheredWritesTest {
    private static final int MIB = 1 << 20;

    /** Takes at most so many bytes by one call. */
    private static final class Taking implements GatheringByteChannel {
        private final int most;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final List<Long> offered = new ArrayList<>();
        /** The most buffers that were offered by one call. */
        private int together;

        Taking(int most) {
            this.most = most;
        }

        @Override
        public long write(ByteBuffer[] buffers, int from, int count) {
            long all = 0;
            long n = 0;
            for (int i = from; i < from + count; i++) {
                all += buffers[i].remaining();
                while (n < most && buffers[i].hasRemaining()) {
                    taken.write(buffers[i].get());
                    n++;
                }
            }
            offered.add(all);
            together = Math.max(together, count);
            return n;
        }

        @Override
        public long write(ByteBuffer[] buffers) {
            return write(buffers, 0, buffers.length);
        }

        @Override
        public int write(ByteBuffer buffer) {
            return (int) write(new ByteBuffer[] {buffer});
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Cuts bytes into buffers of these sizes, repeated. */
    private static List<ByteBuffer> cut(byte[] bytes, int... sizes) {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int at = 0, i = 0; at < bytes.length; i++) {
            int n = Math.min(sizes[i % sizes.length], bytes.length - at);
            buffers.add(ByteBuffer.wrap(bytes, at, n));
            at += n;
        }
        return buffers;
    }

    @Test
    void innerChunks_areWrittenByHalvesOfAMebibyte() throws IOException {
        byte[] bytes = random(4 * MIB, 1);
        Taking out = new Taking(Integer.MAX_VALUE);
        GatheredWrites.write(cut(bytes, 1 << 16), out);
        assertArrayEquals(bytes, out.taken.toByteArray());
        assertEquals(Collections.nCopies(8, 512L << 10), out.offered);
    }

    @Test
    void manySmallBuffers_areWrittenAtOnce() throws IOException {
        byte[] bytes = random(1 << 16, 2);
        Taking out = new Taking(Integer.MAX_VALUE);
        GatheredWrites.write(cut(bytes, 16), out);
        assertArrayEquals(bytes, out.taken.toByteArray());
        assertEquals(List.of(1L << 16), out.offered);
    }

    @Test
    void buffersOutsideTheHeap_areWrittenFromWhereTheyAre() throws IOException {
        byte[] bytes = random(4 * MIB, 5);
        for (int most : new int[] {Integer.MAX_VALUE, 100_003}) {
            List<ByteBuffer> buffers = new ArrayList<>();
            for (ByteBuffer part : cut(bytes, 300_000, 0, 100_000)) {
                buffers.add(
                        ByteBuffer.allocateDirect(part.remaining()).put(part).flip());
            }
            Taking out = new Taking(most);
            GatheredWrites.write(buffers, out);
            assertArrayEquals(bytes, out.taken.toByteArray());
            assertEquals(400_000, out.offered.get(0));
            assertEquals(3, out.together, "three buffers, not a joined one");
            assertTrue(buffers.stream().noneMatch(ByteBuffer::hasRemaining));
        }
    }

    /** A channel may take a part of what it is offered, and buffers may be empty or larger than all others. */
    @Test
    void partialWrites_areContinued() throws IOException {
        byte[] bytes = random(3 * MIB, 3);
        for (int most : new int[] {1_009, 65_536, MIB}) {
            Taking out = new Taking(most);
            GatheredWrites.write(cut(bytes, 3, 100_000, 0, 2 * MIB, 1), out);
            assertArrayEquals(bytes, out.taken.toByteArray(), "at most " + most);
            assertTrue(out.offered.size() >= bytes.length / most, "calls: " + out.offered.size());
        }
    }

    @Test
    void channelsThatDoNotGather_getBufferByBuffer() throws IOException {
        byte[] bytes = random(MIB, 4);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GatheredWrites.write(cut(bytes, 70_000, 1), Channels.newChannel(out));
        assertArrayEquals(bytes, out.toByteArray());
        GatheredWrites.write(List.of(), Channels.newChannel(out));
        assertEquals(bytes.length, out.size());
    }
}
