package dev.shardkit.registry;

/** Which formats the nodes of a store may have. Immutable. */
public sealed interface FormatChoice {
    /** Zarr v3 and the formats that are looked for everywhere; in local stores all formats. */
    FormatChoice USUAL = new Usual();

    /** Zarr v3 and all other formats, also in remote stores. A missing node then costs requests for each format. */
    FormatChoice ANY = new Any();

    /**
     * Returns the choice of one node format, such as {@code n5}: nodes of other formats, Zarr v3 included, are not
     * seen.
     */
    static FormatChoice named(String name) {
        return new Named(name);
    }

    /** See {@link #USUAL}. */
    record Usual() implements FormatChoice {}

    /** See {@link #ANY}. */
    record Any() implements FormatChoice {}

    /**
     * See {@link #named}.
     *
     * @param name the name of a {@link dev.shardkit.spi.NodeFormat}
     */
    record Named(String name) implements FormatChoice {}
}
