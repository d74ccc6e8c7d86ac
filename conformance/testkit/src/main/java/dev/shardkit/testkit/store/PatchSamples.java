package dev.shardkit.testkit.store;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Creates patches of objects, and computes their results, for the contracts of patches. Stateless. */
final class PatchSamples {
    private PatchSamples() {}

    /**
     * Creates a patch, with a journal if it overwrites bytes. A patch that only appends needs none: after a crash, the
     * last valid index of the shard counts.
     */
    static Edit.Patch of(long oldSize, List<Piece> appended, Edit.Write... overwritten) {
        return new Edit.Patch(
                oldSize,
                appended,
                List.of(overwritten),
                overwritten.length == 0 ? Edit.Recovery.LAST_INDEX : Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.APPEND,
                Optional.empty());
    }

    static Edit.Write write(long offset, byte[] bytes) {
        return new Edit.Write(offset, Bytes.of(bytes));
    }

    static Piece literal(byte[] bytes) {
        return new Piece.Literal(Bytes.of(bytes));
    }

    /** Returns the result of applying a patch to {@code old}. */
    static byte[] applied(Edit.Patch patch, byte[] old) {
        byte[] before = Arrays.copyOf(old, (int) patch.oldSize());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(before);
        for (Piece p : patch.appended()) {
            if (p instanceof Piece.Literal l) {
                out.writeBytes(l.bytes().toArray());
            } else if (p instanceof Piece.Copied copied) {
                out.write(before, (int) copied.offset(), (int) copied.size());
            } else {
                out.writeBytes(new byte[(int) p.size()]);
            }
        }
        byte[] after = out.toByteArray();
        for (Edit.Write w : patch.overwritten()) {
            System.arraycopy(w.bytes().toArray(), 0, after, (int) w.offset(), (int)
                    w.bytes().size());
        }
        return after;
    }

    /** Returns a random patch of an object of {@code size} bytes. */
    static Edit.Patch random(Random random, int size, int seed) {
        List<Piece> appended = new ArrayList<>();
        for (int remaining = random.nextInt(4); remaining > 0; remaining--) {
            int length = random.nextInt(random.nextBoolean() ? 3 : 2000);
            int from = random.nextInt(size + 1);
            appended.add(
                    switch (random.nextInt(3)) {
                        case 0 -> literal(StoreSuiteHelpers.bytes(seed, length));
                        case 1 -> new Piece.Copied(from, Math.min(length, size - from));
                        default -> new Piece.Zeros(length);
                    });
        }
        List<Edit.Write> overwritten = new ArrayList<>();
        int offset = 0;
        for (int remaining = random.nextInt(4); remaining > 0 && offset < size; remaining--) {
            offset += random.nextInt(size - offset);
            int length = random.nextInt(Math.min(size - offset, 300) + 1);
            overwritten.add(write(offset, StoreSuiteHelpers.bytes(seed + remaining, length)));
            offset += length;
        }
        Edit.Recovery recovery =
                overwritten.isEmpty() && random.nextBoolean() ? Edit.Recovery.LAST_INDEX : Edit.Recovery.JOURNAL;
        return new Edit.Patch(
                size, appended, overwritten, recovery, ShardWritePolicy.Strategy.IN_PLACE, Optional.empty());
    }
}
