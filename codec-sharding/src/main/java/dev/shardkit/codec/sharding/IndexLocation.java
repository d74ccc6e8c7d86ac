package dev.shardkit.codec.sharding;

/** Where the index of a shard lies: {@code index_location} of the {@code sharding_indexed} specification. */
public enum IndexLocation {
    /** Before the inner chunks. */
    START("start"),
    /** Behind the inner chunks; the default. */
    END("end");

    private final String word;

    IndexLocation(String word) {
        this.word = word;
    }

    /** The word in the metadata. */
    public String word() {
        return word;
    }
}
