package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.file.disk.Channels;
import dev.shardkit.store.file.patch.BeforeImageChecksums;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.JournalFormat;
import dev.shardkit.store.file.patch.Recovery;
import dev.shardkit.store.file.patch.RedoSection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A file that is patched, and journals as a killed process leaves them. */
public abstract class PatchedFile {
    public static final byte[] OLD = bytes(1, 100);
    public static final byte[] NEW = patchedOld();

    @TempDir
    public Path dir;

    public FileStore store;
    public Path file;
    JournalDirectory place;

    static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Appends ten bytes and overwrites two places. */
    static Edit.Patch patch() {
        return new Edit.Patch(
                100,
                List.of(new Piece.Literal(Bytes.of(bytes(2, 10)))),
                List.of(new Edit.Write(0, Bytes.of(bytes(3, 7))), new Edit.Write(90, Bytes.of(bytes(4, 10)))),
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.IN_PLACE,
                Optional.empty());
    }

    static byte[] patchedOld() {
        byte[] all = Arrays.copyOf(OLD, 110);
        System.arraycopy(bytes(2, 10), 0, all, 100, 10);
        System.arraycopy(bytes(3, 7), 0, all, 0, 7);
        System.arraycopy(bytes(4, 10), 0, all, 90, 10);
        return all;
    }

    @BeforeEach
    void makeFile() throws IOException {
        store = TestDisk.assumePatches(FileStore.at(dir));
        Files.createDirectories(dir.resolve("a/c"));
        file = dir.resolve("a/c/0").toAbsolutePath();
        Files.write(file, OLD);
        file = file.toRealPath();
        place = JournalDirectory.of(file);
    }

    JournalFormat.Head head(JournalFormat.Kind kind) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new JournalFormat.Head(kind, 100, 110, Recovery.identity(now), "0");
    }

    /** What the file was, for the journal. */
    ByteBuffer before() throws IOException {
        try (FileChannel old = FileChannel.open(Files.write(dir.resolve("old"), OLD))) {
            return BeforeImageChecksums.bytes(old, patch());
        }
    }

    int tail() throws IOException {
        try (FileChannel fresh = FileChannel.open(Files.write(dir.resolve("new"), NEW))) {
            return Recovery.tail(fresh, 100, 110);
        }
    }

    /** Leaves a journal as a killed process does: of {@code length} bytes, the whole of it if that is more. */
    int leave(JournalFormat.Head head, boolean redo, int length) throws IOException {
        Path path = place.newJournal();
        int size;
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Channels.write(out, head.bytes());
            Channels.write(out, before());
            if (redo) {
                RedoSection.write(out, out.position(), patch().overwritten(), tail());
            }
            size = (int) out.size();
            out.truncate(Math.min(length, size));
        }
        return size;
    }

    void assertRecovers(Recovered expected, byte[] content, String what) throws IOException {
        assertEquals(expected, store.recover("a", "a/c/0"), what);
        assertArrayEquals(content, Files.readAllBytes(file), what);
        assertEquals(List.of(), place.journals(), what + ": a journal is left");
        assertEquals(Recovered.NOTHING, store.recover("a", "a/c/0"), what);
    }

    List<Leftover.Kind> leftovers() {
        List<Leftover.Kind> kinds = new ArrayList<>();
        store.leftovers("", l -> kinds.add(l.kind()));
        return kinds;
    }
}
