package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads small files with settings and tokens. Opens regular files only, because a pipe may block and a device may be
 * endless. Errors show nothing of a file's content.
 */
public final class SmallTextFile {
    private static final int LARGEST_TOKEN = 64 << 10;

    private SmallTextFile() {}

    /** Says why this class refuses a file. Its message is safe to show. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /**
     * Returns the bytes of a regular file.
     *
     * @param maxBytes the maximum size in bytes
     * @throws IOException if it cannot be read, is no regular file or is larger
     */
    public static byte[] read(Path file, int maxBytes) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (!Files.isRegularFile(file)) {
            throw new Refused("it is not a regular file");
        }
        if (Files.size(file) > maxBytes) {
            throw tooLarge(maxBytes);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1); // the size may be wrong: files in /proc have size 0
            if (bytes.length > maxBytes) {
                throw tooLarge(maxBytes);
            }
            return bytes;
        }
    }

    private static Refused tooLarge(int maxBytes) {
        return new Refused("it is larger than " + (maxBytes >> 10) + " KiB");
    }

    /** Returns a stream of the bytes of a regular file, see {@link #read}. */
    public static InputStream open(Path file, int maxBytes) throws IOException {
        return new ByteArrayInputStream(read(file, maxBytes));
    }

    /** Returns why a file could not be read, without its path. */
    public static String words(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "it does not exist";
        }
        return e instanceof Refused
                ? String.valueOf(e.getMessage())
                : e.getClass().getSimpleName();
    }

    /**
     * Returns the path that a setting names.
     *
     * @param setting the setting, for messages
     */
    public static Path path(String setting, String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new StoreException("expected the path of a file in " + setting + ", found another text");
        }
    }

    /**
     * Returns the token in a file: printable ASCII without spaces, at most 64 KiB. White space around it is ignored.
     *
     * @param setting the setting that names the file, for messages
     */
    public static String token(String setting, String path) {
        String description = "the token in the file " + path + " (" + setting + ")";
        try {
            String token = new String(read(path(setting, path), LARGEST_TOKEN), StandardCharsets.ISO_8859_1).strip();
            if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                throw new StoreException(description + ": expected printable ASCII characters without spaces, found "
                        + (token.isEmpty() ? "none" : "others"));
            }
            return token;
        } catch (IOException e) {
            throw new StoreException(description + " cannot be read: " + words(e));
        }
    }
}
