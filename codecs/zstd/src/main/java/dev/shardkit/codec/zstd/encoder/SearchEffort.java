package dev.shardkit.codec.zstd.encoder;

/**
 * The search effort of a zstd level: the kind of search, and its distance. The lower a level below 0, the more
 * positions it skips. Levels 1 and 2 check one candidate for a match, 3 and 4 check two. Levels from 5 on check 4 to
 * 512 candidates and prefer a better match that begins later. Level 0 is level 3, as in zstd. Levels from 12 on are the
 * same.
 *
 * @param search the level, limited to the range in which finders differ
 * @param windowLog the logarithm of the maximum offset
 */
record SearchEffort(int search, int windowLog) {
    /** The level that level 0 means. */
    private static final int USUAL = 3;
    /** Lower levels are the same as this one. */
    private static final int MIN = -64;
    /** Higher levels are the same as this one. */
    private static final int MAX = 12;

    /** Returns the effort of {@code level}. */
    static SearchEffort of(int level) {
        int search = level == 0 ? USUAL : Math.max(MIN, Math.min(level, MAX));
        return new SearchEffort(search, search < USUAL ? 19 : search < 5 ? 21 : search < 9 ? 22 : 23);
    }

    /** Creates a finder. */
    MatchFinder finder() {
        if (search < 1) {
            return new FastFinder(13, 6, 1 - search);
        }
        return switch (search) {
            case 1 -> new FastFinder(15, 6, 1);
            case 2 -> new FastFinder(17, 5, 1);
            case 3 -> new DoubleFinder(16, 5);
            case 4 -> new DoubleFinder(18, 5);
            default -> new ChainFinder(19, search < 7 ? 5 : 4, 1 << search - 3, search < 8 ? 1 : 2);
        };
    }
}
