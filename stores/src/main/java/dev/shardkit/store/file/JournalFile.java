package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Looks at files among the journals, without taking them over as {@link OpenJournal} does. */
final class JournalFile {
    private JournalFile() {}

    /**
     * Whether a file among the journals shows a running or interrupted patch. An incomplete journal does not: its patch
     * has not touched the file yet, or never will. If the patch proceeds, the file's time tells readers that opened it
     * before.
     */
    static boolean isUnderWay(Path path) throws IOException {
        return peek(path, Journal::isBegun, Otherwise.YES);
    }

    /** Whether a file is a journal, complete or not, that was not set aside. */
    static boolean isOurs(Path path) throws IOException {
        return peek(path, channel -> isOurs(path, channel), Otherwise.YES);
    }

    /** Whether an open journal, complete or not, was not set aside. */
    static boolean isOurs(Path path, FileChannel channel) throws IOException {
        return Journal.mark(channel) == Journal.Mark.OURS && (Journal.isMarked(channel) || isName(path));
    }

    /** A question about a journal. */
    interface Look {
        boolean at(FileChannel channel) throws IOException;
    }

    /** The answer for a journal that this process has open. */
    private enum Otherwise {
        YES,
        NO
    }

    /** Whether {@code look} holds for a journal; false if this process has it open. */
    static boolean isOf(Path path, Look look) throws IOException {
        return peek(path, look, Otherwise.NO);
    }

    /** Reads a journal, unless this process has it open. */
    private static boolean peek(Path path, Look look, Otherwise otherwise) throws IOException {
        boolean[] found = {otherwise == Otherwise.YES};
        LockRegistry.whileUnclaimed(path, () -> {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                found[0] = look.at(channel);
            } catch (NoSuchFileException e) {
                found[0] = false;
            }
        });
        return found[0];
    }

    /** Whether a file name is that of a journal. */
    static boolean isName(Path path) {
        String name = path.getFileName().toString();
        try {
            return UUID.fromString(name).toString().equals(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
