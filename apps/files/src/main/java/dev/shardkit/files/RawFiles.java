package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Raw files: elements in C order, and nothing else. */
public final class RawFiles {
    private RawFiles() {}

    /**
     * Refuses an npy file: its header would be taken for elements.
     *
     * @throws CorruptDataException if the file is an npy file
     * @throws IOException if the file cannot be read
     */
    public static void check(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "is a folder, expected a file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (NpyHeader.isIn(channel)) {
                throw npy(file.toString());
            }
        }
    }

    /**
     * Refuses a stream that begins as an npy file.
     *
     * @param name what messages call the stream
     * @throws CorruptDataException if it is an npy file
     */
    public static void check(String name, ByteBuffer begin) {
        if (NpyHeader.isIn(begin)) {
            throw npy(name);
        }
    }

    private static CorruptDataException npy(String name) {
        return new CorruptDataException(name + ": expected raw elements, found an npy file, whose header is "
                + "not elements; import it as an array of its own");
    }
}
