package dev.shardkit.testkit.extension;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of factories as tests: the service loader finds them, their names are legal, and they refuse invalid
 * configurations. {@link CodecFactoryContract} extends this class for codecs. To test a factory of another kind, extend
 * this class and implement {@link #create}.
 *
 * @param <F> the factory interface
 */
public abstract class FactoryContract<F extends Extension> {
    private final Class<F> kind;

    /**
     * For subclasses.
     *
     * @param kind the factory interface
     */
    protected FactoryContract(Class<F> kind) {
        this.kind = kind;
    }

    /** Returns the factory. */
    protected abstract F factory();

    /** Creates an extension without checking for unread members. */
    protected abstract Object create(F factory, Config config);

    /** Returns valid configurations; at least one. */
    protected abstract List<Json.Obj> legal();

    /** Returns invalid configurations. */
    protected List<Json.Obj> illegal() {
        return List.of();
    }

    @Test
    void serviceLoader_findsIt() {
        List<Class<?>> found = LoadedExtensions.all(kind).stream()
                .<Class<?>>map(Object::getClass)
                .toList();
        assertTrue(
                found.contains(factory().getClass()),
                () -> factory().getClass().getName() + " is not in META-INF/services/" + kind.getName()
                        + " (and in no module's provides clause); found " + found);
    }

    @Test
    void names_areLegal() {
        Set<String> names = new HashSet<>(factory().aliases());
        assertFalse(names.contains(factory().name()), "the name is among the aliases");
        names.add(factory().name());
        for (String name : names) {
            assertTrue(
                    name.matches("[a-z][a-z0-9-_.]+") || name.contains("://") || name.equals("r*"),
                    () -> "neither a name of [a-z][a-z0-9-_.]+ nor a URI: " + name);
        }
    }

    @Test
    void legalConfigurations_areTaken() {
        assertFalse(legal().isEmpty(), "no configuration to test");
        for (Json.Obj configuration : legal()) {
            LoadedExtensions.made(configuration, config -> create(factory(), config));
        }
    }

    @Test
    void unknownMember_isNotRead() {
        for (Json.Obj configuration : legal()) {
            Json.Obj more = configuration.with("a_member_that_nobody_knows", Json.of(1));
            assertThrows(
                    MetadataException.class,
                    () -> LoadedExtensions.made(more, config -> create(factory(), config)),
                    () -> "taken: " + more);
        }
    }

    @Test
    void illegalConfigurations_areRefusedAsMetadata() {
        for (Json.Obj configuration : illegal()) {
            MetadataException e = assertThrows(
                    MetadataException.class,
                    () -> LoadedExtensions.made(configuration, config -> create(factory(), config)),
                    () -> "taken: " + configuration);
            assertFalse(e.fact().isBlank(), () -> "no message: " + configuration);
        }
    }
}
