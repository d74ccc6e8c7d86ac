package dev.shardkit.spi.type.factory;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Set;

/**
 * The factories of the core data types, for {@code ServiceLoader}: one for each name, so that a plug-in can override a
 * single type. Programs use {@link CoreTypes} instead. Stateless and thread-safe.
 */
public final class CoreTypeFactories {
    private static final String RAW_BYTES = "raw_bytes";

    private CoreTypeFactories() {}

    /** A factory of a type that has a name and no configuration. */
    abstract static class Named implements DataTypeFactory {
        private final DataType type;

        Named(DataType type) {
            this.type = type;
        }

        @Override
        public String name() {
            return type.name();
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public DataType create(String name, Config config) {
            return type;
        }
    }

    /** The factory of {@code bool}. */
    public static final class Bool extends Named {
        /** Creates the factory; called by the service loader. */
        public Bool() {
            super(CoreTypes.BOOL);
        }
    }

    /** The factory of {@code int8}. */
    public static final class Int8 extends Named {
        /** Creates the factory; called by the service loader. */
        public Int8() {
            super(CoreTypes.INT8);
        }
    }

    /** The factory of {@code int16}. */
    public static final class Int16 extends Named {
        /** Creates the factory; called by the service loader. */
        public Int16() {
            super(CoreTypes.INT16);
        }
    }

    /** The factory of {@code int32}. */
    public static final class Int32 extends Named {
        /** Creates the factory; called by the service loader. */
        public Int32() {
            super(CoreTypes.INT32);
        }
    }

    /** The factory of {@code int64}. */
    public static final class Int64 extends Named {
        /** Creates the factory; called by the service loader. */
        public Int64() {
            super(CoreTypes.INT64);
        }
    }

    /** The factory of {@code uint8}. */
    public static final class Uint8 extends Named {
        /** Creates the factory; called by the service loader. */
        public Uint8() {
            super(CoreTypes.UINT8);
        }
    }

    /** The factory of {@code uint16}. */
    public static final class Uint16 extends Named {
        /** Creates the factory; called by the service loader. */
        public Uint16() {
            super(CoreTypes.UINT16);
        }
    }

    /** The factory of {@code uint32}. */
    public static final class Uint32 extends Named {
        /** Creates the factory; called by the service loader. */
        public Uint32() {
            super(CoreTypes.UINT32);
        }
    }

    /** The factory of {@code uint64}. */
    public static final class Uint64 extends Named {
        /** Creates the factory; called by the service loader. */
        public Uint64() {
            super(CoreTypes.UINT64);
        }
    }

    /** The factory of {@code float16}. */
    public static final class Float16 extends Named {
        /** Creates the factory; called by the service loader. */
        public Float16() {
            super(CoreTypes.FLOAT16);
        }
    }

    /** The factory of {@code float32}. */
    public static final class Float32 extends Named {
        /** Creates the factory; called by the service loader. */
        public Float32() {
            super(CoreTypes.FLOAT32);
        }
    }

    /** The factory of {@code float64}. */
    public static final class Float64 extends Named {
        /** Creates the factory; called by the service loader. */
        public Float64() {
            super(CoreTypes.FLOAT64);
        }
    }

    /** The factory of {@code complex64}. */
    public static final class Complex64 extends Named {
        /** Creates the factory; called by the service loader. */
        public Complex64() {
            super(CoreTypes.COMPLEX64);
        }

        @Override
        public Set<String> aliases() {
            return Set.of("complex_float32");
        }
    }

    /** The factory of {@code complex128}. */
    public static final class Complex128 extends Named {
        /** Creates the factory; called by the service loader. */
        public Complex128() {
            super(CoreTypes.COMPLEX128);
        }

        @Override
        public Set<String> aliases() {
            return Set.of("complex_float64");
        }
    }

    /** The factory of {@code string}. */
    public static final class Strings extends Named {
        /** Creates the factory; called by the service loader. */
        public Strings() {
            super(CoreTypes.STRING);
        }
    }

    /** The factory of {@code bytes}, also called {@code variable_length_bytes}. */
    public static final class Bytes extends Named {
        /** Creates the factory; called by the service loader. */
        public Bytes() {
            super(CoreTypes.BYTES);
        }

        @Override
        public Set<String> aliases() {
            return Set.of(CoreTypes.VARIABLE_LENGTH_BYTES.name());
        }

        @Override
        public DataType create(String name, Config config) {
            return name.equals(CoreTypes.BYTES.name()) ? CoreTypes.BYTES : CoreTypes.VARIABLE_LENGTH_BYTES;
        }
    }

    /** The factory of {@code r8}, {@code r16} and so on, and of {@code raw_bytes}. */
    public static final class RawBits implements DataTypeFactory {
        /** Creates the factory; called by the service loader. */
        public RawBits() {}

        @Override
        public String name() {
            return "r*";
        }

        @Override
        public Set<String> aliases() {
            return Set.of(RAW_BYTES);
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public boolean claims(String name) {
            return DataTypeFactory.super.claims(name) || name.matches("r[0-9]+");
        }

        @Override
        public DataType create(String name, Config config) {
            if (name.equals(RAW_BYTES)) {
                return CoreTypes.rawBytes(config.requiredInteger("length_bytes", 1, Integer.MAX_VALUE));
            }
            if (!name.matches("r[1-9][0-9]{0,11}")) {
                throw new MetadataException(
                        "data type " + name + ": expected r and a positive multiple of 8, such as r24");
            }
            return CoreTypes.rawBits(Long.parseLong(name.substring(1)));
        }
    }
}
