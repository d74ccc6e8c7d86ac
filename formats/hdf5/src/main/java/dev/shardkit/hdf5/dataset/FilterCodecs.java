package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.codec.BitshuffleCodec;
import dev.shardkit.hdf5.codec.Lz4Blocks;
import dev.shardkit.hdf5.codec.LzfCodec;
import dev.shardkit.hdf5.codec.MaskedCodec;
import dev.shardkit.hdf5.codec.Nbit;
import dev.shardkit.hdf5.codec.ScaleOffset;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.Filter;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Translates the filters of a dataset to codecs of Zarr v3 and of Zarr v2 (numcodecs). */
public final class FilterCodecs {
    // The numbers of filters, as The HDF Group registers them.
    static final int DEFLATE = 1;
    static final int SHUFFLE = 2;
    static final int FLETCHER32 = 3;
    static final int NBIT = 5;
    static final int SCALE_OFFSET = 6;
    static final int BZIP2 = 307;
    static final int LZF = 32000;
    static final int BLOSC = 32001;
    static final int LZ4 = 32004;
    static final int BITSHUFFLE = 32008;
    static final int ZSTD = 32015;
    static final int BLOSC2 = 32026;
    /** The name of a codec of the module {@code blosc2}, which decodes a whole frame of Blosc2. */
    private static final String BLOSC2_FRAME = "blosc2.frame";

    /** The names of filters that have no codec in Zarr v2 or no codec in Zarr v3, for messages. */
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(4, "szip"),
            Map.entry(NBIT, "nbit"),
            Map.entry(SCALE_OFFSET, "scaleoffset"),
            Map.entry(305, "lzo"),
            Map.entry(LZF, "lzf"),
            Map.entry(LZ4, "lz4"),
            Map.entry(BITSHUFFLE, "bitshuffle"),
            Map.entry(32013, "zfp"),
            Map.entry(32017, "sz"),
            Map.entry(BLOSC2, "blosc2"));

    // The compressors and shuffles of Blosc, by their numbers in the filter's parameters.
    private static final List<String> BLOSC_COMPRESSORS = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");
    private static final List<String> BLOSC_SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    private FilterCodecs() {}

    /** Returns the codec of Zarr v3. Throws if there is none. */
    public static Json toV3(Filter filter, int elementBytes) {
        return switch (filter.id()) {
            case DEFLATE -> Json.extension("numcodecs.zlib", levelConfiguration(filter, 0, 9, 6));
            case SHUFFLE -> Json.extension("numcodecs.shuffle", shuffleConfiguration(filter, elementBytes));
            case FLETCHER32 -> Json.extension("numcodecs.fletcher32", Json.object());
            case BZIP2 -> Json.extension("numcodecs.bz2", levelConfiguration(filter, 1, 9, 9));
            case BLOSC -> Json.extension("blosc", bloscConfiguration(filter, elementBytes));
            case LZ4 -> Json.extension(Lz4Blocks.NAME, Json.object());
            case ZSTD ->
                Json.extension("zstd", levelConfiguration(filter, -100, 22, 3).with("checksum", Json.of(false)));
            case LZF -> Json.extension(LzfCodec.NAME, Json.object());
            case BITSHUFFLE -> Json.extension(BitshuffleCodec.NAME, bitshuffleConfiguration(filter, elementBytes));
            case BLOSC2 -> Json.extension(BLOSC2_FRAME, Json.object());
            case NBIT -> Json.extension(Nbit.NAME, parameterConfiguration(filter, Nbit.PARAMETERS, Nbit::problem));
            case SCALE_OFFSET ->
                Json.extension(
                        ScaleOffset.NAME, parameterConfiguration(filter, ScaleOffset.PARAMETERS, ScaleOffset::problem));
            default -> throw unsupported(filter);
        };
    }

    /** Returns the codec for a dataset in which HDF5 skipped some of these filters for some chunks. */
    public static MaskedCodec masked(List<Filter> filters, int elementBytes) {
        Registry registry = Registry.load();
        return new MaskedCodec(filters.stream()
                .map(filter -> (BytesToBytesCodec) registry.codec(toV3(filter, elementBytes), ""))
                .toList());
    }

    /** Returns the codec of numcodecs for a filter; empty if there is none. */
    public static Optional<Json.Obj> toV2(Filter filter, int elementBytes) {
        Optional<Json.Obj> codec =
                switch (filter.id()) {
                    case DEFLATE -> Optional.of(levelConfiguration(filter, 0, 9, 6));
                    case SHUFFLE -> Optional.of(shuffleConfiguration(filter, elementBytes));
                    case FLETCHER32 -> Optional.of(Json.object());
                    case BZIP2 -> Optional.of(levelConfiguration(filter, 1, 9, 9));
                    case ZSTD -> Optional.of(levelConfiguration(filter, -100, 22, 3));
                    case BLOSC -> {
                        Json.Obj bloscMembers = bloscConfiguration(filter, elementBytes);
                        Json shuffle = bloscMembers.members().get("shuffle");
                        int number = BLOSC_SHUFFLES.indexOf(((Json.Str) shuffle).value());
                        yield Optional.of(Json.object()
                                .with("cname", bloscMembers.members().get("cname"))
                                .with("clevel", bloscMembers.members().get("clevel"))
                                .with("shuffle", Json.of(number))
                                .with("blocksize", Json.of(0)));
                    }
                    default -> Optional.empty();
                };
        String id =
                switch (filter.id()) {
                    case DEFLATE -> "zlib";
                    case SHUFFLE -> "shuffle";
                    case FLETCHER32 -> "fletcher32";
                    case BZIP2 -> "bz2";
                    case ZSTD -> "zstd";
                    default -> "blosc";
                };
        return codec.map(configuration -> {
            Json.Obj withId = Json.object().with("id", Json.of(id));
            for (Map.Entry<String, Json> member : configuration.members().entrySet()) {
                withId = withId.with(member.getKey(), member.getValue());
            }
            return withId;
        });
    }

    /**
     * Returns whether the filter shuffle may receive a number of bytes that is not a multiple of the element size,
     * because a filter before it adds a checksum or compresses. HDF5 leaves the surplus bytes at the end unshuffled,
     * but numcodecs refuses such input.
     */
    public static boolean shufflesPartialElements(Hdf5Dataset dataset) {
        long chunkSize = dataset.chunkBytes();
        boolean isSizeKnown = true;
        for (Filter filter : dataset.filters()) {
            if (filter.id() == SHUFFLE) {
                long element = Math.max(1, filter.parameter(0, dataset.type().bytes()));
                if (element > 1 && (!isSizeKnown || chunkSize % element != 0)) {
                    return true;
                }
            } else if (filter.id() == FLETCHER32) {
                chunkSize += Integer.BYTES;
            } else {
                isSizeKnown = false;
            }
        }
        return false;
    }

    /**
     * Returns a configuration with the level of compression. Decoding does not need the level, so a level that the
     * codec does not support becomes the default.
     */
    private static Json.Obj levelConfiguration(Filter filter, long minLevel, long maxLevel, long defaultLevel) {
        // Parameters are unsigned, but a level of zstd may be negative, so the cast restores the sign.
        long level = (int) filter.parameter(0, defaultLevel);
        return Json.object().with("level", Json.of(level < minLevel || level > maxLevel ? defaultLevel : level));
    }

    private static Json.Obj shuffleConfiguration(Filter filter, int elementBytes) {
        return Json.object().with("elementsize", Json.of(Math.max(1, filter.parameter(0, elementBytes))));
    }

    /**
     * Translates the parameters of Blosc: parameter 2 is the size of an element, 4 the level, 5 the shuffle and 6 the
     * compressor. The other parameters do not matter for decoding.
     */
    private static Json.Obj bloscConfiguration(Filter filter, int elementBytes) {
        int typesize = (int) Math.min(255, Math.max(1, filter.parameter(2, elementBytes)));
        int level = (int) Math.min(9, filter.parameter(4, 5));
        int shuffle = (int) Math.min(2, filter.parameter(5, 1));
        int compressor = (int) Math.min(BLOSC_COMPRESSORS.size() - 1, filter.parameter(6, 0));
        return Json.object()
                .with("typesize", Json.of(typesize))
                .with("cname", Json.of(BLOSC_COMPRESSORS.get(compressor)))
                .with("clevel", Json.of(level))
                .with("shuffle", Json.of(BLOSC_SHUFFLES.get(shuffle)))
                .with("blocksize", Json.of(0));
    }

    /**
     * Translates the parameters of bitshuffle: parameter 2 is the size of an element, 3 the number of elements of a
     * block (0 for the default) and 4 the compressor.
     */
    private static Json.Obj bitshuffleConfiguration(Filter filter, int elementBytes) {
        long elementSize = Math.max(1, filter.parameter(2, elementBytes));
        BitshuffleCodec.Compressor compressor =
                switch ((int) filter.parameter(4, 0)) {
                    case 0 -> BitshuffleCodec.Compressor.NONE;
                    case 2 -> BitshuffleCodec.Compressor.LZ4;
                    case 3 -> BitshuffleCodec.Compressor.ZSTD;
                    default ->
                        throw Hdf5Errors.unsupported("the compressor " + filter.parameter(4, 0) + " of bitshuffle");
                };
        long maxBlock = BitshuffleCodec.MAX_BLOCK_BYTES / elementSize;
        long givenBlock = filter.parameter(3, 0);
        long block = givenBlock == 0 && maxBlock > 0 ? BitshuffleCodec.defaultBlockSize((int) elementSize) : givenBlock;
        if (block < BitshuffleCodec.GROUP_SIZE || block % BitshuffleCodec.GROUP_SIZE != 0 || block > maxBlock) {
            throw Hdf5Errors.corrupt("bitshuffle: expected blocks of a multiple of " + BitshuffleCodec.GROUP_SIZE
                    + " elements and at most " + BitshuffleCodec.MAX_BLOCK_BYTES + " bytes, found " + block
                    + " elements of " + elementSize + " bytes");
        }
        return new BitshuffleCodec((int) elementSize, (int) block, compressor).configuration();
    }

    /**
     * Returns a configuration with the parameters of the filter. Throws if the parameters are not supported.
     *
     * @param problem returns a description of the problem with parameters; empty if there is none
     */
    private static Json.Obj parameterConfiguration(Filter filter, String member, Function<long[], String> problem) {
        long[] parameters =
                filter.parameters().stream().mapToLong(Long::longValue).toArray();
        String message = problem.apply(parameters);
        if (!message.isEmpty()) {
            throw Hdf5Errors.unsupported(message);
        }
        return Json.object().with(member, Json.of(parameters));
    }

    private static RuntimeException unsupported(Filter filter) {
        return Hdf5Errors.unsupported("the filter " + describe(filter));
    }

    /** Describes a filter by number and name, for messages. */
    public static String describe(Filter filter) {
        String name = NAMES.getOrDefault(filter.id(), filter.name());
        return filter.id() + (name.isEmpty() ? "" : " (" + Hdf5Errors.forMessage(name) + ")");
    }
}
