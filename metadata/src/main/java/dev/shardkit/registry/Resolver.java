package dev.shardkit.registry;

import dev.shardkit.json.Pointers;
import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.DataTypeFactory;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Makes the extensions of a document with the plug-ins of a {@link Registry}. Passes the names of the codecs that it
 * skips to a consumer, including codecs inside others. As thread-safe as that consumer.
 */
public final class Resolver implements Extensions {
    private final Registry registry;
    private final Consumer<String> skipped;

    Resolver(Registry registry, Consumer<String> skipped) {
        this.registry = registry;
        this.skipped = skipped;
    }

    @Override
    public Codec codec(Json json, String pointer) {
        return codec(ExtensionForm.of(json, pointer));
    }

    @Override
    public Optional<Codec> optionalCodec(Json json, String pointer) {
        ExtensionForm form = ExtensionForm.of(json, pointer);
        return skips(Plugin.Kind.CODEC, form) ? Optional.empty() : Optional.of(codec(form));
    }

    private Codec codec(ExtensionForm form) {
        return make(Plugin.Kind.CODEC, form, CodecFactory.class, CodecFactory::create);
    }

    @Override
    public DataType dataType(Json json, String pointer) {
        if (json instanceof Json.Str s && !ExtensionForm.isName(s.value())) {
            registry.refuseOtherSpelling(Plugin.Kind.DATA_TYPE, s.value(), pointer);
        }
        ExtensionForm form = ExtensionForm.of(json, pointer).mustBeRequired(Plugin.Kind.DATA_TYPE);
        return make(Plugin.Kind.DATA_TYPE, form, DataTypeFactory.class, (f, config) -> f.create(form.name(), config));
    }

    /** Creates the chunk grid that {@code json} describes, for an array of {@code shape}. */
    public ChunkGrid chunkGrid(Json json, String pointer, long[] shape) {
        ExtensionForm form = ExtensionForm.of(json, pointer).mustBeRequired(Plugin.Kind.CHUNK_GRID);
        return make(
                Plugin.Kind.CHUNK_GRID, form, ChunkGridFactory.class, (f, config) -> f.create(config, shape.clone()));
    }

    /** Creates the chunk key encoding that {@code json} describes. */
    public ChunkKeyEncoding chunkKeyEncoding(Json json, String pointer) {
        ExtensionForm form = ExtensionForm.of(json, pointer).mustBeRequired(Plugin.Kind.CHUNK_KEY_ENCODING);
        return make(
                Plugin.Kind.CHUNK_KEY_ENCODING, form, ChunkKeyEncodingFactory.class, ChunkKeyEncodingFactory::create);
    }

    /** Creates the storage transformer that {@code json} describes. Unknown storage transformers are never skipped. */
    public StorageTransformer storageTransformer(Json json, String pointer) {
        return make(
                Plugin.Kind.STORAGE_TRANSFORMER,
                ExtensionForm.of(json, pointer),
                StorageTransformerFactory.class,
                StorageTransformerFactory::create);
    }

    private boolean skips(Plugin.Kind kind, ExtensionForm form) {
        boolean skip = !form.required() && !registry.knows(kind, form.name());
        if (skip) {
            skipped.accept(form.name());
        }
        return skip;
    }

    /** Creates an extension by the plug-in that claims its name. Errors name the plug-in if it fails. */
    private <F, T> T make(Plugin.Kind kind, ExtensionForm form, Class<F> factory, BiFunction<F, Config, T> create) {
        Candidate chosen = registry.choose(kind, form.name(), form.pointer());
        Config config = new Config(form.configuration(), form.pointer() + "/configuration", this);
        T extension;
        try {
            extension = create.apply(factory.cast(chosen.extension()), config);
            config.refuseUnread();
        } catch (ZarrException e) {
            throw Pointers.located(form.pointer(), e);
        } catch (RuntimeException e) {
            throw new MetadataException(
                    form.pointer() + ": " + kind + " \"" + form.name() + "\" cannot be made of "
                            + "this configuration; plug-in " + chosen.described() + " failed: " + e,
                    e);
        } catch (Error e) {
            Fatal.rethrow(e);
            throw new UnsupportedException(
                    form.pointer() + ": " + kind + " \"" + form.name() + "\" is not available; " + "plug-in "
                            + chosen.described() + " failed: " + e,
                    e);
        }
        if (extension == null) {
            throw new UnsupportedException(form.pointer() + ": plug-in " + chosen.described() + " returned no " + kind);
        }
        return extension;
    }
}
