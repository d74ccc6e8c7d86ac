package dev.shardkit.registry;

/** Which formats the nodes of a store may have. Immutable. */
public sealed interface FormatChoice {
    /** Zarr v3 and the formats that shardkit tries in all stores, such as Zarr v2; in local stores all formats. */
    FormatChoice USUAL = new Usual();

    /** Zarr v3 and all other formats, also in remote stores. A missing node then costs requests for each format. */
    FormatChoice ANY = new Any();

    /** Zarr v3 and the formats that shardkit tries in all stores, such as Zarr v2; no others, even in local stores. */
    FormatChoice ZARR = new Zarr(Versions.ALL);

    /** Zarr v3 only. */
    FormatChoice ZARR_V3 = new Zarr(Versions.V3);

    /** Versions of Zarr. */
    enum Versions {
        /** All versions that a plug-in reads. */
        ALL,
        /** Version 3. */
        V3
    }

    /**
     * Returns the choice of one node format, such as {@code n5}. Nodes of other formats, including Zarr v3, are not
     * found.
     */
    static FormatChoice named(String name) {
        return new Named(name);
    }

    /** See {@link #USUAL}. */
    record Usual() implements FormatChoice {}

    /** See {@link #ANY}. */
    record Any() implements FormatChoice {}

    /**
     * See {@link #ZARR} and {@link #ZARR_V3}.
     *
     * @param versions the versions of Zarr
     */
    record Zarr(Versions versions) implements FormatChoice {}

    /**
     * See {@link #named}.
     *
     * @param name the name of a {@link dev.shardkit.spi.NodeFormat}
     */
    record Named(String name) implements FormatChoice {}
}
