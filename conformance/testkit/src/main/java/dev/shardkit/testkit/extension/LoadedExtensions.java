package dev.shardkit.testkit.extension;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Creates nested codecs and data types with the factories that {@link ServiceLoader} finds on the test's class path;
 * the highest priority wins. Not a registry: it does not detect ties. Thread-safe.
 */
public final class LoadedExtensions implements Extensions {
    /** The factories of each interface, loaded once, because a type with many fields needs a factory for each field. */
    private static final ClassValue<List<?>> FACTORIES = new ClassValue<>() {
        @Override
        protected List<?> computeValue(Class<?> kind) {
            return all(kind);
        }
    };

    /** Uses all factories on the class path. */
    public LoadedExtensions() {}

    /** The name and configuration of an extension in metadata. */
    private record Named(String name, Json.Obj configuration) {
        static Named of(Json json, String pointer) {
            if (json instanceof Json.Str s) {
                return new Named(s.value(), Json.object());
            }
            if (json instanceof Json.Obj o
                    && o.get("name").orElse(new Json.Null()) instanceof Json.Str s
                    && o.get("configuration").orElse(Json.object()) instanceof Json.Obj configuration) {
                return new Named(s.value(), configuration);
            }
            throw Config.expected(pointer, "a name, or an object with a name", json);
        }

        Config config(String pointer, Extensions extensions) {
            return new Config(configuration, pointer + "/configuration", extensions);
        }
    }

    @Override
    public Codec codec(Json json, String pointer) {
        Named named = Named.of(json, pointer);
        Config config = named.config(pointer, this);
        Codec codec = find(
                        CodecFactory.class,
                        f -> f.name().equals(named.name()) || f.aliases().contains(named.name()),
                        named.name())
                .create(config);
        config.refuseUnread();
        return codec;
    }

    @Override
    public DataType dataType(Json json, String pointer) {
        Named named = Named.of(json, pointer);
        Config config = named.config(pointer, this);
        DataType type = find(DataTypeFactory.class, f -> f.claims(named.name()), named.name())
                .create(named.name(), config);
        config.refuseUnread();
        return type;
    }

    /** Returns the factory of highest priority for a name. */
    private static <F extends Extension> F find(Class<F> kind, Predicate<F> fits, String name) {
        return FACTORIES.get(kind).stream()
                .map(kind::cast)
                .filter(fits)
                .max(Comparator.comparingInt(Extension::priority))
                .orElseThrow(() -> new UnsupportedException(
                        "no " + kind.getSimpleName() + " on the class path claims " + name + "; there are "
                                + all(kind).stream().map(Extension::name).toList()));
    }

    /** Returns all factories of one kind that the service loader finds. */
    static <F> List<F> all(Class<F> kind) {
        return ServiceLoader.load(kind).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Returns the reader of a configuration. */
    static Config config(Json.Obj configuration) {
        return new Config(configuration, "/configuration", new LoadedExtensions());
    }

    /** Returns the result of {@code create}, which must read every member of the configuration. */
    static <T> T made(Json.Obj configuration, Function<Config, T> create) {
        Config config = config(configuration);
        T made = create.apply(config);
        config.refuseUnread();
        return made;
    }
}
