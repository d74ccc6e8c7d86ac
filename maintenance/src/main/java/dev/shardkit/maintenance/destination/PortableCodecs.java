package dev.shardkit.maintenance.destination;

import dev.shardkit.Codecs;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces codecs that Zarr v3 does not name, of arrays in other formats, by similar codecs that it names. Conversions
 * and copies use the result for the new array; chunks must be encoded again.
 *
 * <ul>
 *   <li>zlib becomes gzip; zlib after a byte shuffle becomes blosc with both; a byte shuffle alone is removed.
 *   <li>The LZ4 of N5 and HDF5, and LZF, become blosc with lz4.
 *   <li>Other HDF5 filters become zstd; nbit and scaleoffset are removed if a compressor follows.
 *   <li>HDF5 filters that some chunks skip count as used by all chunks.
 *   <li>Chunks of neuroglancer and Blosc2 get the codecs bytes and zstd.
 *   <li>Cubes of webknossos-wrap become shards with the same blocks.
 * </ul>
 */
public final class PortableCodecs {
    private static final String ZLIB = "numcodecs.zlib";
    private static final String SHUFFLE = "numcodecs.shuffle";
    private static final String N5_LZ4 = "n5.lz4_block";
    private static final String HDF5_LZ4 = "hdf5.lz4";
    private static final String HDF5_LZF = "hdf5.lzf";
    private static final String HDF5 = "hdf5.";
    private static final String HDF5_FILTERS = "hdf5.filters";
    private static final String HDF5_NUMBER = "hdf5.number";
    /** Filters that only pack numbers; a compressor often follows them. */
    private static final Set<String> HDF5_PACKED = Set.of("hdf5.nbit", "hdf5.scaleoffset");

    private static final String NEUROGLANCER = "neuroglancer.";
    private static final String WKW = "wkw";
    private static final String BLOSC2 = "blosc2.chunk";
    private static final String BLOSC2_FRAME = "blosc2.frame";
    private static final String FLETCHER32 = "numcodecs.fletcher32";
    /** The largest element size that Blosc can shuffle, which it stores in one byte. */
    private static final int LARGEST_TYPE_SIZE = 255;

    private static final int DEFAULT_LEVEL = 6;
    /** The codecs that replace a whole chunk encoding of another format. */
    private static final List<Json> PLAIN = List.of(Codecs.bytesLittleEndian(), Codecs.zstd(3));

    private PortableCodecs() {}

    /** Returns the chain with replaced codecs. Returns an equal chain if Zarr v3 names all its codecs. */
    public static Json.Arr of(Json.Arr codecs) {
        List<Json> chain = new ArrayList<>();
        Json shuffle = null;
        List<Json> all = flattenFilters(codecs);
        for (int i = 0; i < all.size(); i++) {
            Json codec = all.get(i);
            boolean isRemoved = name(codec).equals(HDF5_NUMBER)
                    || HDF5_PACKED.contains(name(codec)) && isCompressed(all.subList(i + 1, all.size()));
            if (name(codec).equals(SHUFFLE)) {
                shuffle = codec; // removed, unless the next codec is zlib
            } else if (isRemoved) {
                continue;
            } else if (name(codec).startsWith(NEUROGLANCER) || name(codec).equals(BLOSC2)) {
                chain.addAll(PLAIN);
            } else if (name(codec).equals(WKW)) {
                chain.add(Codecs.sharding(shape(codec), PLAIN.toArray(Json[]::new)));
            } else {
                chain.add(
                        switch (name(codec)) {
                            case ZLIB -> zlib(codec, shuffle);
                            case N5_LZ4, HDF5_LZ4, HDF5_LZF -> blosc("lz4", Json.of(DEFAULT_LEVEL), 1);
                            case BLOSC2_FRAME -> Codecs.zstd(3);
                            default -> name(codec).startsWith(HDF5) ? Codecs.zstd(3) : convertInner(codec);
                        });
                shuffle = null;
            }
        }
        return new Json.Arr(chain);
    }

    /** Returns whether one of these codecs compresses. */
    private static boolean isCompressed(List<Json> codecs) {
        return codecs.stream()
                .map(PortableCodecs::name)
                .anyMatch(name -> !name.equals(SHUFFLE) && !name.equals(FLETCHER32) && !HDF5_PACKED.contains(name));
    }

    /** Replaces {@code hdf5.filters}, a codec whose filters some chunks skip, by these filters. */
    private static List<Json> flattenFilters(Json.Arr codecs) {
        List<Json> all = new ArrayList<>();
        for (Json codec : codecs.items()) {
            if (name(codec).equals(HDF5_FILTERS)
                    && configuration(codec).get("filters").orElseGet(Json.Null::new) instanceof Json.Arr filters) {
                all.addAll(filters.items());
            } else {
                all.add(codec);
            }
        }
        return all;
    }

    /** Returns whether the chain is of an HDF5 or Blosc2 file, which a store presents as a Zarr v3 array. */
    public static boolean isFromOtherFormat(List<Json> codecs) {
        return codecs.stream()
                .map(PortableCodecs::name)
                .anyMatch(name -> name.equals(BLOSC2) || name.equals(BLOSC2_FRAME) || name.startsWith(HDF5));
    }

    /** Returns the shape of the blocks of a WKW cube from its codec. */
    private static long[] shape(Json cube) {
        Json shape = configuration(cube).get("block_shape").orElseThrow();
        return ((Json.Arr) shape)
                .items().stream().mapToLong(n -> Long.parseLong(n.toString())).toArray();
    }

    private static String name(Json codec) {
        Json name = codec instanceof Json.Obj o ? o.get("name").orElseGet(Json.Null::new) : codec;
        return name instanceof Json.Str s ? s.value() : "";
    }

    private static Json.Obj configuration(Json codec) {
        return codec instanceof Json.Obj o && o.get("configuration").orElseGet(Json.Null::new) instanceof Json.Obj c
                ? c
                : Json.object();
    }

    private static long number(Json codec, String member, long otherwise) {
        return configuration(codec)
                .get(member)
                .map(n -> Long.parseLong(n.toString()))
                .orElse(otherwise);
    }

    /** Returns gzip for zlib; blosc with zlib if a shuffle comes before. */
    private static Json zlib(Json codec, @Nullable Json shuffle) {
        long stated = number(codec, "level", DEFAULT_LEVEL);
        Json level = Json.of(stated < 0 ? DEFAULT_LEVEL : stated);
        if (shuffle == null) {
            return Json.extension("gzip", Json.object().with("level", level));
        }
        long size = number(shuffle, "elementsize", 4);
        return blosc("zlib", level, size <= LARGEST_TYPE_SIZE ? size : 1);
    }

    /** Returns blosc, with a byte shuffle if elements have several bytes. */
    private static Json blosc(String compressor, Json level, long size) {
        return Json.extension(
                "blosc",
                Json.object()
                        .with("cname", Json.of(compressor))
                        .with("clevel", level)
                        .with("shuffle", Json.of(size > 1 ? "shuffle" : "noshuffle"))
                        .with("typesize", Json.of(size))
                        .with("blocksize", Json.of(0)));
    }

    /** Replaces the codecs inside another codec, such as that of a shard. */
    private static Json convertInner(Json codec) {
        Json.Obj configuration = configuration(codec);
        if (!(configuration.get("codecs").orElseGet(Json.Null::new) instanceof Json.Arr codecs)
                || of(codecs).equals(codecs)) {
            return codec;
        }
        return ((Json.Obj) codec).with("configuration", configuration.with("codecs", of(codecs)));
    }
}
