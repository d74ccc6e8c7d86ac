package dev.shardkit.maintenance;

/**
 * One part of a job that several processes share. Each part is a range of consecutive shards in C order. The sizes of
 * the parts differ by at most one shard. Immutable.
 *
 * @param number the number of the part, from 1
 * @param count the number of parts
 */
public record Part(int number, int count) {
    /** Throws IllegalArgumentException unless 1 &lt;= number &lt;= count. */
    public Part {
        if (number < 1 || number > count) {
            throw new IllegalArgumentException(
                    "expected a part from 1 to the number of parts, such as 3/8, found " + number + "/" + count);
        }
    }

    /**
     * Parses a text such as {@code 3/8}.
     *
     * @throws IllegalArgumentException if it has another form
     */
    public static Part parse(String text) {
        if (!text.matches("[0-9]{1,9}/[0-9]{1,9}")) {
            throw new IllegalArgumentException("expected a part such as 3/8, found '" + text + "'");
        }
        int slash = text.indexOf('/');
        return new Part(Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    /** Returns the index, from 0, of the part's first shard if there are {@code shards} shards. */
    public long first(long shards) {
        return shards / count * (number - 1L) + Math.min(number - 1L, shards % count);
    }

    /** Returns the index after the part's last shard if there are {@code shards} shards. */
    public long end(long shards) {
        return shards / count * number + Math.min(number, shards % count);
    }

    /** Returns a text such as {@code 3/8}, which {@link #parse} accepts. */
    @Override
    public String toString() {
        return number + "/" + count;
    }
}
