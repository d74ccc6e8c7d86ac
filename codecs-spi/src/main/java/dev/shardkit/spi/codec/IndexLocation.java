package dev.shardkit.spi.codec;

/** The location of a shard's index: {@code index_location} of the {@code sharding_indexed} specification. */
public enum IndexLocation {
    /** Before the inner chunks. */
    START("start"),
    /** After the inner chunks; the default. */
    END("end");

    private final String word;

    IndexLocation(String word) {
        this.word = word;
    }

    /** Returns the value in the metadata. */
    public String word() {
        return word;
    }
}
