package dev.shardkit.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The factories of the data types of this module, for {@code ServiceLoader}: one for each name, so that a plug-in can
 * override a single type. Programs use {@link ExtensionTypes} instead. Stateless and thread-safe.
 */
public final class TypeFactories {
    private TypeFactories() {}

    /** A factory with the priority of shardkit's own extensions. */
    abstract static class Named implements DataTypeFactory {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }
    }

    /** A factory of a type that has a name and no configuration. */
    abstract static class Plain extends Named {
        private final DataType type;

        Plain(DataType type) {
            super(type.name());
            this.type = type;
        }

        @Override
        public DataType create(String name, Config config) {
            return type;
        }
    }

    /** A factory of a NumPy type with a unit. */
    abstract static class Time extends Named {
        private final NumpyTimeType.Kind kind;

        Time(NumpyTimeType.Kind kind) {
            super(kind.typeName());
            this.kind = kind;
        }

        @Override
        public DataType create(String name, Config config) {
            Json unit = config.json(NumpyTimeType.UNIT).orElseGet(Json.Null::new);
            return new NumpyTimeType(kind, NumpyTimeType.Unit.parse(unit, config.at(NumpyTimeType.UNIT)), (int)
                    config.requiredInteger(NumpyTimeType.SCALE_FACTOR, 1, Integer.MAX_VALUE));
        }
    }

    /** The factory of {@code numpy.datetime64}. */
    public static final class Datetime64 extends Time {
        /** Creates the factory; called by the service loader. */
        public Datetime64() {
            super(NumpyTimeType.Kind.DATETIME64);
        }
    }

    /** The factory of {@code numpy.timedelta64}. */
    public static final class Timedelta64 extends Time {
        /** Creates the factory; called by the service loader. */
        public Timedelta64() {
            super(NumpyTimeType.Kind.TIMEDELTA64);
        }
    }

    /** The factory of {@code fixed_length_utf32}. */
    public static final class FixedLengthUtf32 extends Named {
        /** Creates the factory; called by the service loader. */
        public FixedLengthUtf32() {
            super(Utf32Type.NAME);
        }

        @Override
        public DataType create(String name, Config config) {
            return Utf32Type.ofBytes(config.requiredInteger(Utf32Type.LENGTH_BYTES, 1, Integer.MAX_VALUE));
        }
    }

    /** The factory of {@code null_terminated_bytes}. */
    public static final class NullTerminatedBytes extends Named {
        /** Creates the factory; called by the service loader. */
        public NullTerminatedBytes() {
            super(NullTerminatedType.NAME);
        }

        @Override
        public DataType create(String name, Config config) {
            return NullTerminatedType.parse(config);
        }
    }

    /** The factory of {@code struct}, and of {@code structured}, its older form. */
    public static final class Struct extends Named {
        /** Creates the factory; called by the service loader. */
        public Struct() {
            super(StructType.NAME);
        }

        @Override
        public Set<String> aliases() {
            return Set.of(StructType.LEGACY);
        }

        @Override
        public DataType create(String name, Config config) {
            return StructType.parse(name, config);
        }
    }

    /** The factory of {@code complex_bfloat16} and other complex types of small floats. */
    public static final class SmallComplex extends Named {
        /** Creates the factory; called by the service loader. */
        public SmallComplex() {
            super("complex_*");
        }

        /** Returns the type of the real and imaginary parts, such as bfloat16 for {@code complex_bfloat16}. */
        private static Optional<DataType> part(String name) {
            return Stream.concat(Stream.of(CoreTypes.FLOAT16), ExtensionTypes.plain().stream())
                    .filter(part -> part == CoreTypes.FLOAT16 || part instanceof SmallFloatType)
                    .filter(part -> name.equals(SmallComplexType.PREFIX + part.name()))
                    .findFirst();
        }

        @Override
        public boolean claims(String name) {
            return super.claims(name) || part(name).isPresent();
        }

        @Override
        public DataType create(String name, Config config) {
            return part(name)
                    .map(SmallComplexType::new)
                    .orElseThrow(() -> new MetadataException("data type " + name
                            + ": expected complex_ and the name of a small float, such as complex_bfloat16"));
        }
    }

    /** The factory of {@code int2}. */
    public static final class Int2 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Int2() {
            super(ExtensionTypes.INT2);
        }
    }

    /** The factory of {@code int4}. */
    public static final class Int4 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Int4() {
            super(ExtensionTypes.INT4);
        }
    }

    /** The factory of {@code uint2}. */
    public static final class Uint2 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Uint2() {
            super(ExtensionTypes.UINT2);
        }
    }

    /** The factory of {@code uint4}. */
    public static final class Uint4 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Uint4() {
            super(ExtensionTypes.UINT4);
        }
    }

    /** The factory of {@code bfloat16}. */
    public static final class Bfloat16 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Bfloat16() {
            super(ExtensionTypes.BFLOAT16);
        }
    }

    /** The factory of {@code float8_e3m4}. */
    public static final class Float8E3m4 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E3m4() {
            super(ExtensionTypes.FLOAT8_E3M4);
        }
    }

    /** The factory of {@code float8_e4m3}. */
    public static final class Float8E4m3 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E4m3() {
            super(ExtensionTypes.FLOAT8_E4M3);
        }
    }

    /** The factory of {@code float8_e5m2}. */
    public static final class Float8E5m2 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E5m2() {
            super(ExtensionTypes.FLOAT8_E5M2);
        }
    }

    /** The factory of {@code float8_e4m3fnuz}. */
    public static final class Float8E4m3Fnuz extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E4m3Fnuz() {
            super(ExtensionTypes.FLOAT8_E4M3FNUZ);
        }
    }

    /** The factory of {@code float8_e4m3b11fnuz}. */
    public static final class Float8E4m3B11Fnuz extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E4m3B11Fnuz() {
            super(ExtensionTypes.FLOAT8_E4M3B11FNUZ);
        }
    }

    /** The factory of {@code float8_e5m2fnuz}. */
    public static final class Float8E5m2Fnuz extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E5m2Fnuz() {
            super(ExtensionTypes.FLOAT8_E5M2FNUZ);
        }
    }

    /** The factory of {@code float8_e8m0fnu}. */
    public static final class Float8E8m0Fnu extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float8E8m0Fnu() {
            super(ExtensionTypes.FLOAT8_E8M0FNU);
        }
    }

    /** The factory of {@code float6_e2m3fn}. */
    public static final class Float6E2m3 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float6E2m3() {
            super(ExtensionTypes.FLOAT6_E2M3FN);
        }
    }

    /** The factory of {@code float6_e3m2fn}. */
    public static final class Float6E3m2 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float6E3m2() {
            super(ExtensionTypes.FLOAT6_E3M2FN);
        }
    }

    /** The factory of {@code float4_e2m1fn}. */
    public static final class Float4E2m1 extends Plain {
        /** Creates the factory; called by the service loader. */
        public Float4E2m1() {
            super(ExtensionTypes.FLOAT4_E2M1FN);
        }
    }
}
