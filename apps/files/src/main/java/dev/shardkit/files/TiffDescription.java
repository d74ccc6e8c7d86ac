package dev.shardkit.files;

import dev.shardkit.spi.error.UnsupportedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The dimensions that the pages of a TIFF file form, according to the description in its first page. */
sealed interface TiffDescription {
    /** The file does not describe its pages. */
    record None() implements TiffDescription {}

    /**
     * The file describes its pages.
     *
     * @param order the order of the pages, in the order of the array
     */
    record Pages(PageOrder order) implements TiffDescription {}

    /**
     * The file has a description that does not apply to its pages.
     *
     * @param reason the reason, as a part of a message
     */
    record Unusable(String reason) implements TiffDescription {}

    /**
     * Reads the description of an ImageJ or OME-TIFF file.
     *
     * @param file the file
     * @param text the description of the first page; empty if there is none
     * @param pages the number of pages in the file
     * @param samples the number of samples of a pixel
     * @throws UnsupportedException if the file has images of ImageJ that are not pages
     */
    static TiffDescription parse(Path file, String text, int pages, int samples) {
        if (text.startsWith("ImageJ=")) {
            return parseImageJ(file, text, pages);
        }
        return OmeXml.isOmeXml(text) ? OmeXml.read(file, text, pages, samples) : new None();
    }

    private static TiffDescription parseImageJ(Path file, String text, int pages) {
        List<PageDimension> dimensions = new ArrayList<>();
        long images;
        try {
            images = parseCount(text, "images").orElse((long) pages);
            // Each dimension with ImageJ's name of its length, in ImageJ's order of pages, the slowest first.
            for (String[] nameAndCount : new String[][] {{"t", "frames"}, {"z", "slices"}, {"c", "channels"}}) {
                Optional<Long> length = parseCount(text, nameAndCount[1]);
                if (length.isPresent()) {
                    dimensions.add(new PageDimension(nameAndCount[0], length.get()));
                }
            }
        } catch (IllegalArgumentException e) {
            return new Unusable("ImageJ's description has a count that is not a number of at least 1");
        }
        if (pages == 1 && images > 1) { // above 4 GiB, ImageJ stores all images after one page's directory
            throw new UnsupportedException(file + ": ImageJ's description says " + images + " images, but the file has "
                    + "1 page: large files of ImageJ cannot be imported; save the file as OME-TIFF first");
        } else if (dimensions.isEmpty()) {
            return new None();
        }
        Optional<PageOrder> order = PageOrder.create(dimensions, pages);
        return order.isPresent()
                ? new Pages(order.get().inArrayOrder())
                : new Unusable("ImageJ's description says " + PageOrder.toText(dimensions) + ", but the file has "
                        + pages + " pages");
    }

    /** Returns the number in the line {@code name=number}; empty if there is no such line. */
    private static Optional<Long> parseCount(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + "="))
                .findFirst()
                .map(line -> Long.parseLong(line.substring(name.length() + 1).strip()));
    }
}
