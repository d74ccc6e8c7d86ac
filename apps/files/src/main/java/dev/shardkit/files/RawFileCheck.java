package dev.shardkit.files;

import dev.shardkit.files.npy.NpyHeader;
import dev.shardkit.spi.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Checks that a file may be a raw file, which contains only elements in C order: it is not an npy file. */
public final class RawFileCheck {
    private RawFileCheck() {}

    /**
     * Refuses an npy file, because its header would be read as elements.
     *
     * @throws CorruptDataException if the file is an npy file
     * @throws IOException if the file cannot be read
     */
    public static void requireRaw(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "is a folder, expected a file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (NpyHeader.startsNpy(channel)) {
                throw npyFailure(file.toString());
            }
        }
    }

    /**
     * Refuses a stream that starts like an npy file.
     *
     * @param name the name of the stream in messages
     * @throws CorruptDataException if the stream is an npy file
     */
    public static void requireRaw(String name, ByteBuffer firstBytes) {
        if (NpyHeader.startsNpy(firstBytes)) {
            throw npyFailure(name);
        }
    }

    private static CorruptDataException npyFailure(String name) {
        return new CorruptDataException(name + ": expected raw elements, found an npy file, whose header is "
                + "not elements; import it as an array of its own");
    }
}
