package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.bzip2.Bz2Codec;
import dev.shardkit.codec.lzma.LzmaCodec;
import dev.shardkit.codec.lzma.LzmaFilters;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.bytes.Lookup3;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The factories of the codecs of numcodecs that this class's module has, each with the name that zarr-python stores.
 * {@link java.util.ServiceLoader} finds them. Each is stateless and thread-safe.
 */
public final class NumcodecsFactories {
    private NumcodecsFactories() {}

    /** A factory with the priority of shardkit's own extensions. */
    abstract static class Factory implements CodecFactory {
        private final String name;

        Factory(String name) {
            this.name = name;
        }

        @Override
        public final String name() {
            return name;
        }

        @Override
        public final int priority() {
            return Extension.BUILT_IN;
        }
    }

    /** A factory of a checksum whose location the configuration may state. */
    private abstract static class OfChecksum extends Factory {
        private final ChecksumCodec.Checksum checksum;
        private final ChecksumCodec.Location defaultLocation;

        OfChecksum(String name, ChecksumCodec.Checksum checksum, ChecksumCodec.Location defaultLocation) {
            super(name);
            this.checksum = checksum;
            this.defaultLocation = defaultLocation;
        }

        @Override
        public final Codec create(Config config) {
            ChecksumCodec.Location location = config.oneOf("location", "start", "end")
                    .map(text -> text.equals("start") ? ChecksumCodec.Location.START : ChecksumCodec.Location.END)
                    .orElse(defaultLocation);
            String text = location == ChecksumCodec.Location.START ? "start" : "end";
            return new ChecksumCodec(name(), Json.object().with("location", Json.of(text)), checksum, location);
        }
    }

    /** Creates {@code numcodecs.adler32}. */
    public static final class Adler32 extends OfChecksum {
        /** Called by the service loader. */
        public Adler32() {
            super("numcodecs.adler32", ChecksumFunctions::adler32, ChecksumCodec.Location.START);
        }
    }

    /** Creates {@code numcodecs.crc32}. */
    public static final class Crc32 extends OfChecksum {
        /** Called by the service loader. */
        public Crc32() {
            super("numcodecs.crc32", ChecksumFunctions::crc32, ChecksumCodec.Location.START);
        }
    }

    /** Creates {@code numcodecs.crc32c}; without a location, the checksum is at the end, as since numcodecs 0.13. */
    public static final class Crc32c extends OfChecksum {
        /** Called by the service loader. */
        public Crc32c() {
            super("numcodecs.crc32c", ChecksumFunctions::crc32c, ChecksumCodec.Location.END);
        }
    }

    /** Creates {@code numcodecs.fletcher32}. */
    public static final class Fletcher32 extends Factory {
        /** Called by the service loader. */
        public Fletcher32() {
            super("numcodecs.fletcher32");
        }

        @Override
        public Codec create(Config config) {
            return new ChecksumCodec(name(), Json.object(), ChecksumFunctions::fletcher32, ChecksumCodec.Location.END);
        }
    }

    /** Creates {@code numcodecs.jenkins_lookup3}; a prefix is not supported. */
    public static final class JenkinsLookup3 extends Factory {
        /** Called by the service loader. */
        public JenkinsLookup3() {
            super("numcodecs.jenkins_lookup3");
        }

        @Override
        public Codec create(Config config) {
            int seed = (int) config.integer("initval", 0, 0xffffffffL).orElse(0);
            config.json("prefix").filter(p -> !(p instanceof Json.Null)).ifPresent(p -> {
                throw Config.expected(config.at("prefix"), "null", p);
            });
            return new ChecksumCodec(
                    name(),
                    Json.object().with("initval", Json.of(seed & 0xffffffffL)).with("prefix", new Json.Null()),
                    (in, from, to) -> Lookup3.of(in, from, to, seed),
                    ChecksumCodec.Location.END);
        }
    }

    /**
     * Creates {@code numcodecs.json2}. The settings, arguments of Python's JSON encoder, only affect how Python writes.
     * They are kept for the metadata; JSON of any form is read.
     */
    public static final class Json2 extends Factory {
        private static final List<String> SETTINGS = List.of(
                "strict",
                "skipkeys",
                "ensure_ascii",
                "check_circular",
                "allow_nan",
                "sort_keys",
                "indent",
                "separators");

        /** Called by the service loader. */
        public Json2() {
            super(JsonCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            Json.Obj configuration = Json.object();
            Optional<String> encoding = config.oneOf("encoding", "utf-8", "utf8", "UTF-8", "ascii");
            if (encoding.isPresent()) {
                configuration = configuration.with("encoding", Json.of(encoding.get()));
            }
            for (String setting : SETTINGS) {
                Optional<Json> value = config.json(setting);
                if (value.isPresent()) {
                    configuration = configuration.with(setting, value.get());
                }
            }
            return new JsonCodec(configuration);
        }
    }

    /** Creates {@code numcodecs.bz2}. */
    public static final class Bz2 extends Factory {
        /** Called by the service loader. */
        public Bz2() {
            super(Bz2Codec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new Bz2Codec((int) config.integer("level", 1, 9).orElse(1));
        }
    }

    /** Creates {@code numcodecs.lz4}. */
    public static final class Lz4 extends Factory {
        /** Called by the service loader. */
        public Lz4() {
            super(Lz4Codec.NAME);
        }

        @Override
        public Codec create(Config config) {
            long acceleration = config.integer("acceleration", Integer.MIN_VALUE, Integer.MAX_VALUE)
                    .orElse(1);
            return new Lz4Codec((int) Math.max(1, acceleration));
        }
    }

    /** Creates {@code numcodecs.imagecodecs_lzw}, the LZW of TIFF. */
    public static final class TiffLzw extends Factory {
        /** Called by the service loader. */
        public TiffLzw() {
            super(TiffLzwCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new TiffLzwCodec();
        }
    }

    /** Creates {@code numcodecs.imagecodecs_delta}, the horizontal predictor of TIFF. */
    public static final class RowDelta extends Factory {
        /** Called by the service loader. */
        public RowDelta() {
            super(RowDeltaCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            config.integer("dist", 1, 1); // refuses other distances
            int axis = (int) config.integer("axis", -8, -1).orElse(-1);
            return new RowDeltaCodec(
                    NumberFactories.required(config, "dtype"),
                    axis,
                    config.json("shape").orElseGet(Json.Null::new));
        }
    }

    /** Creates {@code numcodecs.lzma}. */
    public static final class Lzma extends Factory {
        /** Called by the service loader. */
        public Lzma() {
            super(LzmaCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            // the numbers of Python's lzma module: FORMAT_XZ is 1, FORMAT_ALONE 2, FORMAT_RAW 3; -1 is the format's
            // default check
            long format = config.integer("format", 1, 3).orElse(1);
            long check = config.integer("check", -1, 10).orElse(-1);
            LzmaCodec.Format container = LzmaCodec.Format.values()[(int) format - 1];
            for (LzmaCodec.Check c : LzmaCodec.Check.values()) {
                if (c.number == check) {
                    return new LzmaCodec(container, c, LzmaFilters.of(config));
                }
            }
            throw Config.expected(config.at("check"), "one of -1, 0, 1, 4 and 10", Json.of(check));
        }
    }

    /** Creates {@code numcodecs.packbits}. */
    public static final class Packbits extends Factory {
        /** Called by the service loader. */
        public Packbits() {
            super(NumcodecsPackbitsCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new NumcodecsPackbitsCodec();
        }
    }
}
