package dev.shardkit.cli.option;

import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.ImportSource;
import dev.shardkit.files.PageDimension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of {@code --dimensions}, such as {@code t=3,c=2,z=5}: how the pages of imported images, in their order,
 * form the dimensions of an array. The last dimension changes from page to page.
 */
public record PageDimensions(List<PageDimension> values) {
    /** A name and a length of at most 18 digits, which fits into a long. */
    private static final Pattern DIMENSION = Pattern.compile("\\s*([^=,\\s]+)=0*([1-9][0-9]{0,17})\\s*");

    public static PageDimensions parse(String text) {
        return new PageDimensions(Stream.of(text.split(",", -1))
                .map(PageDimensions::parseDimension)
                .toList());
    }

    private static PageDimension parseDimension(String text) {
        Matcher found = DIMENSION.matcher(text);
        if (!found.matches()) {
            throw new TypeConversionException(
                    "expected names with lengths of at least 1, such as t=3,z=5, found '" + text + "'");
        }
        return new PageDimension(found.group(1), Long.parseLong(found.group(2)));
    }

    /** Opens images with these dimensions. */
    public ImportSource openImages(List<Path> images) throws IOException {
        try {
            return ImportSource.images(images, values);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--dimensions: " + e.getMessage());
        }
    }
}
