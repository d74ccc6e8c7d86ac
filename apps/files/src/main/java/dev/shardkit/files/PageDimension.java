package dev.shardkit.files;

/**
 * A dimension of an array that the pages of a file, or several image files, fill, such as time.
 *
 * @param name the name of the dimension in the array, not empty
 * @param length the length, at least 1
 */
public record PageDimension(String name, long length) {
    /**
     * Creates a dimension.
     *
     * @throws IllegalArgumentException if the name is empty or the length is less than 1
     */
    public PageDimension {
        if (name.isEmpty() || length < 1) {
            throw new IllegalArgumentException(
                    "expected a name and a length of at least 1, found '" + name + "' and " + length);
        }
    }
}
