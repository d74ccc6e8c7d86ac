package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.numcodecs.NumcodecsFactories.Factory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/** The factories of the numcodecs codecs that compute with numbers. Stateless. */
public final class NumberFactories {
    private NumberFactories() {}

    /** Creates {@code numcodecs.delta}. */
    public static final class Delta extends Factory {
        /** Called by the service loader. */
        public Delta() {
            super(DeltaCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new DeltaCodec(required(config, "dtype"), stored(config));
        }
    }

    /** Creates {@code numcodecs.astype}. */
    public static final class Astype extends Factory {
        /** Called by the service loader. */
        public Astype() {
            super(AstypeCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new AstypeCodec(
                    required(config, "encode_dtype"),
                    NumpyTypeName.of(config, "decode_dtype").orElse(null));
        }
    }

    /** Creates {@code numcodecs.fixedscaleoffset}. */
    public static final class FixedScaleOffset extends Factory {
        /** Called by the service loader. */
        public FixedScaleOffset() {
            super(FixedScaleOffsetCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new FixedScaleOffsetCodec(
                    number(config, "offset"), number(config, "scale"), required(config, "dtype"), stored(config));
        }
    }

    /** Creates {@code numcodecs.quantize}. */
    public static final class Quantize extends Factory {
        /** Called by the service loader. */
        public Quantize() {
            super(QuantizeCodec.NAME);
        }

        @Override
        public Codec create(Config config) {
            return new QuantizeCodec(
                    (int) config.requiredInteger("digits", -300, 300), required(config, "dtype"), stored(config));
        }
    }

    /** Returns the type in member {@code name}, which is required. */
    static NumpyTypeName required(Config config, String name) {
        return NumpyTypeName.of(config, name)
                .orElseThrow(() -> new MetadataException(config.at(name) + ": is required, but missing"));
    }

    /** Returns the stored type. The default is the type of the array. */
    private static NumpyTypeName stored(Config config) {
        return NumpyTypeName.of(config, "astype").orElseGet(() -> required(config, "dtype"));
    }

    private static Json.Num number(Config config, String name) {
        Optional<Json> json = config.json(name);
        if (json.isPresent() && json.get() instanceof Json.Num n && Double.isFinite(Double.parseDouble(n.lexeme()))) {
            return n;
        }
        throw json.map(found -> Config.expected(config.at(name), "a finite number", found))
                .orElseGet(() -> new MetadataException(config.at(name) + ": is required, but missing"));
    }
}
