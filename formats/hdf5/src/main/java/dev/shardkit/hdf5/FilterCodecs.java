package dev.shardkit.hdf5;

import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The codecs of filters, in Zarr v3 and in v2 (numcodecs). */
final class FilterCodecs {
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
    /** The codec of whole frames, of the module for Blosc2. */
    private static final String BLOSC2_FRAME = "blosc2.frame";

    /** Names of filters without a codec in Zarr v2 or v3, for messages. */
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

    private static final List<String> BLOSC_COMPRESSORS = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");
    private static final List<String> BLOSC_SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    private FilterCodecs() {}

    /** Returns the codec of Zarr v3. */
    static Json v3(Filter filter, int elementBytes) {
        return switch (filter.id()) {
            case DEFLATE -> Json.extension("numcodecs.zlib", level(filter, 0, 9, 6));
            case SHUFFLE -> Json.extension("numcodecs.shuffle", shuffle(filter, elementBytes));
            case FLETCHER32 -> Json.extension("numcodecs.fletcher32", Json.object());
            case BZIP2 -> Json.extension("numcodecs.bz2", level(filter, 1, 9, 9));
            case BLOSC -> Json.extension("blosc", blosc(filter, elementBytes));
            case LZ4 -> Json.extension(Lz4Blocks.NAME, Json.object());
            case ZSTD -> Json.extension("zstd", level(filter, -100, 22, 3).with("checksum", Json.of(false)));
            case LZF -> Json.extension(LzfCodec.NAME, Json.object());
            case BITSHUFFLE -> Json.extension(BitshuffleCodec.NAME, bitshuffle(filter, elementBytes));
            case BLOSC2 -> Json.extension(BLOSC2_FRAME, Json.object());
            case NBIT -> Json.extension(Nbit.NAME, parameters(filter, Nbit.PARAMETERS, Nbit::problem));
            case SCALE_OFFSET ->
                Json.extension(ScaleOffset.NAME, parameters(filter, ScaleOffset.PARAMETERS, ScaleOffset::problem));
            default -> throw unsupported(filter);
        };
    }

    /** Returns the codec of numcodecs; empty if it has none. */
    static Optional<Json.Obj> v2(Filter filter, int elementBytes) {
        Optional<Json.Obj> codec =
                switch (filter.id()) {
                    case DEFLATE -> Optional.of(level(filter, 0, 9, 6));
                    case SHUFFLE -> Optional.of(shuffle(filter, elementBytes));
                    case FLETCHER32 -> Optional.of(Json.object());
                    case BZIP2 -> Optional.of(level(filter, 1, 9, 9));
                    case ZSTD -> Optional.of(level(filter, -100, 22, 3));
                    case BLOSC -> {
                        Json.Obj blosc = blosc(filter, elementBytes);
                        Json shuffle = blosc.members().get("shuffle");
                        int number = BLOSC_SHUFFLES.indexOf(((Json.Str) shuffle).value());
                        yield Optional.of(Json.object()
                                .with("cname", blosc.members().get("cname"))
                                .with("clevel", blosc.members().get("clevel"))
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
        return codec.map(c -> {
            Json.Obj named = Json.object().with("id", Json.of(id));
            for (Map.Entry<String, Json> member : c.members().entrySet()) {
                named = named.with(member.getKey(), member.getValue());
            }
            return named;
        });
    }

    /**
     * Returns whether a byte shuffle may get bytes that are no multiple of its elements: those of a checksum or a
     * compressor before it. HDF5 leaves the rest in place, while numcodecs refuses such bytes.
     */
    static boolean shufflesRests(Dataset dataset) {
        long size = dataset.chunkBytes();
        boolean isKnown = true;
        for (Filter filter : dataset.filters()) {
            if (filter.id() == SHUFFLE) {
                long element = Math.max(1, filter.value(0, dataset.type().bytes()));
                if (element > 1 && (!isKnown || size % element != 0)) {
                    return true;
                }
            } else if (filter.id() == FLETCHER32) {
                size += Integer.BYTES;
            } else {
                isKnown = false;
            }
        }
        return false;
    }

    private static Json.Obj level(Filter filter, long least, long most, long usual) {
        // Parameters are unsigned; those of zstd may mean a negative level.
        long level = (int) filter.value(0, usual);
        return Json.object().with("level", Json.of(level < least || level > most ? usual : level));
    }

    private static Json.Obj shuffle(Filter filter, int elementBytes) {
        return Json.object().with("elementsize", Json.of(Math.max(1, filter.value(0, elementBytes))));
    }

    private static Json.Obj blosc(Filter filter, int elementBytes) {
        int typesize = (int) Math.min(255, Math.max(1, filter.value(2, elementBytes)));
        int level = (int) Math.min(9, filter.value(4, 5));
        int shuffle = (int) Math.min(2, filter.value(5, 1));
        int compressor = (int) Math.min(BLOSC_COMPRESSORS.size() - 1, filter.value(6, 0));
        return Json.object()
                .with("typesize", Json.of(typesize))
                .with("cname", Json.of(BLOSC_COMPRESSORS.get(compressor)))
                .with("clevel", Json.of(level))
                .with("shuffle", Json.of(BLOSC_SHUFFLES.get(shuffle)))
                .with("blocksize", Json.of(0));
    }

    private static Json.Obj bitshuffle(Filter filter, int elementBytes) {
        long size = Math.max(1, filter.value(2, elementBytes));
        BitshuffleCodec.Compressor compressor =
                switch ((int) filter.value(4, 0)) {
                    case 0 -> BitshuffleCodec.Compressor.NONE;
                    case 2 -> BitshuffleCodec.Compressor.LZ4;
                    case 3 -> BitshuffleCodec.Compressor.ZSTD;
                    default -> throw Hdf5.unsupported("the compressor " + filter.value(4, 0) + " of bitshuffle");
                };
        long most = BitshuffleCodec.MAX_BLOCK_BYTES / size;
        long stated = filter.value(3, 0);
        long block = stated == 0 && most > 0 ? BitshuffleCodec.usualBlock((int) size) : stated;
        if (block < BitshuffleCodec.GROUP || block % BitshuffleCodec.GROUP != 0 || block > most) {
            throw Hdf5.corrupt("bitshuffle: expected blocks of a multiple of " + BitshuffleCodec.GROUP
                    + " elements and at most " + BitshuffleCodec.MAX_BLOCK_BYTES + " bytes, found " + block
                    + " elements of " + size + " bytes");
        }
        return new BitshuffleCodec((int) size, (int) block, compressor).configuration();
    }

    /** Returns the configuration of a codec that has the parameters of the filter, unless there is a problem. */
    private static Json.Obj parameters(Filter filter, String member, Function<long[], String> problem) {
        long[] parameters = filter.values().stream().mapToLong(Long::longValue).toArray();
        String found = problem.apply(parameters);
        if (!found.isEmpty()) {
            throw Hdf5.unsupported(found);
        }
        return Json.object().with(member, Json.of(parameters));
    }

    private static RuntimeException unsupported(Filter filter) {
        return Hdf5.unsupported("the filter " + described(filter));
    }

    /** Returns the number and the name of a filter, for messages. */
    static String described(Filter filter) {
        String name = NAMES.getOrDefault(filter.id(), filter.name());
        return filter.id() + (name.isEmpty() ? "" : " (" + Hdf5.shown(name) + ")");
    }
}
