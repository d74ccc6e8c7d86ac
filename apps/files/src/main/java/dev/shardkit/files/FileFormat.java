package dev.shardkit.files;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The file formats that arrays are exported to. */
public enum FileFormat {
    /** NumPy's format for one array ({@code numpy.load}): any rank; numbers, booleans, times, text of fixed length. */
    NPY("npy"),
    /** A ZIP archive of npy files, one for each array of a group. */
    NPZ("npz"),
    /** Comma-separated values (RFC 4180): one or two dimensions; numbers, booleans, times, text. */
    CSV("csv"),
    /** A PNG image: a plane of uint8 or uint16; with a last dimension of 2 to 4: gray and alpha, RGB, RGBA. */
    PNG("png"),
    /**
     * TIFF 6.0, or BigTIFF if the file exceeds 4 GiB: the last two dimensions are an image, those before are pages.
     * Integers, float16 to float64 and complex numbers, uncompressed, in strips or tiles. A last dimension of 3 or 4 of
     * uint8 or uint16 is RGB or RGBA.
     */
    TIFF("tif", "tiff");

    private final String[] extensions;

    FileFormat(String... extensions) {
        this.extensions = extensions;
    }

    /** Returns the format for a file name by its extension, such as {@code .npy}; empty for other names. */
    public static Optional<FileFormat> forFileName(String file) {
        String lower = file.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(format ->
                        Arrays.stream(format.extensions).anyMatch(extension -> lower.endsWith("." + extension)))
                .findFirst();
    }
}
