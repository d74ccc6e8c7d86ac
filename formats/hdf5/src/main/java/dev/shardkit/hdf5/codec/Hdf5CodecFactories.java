package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The factories of the codecs that stand for filters of HDF5. {@link java.util.ServiceLoader} finds them. Each is
 * stateless and thread-safe.
 */
public final class Hdf5CodecFactories {
    private Hdf5CodecFactories() {}

    /**
     * Returns the parameters of a filter: unsigned 32-bit integers. Throws if they have a problem.
     *
     * @param problem returns a description of the problem with parameters; empty if there is none
     */
    private static long[] requireParameters(Config config, String member, Function<long[], String> problem) {
        long[] parameters = config.requiredIntegers(member, 0, 0xffffffffL);
        String message = problem.apply(parameters);
        if (!message.isEmpty()) {
            throw new MetadataException(config.at(member) + ": " + message + " is not supported");
        }
        return parameters;
    }

    /** Creates {@code hdf5.filters}, for datasets in which HDF5 skipped some filters for some chunks. */
    public static final class Masked implements CodecFactory {
        /** Called by the service loader. */
        public Masked() {}

        @Override
        public String name() {
            return MaskedCodec.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            List<BytesToBytesCodec> filters = new ArrayList<>();
            for (Codec codec : config.codecs(MaskedCodec.FILTERS).orElse(List.of())) {
                if (!(codec instanceof BytesToBytesCodec filter)) {
                    throw new MetadataException(
                            config.at(MaskedCodec.FILTERS) + ": expected bytes-to-bytes codecs, found " + codec.name());
                }
                filters.add(filter);
            }
            return new MaskedCodec(List.copyOf(filters));
        }
    }

    /** Creates {@code hdf5.lzf}, the fast compressor of h5py. */
    public static final class Lzf implements CodecFactory {
        /** Called by the service loader. */
        public Lzf() {}

        @Override
        public String name() {
            return LzfCodec.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new LzfCodec();
        }
    }

    /** Creates {@code hdf5.bitshuffle}, which groups the bits of elements and may compress them. */
    public static final class Bitshuffle implements CodecFactory {
        /** Called by the service loader. */
        public Bitshuffle() {}

        @Override
        public String name() {
            return BitshuffleCodec.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            int maxBlockBytes = BitshuffleCodec.MAX_BLOCK_BYTES;
            int size = (int)
                    config.requiredInteger(BitshuffleCodec.ELEMENT_SIZE, 1, maxBlockBytes / BitshuffleCodec.GROUP_SIZE);
            int block = (int) config.requiredInteger(
                    BitshuffleCodec.BLOCK_SIZE, BitshuffleCodec.GROUP_SIZE, maxBlockBytes / size);
            if (block % BitshuffleCodec.GROUP_SIZE != 0) {
                throw new MetadataException(config.at(BitshuffleCodec.BLOCK_SIZE) + ": expected a multiple of "
                        + BitshuffleCodec.GROUP_SIZE + ", found " + block);
            }
            String name = config.oneOf(BitshuffleCodec.COMPRESSOR, "none", "lz4", "zstd")
                    .orElse("none");
            return new BitshuffleCodec(size, block, BitshuffleCodec.Compressor.valueOf(name.toUpperCase(Locale.ROOT)));
        }
    }

    /** Creates {@code hdf5.scaleoffset}, which stores differences from the minimum in few bits. */
    public static final class Scaled implements CodecFactory {
        /** Called by the service loader. */
        public Scaled() {}

        @Override
        public String name() {
            return ScaleOffset.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new ScaleOffset(requireParameters(config, ScaleOffset.PARAMETERS, ScaleOffset::problem));
        }
    }

    /** Creates {@code hdf5.lz4}, the LZ4 filter, which compresses blocks. */
    public static final class Lz4 implements CodecFactory {
        /** Called by the service loader. */
        public Lz4() {}

        @Override
        public String name() {
            return Lz4Blocks.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new Lz4Blocks();
        }
    }

    /** Creates {@code hdf5.nbit}, which stores only the used bits of each number. */
    public static final class Packed implements CodecFactory {
        /** Called by the service loader. */
        public Packed() {}

        @Override
        public String name() {
            return Nbit.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            return new Nbit(requireParameters(config, Nbit.PARAMETERS, Nbit::problem));
        }
    }

    /** Creates {@code hdf5.number}, for numbers that use only some bits of their words. */
    public static final class Numbers implements CodecFactory {
        // The numbers of parameters of a NumberForm for integers and floating-point numbers.
        private static final int WHOLE_PARAMETERS = 3;
        private static final int REAL_PARAMETERS = 6;

        /** Called by the service loader. */
        public Numbers() {}

        @Override
        public String name() {
            return PackedNumbersCodec.NAME;
        }

        @Override
        public int priority() {
            return Extension.BUILT_IN;
        }

        @Override
        public Codec create(Config config) {
            int size = (int) config.requiredInteger(PackedNumbersCodec.ELEMENT_SIZE, 1, Long.BYTES);
            boolean isBig = config.oneOf(PackedNumbersCodec.ENDIAN, "little", "big")
                    .orElse("little")
                    .equals("big");
            boolean isReal = config.json(PackedNumbersCodec.FLOAT).isPresent();
            String member = isReal ? PackedNumbersCodec.FLOAT : PackedNumbersCodec.INTEGER;
            long[] parameters = config.requiredIntegers(member, 0, 0xffffffffL);
            int expected = isReal ? REAL_PARAMETERS : WHOLE_PARAMETERS;
            if (parameters.length != expected) {
                throw new MetadataException(
                        config.at(member) + ": expected " + expected + " integers, found " + parameters.length);
            }
            NumberForm form = isReal ? NumberForm.Real.of(size, parameters) : NumberForm.Whole.of(size, parameters);
            if (!form.problem().isEmpty()) {
                throw new MetadataException(config.at(member) + ": " + form.problem() + " is not supported");
            }
            return new PackedNumbersCodec(new WordOrder(size, isBig), form);
        }
    }
}
