package dev.shardkit.codec.vlen;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The factories of the vlen codecs, for {@code ServiceLoader}. Stateless and thread-safe. */
public final class VlenCodecFactories {
    private VlenCodecFactories() {}

    /** The factory of {@code vlen-utf8}, for strings. */
    public static final class Utf8 implements CodecFactory {
        /** Creates the factory; called by the service loader. */
        public Utf8() {}

        @Override
        public String name() {
            return "vlen-utf8";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new VlenCodec(name(), Carrier.STRING);
        }
    }

    /** The factory of {@code vlen-bytes}, for byte strings. */
    public static final class Bytes implements CodecFactory {
        /** Creates the factory; called by the service loader. */
        public Bytes() {}

        @Override
        public String name() {
            return "vlen-bytes";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new VlenCodec(name(), Carrier.BYTES);
        }
    }

    /**
     * The factory of {@code numcodecs.vlen-array}, for arrays of numbers that vary in length. Its data type is
     * {@code bytes}: each element holds its numbers, little-endian.
     */
    public static final class Arrays implements CodecFactory {
        private static final String DTYPE = "dtype";
        private static final Pattern NUMBERS = Pattern.compile("[<|]?[biufc](1|2|4|8|16)");

        /** Creates the factory; called by the service loader. */
        public Arrays() {}

        @Override
        public String name() {
            return "numcodecs.vlen-array";
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            Json type = config.json(DTYPE).orElseGet(Json.Null::new);
            Matcher matcher = NUMBERS.matcher(type instanceof Json.Str s ? s.value() : "");
            if (!matcher.matches()) {
                throw Config.expected(config.at(DTYPE), "a little-endian NumPy type of numbers such as \"<i4\"", type);
            }
            return new VlenCodec(
                    name(),
                    Carrier.BYTES,
                    Integer.parseInt(matcher.group(1)),
                    Json.object().with(DTYPE, type));
        }
    }
}
