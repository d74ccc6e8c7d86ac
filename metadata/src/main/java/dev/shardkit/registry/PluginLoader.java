package dev.shardkit.registry;

import dev.shardkit.spi.Extension;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the plug-ins that a class loader sees. A plug-in that fails to load is recorded and does not affect others.
 * Each instance loads the plug-ins once.
 */
final class PluginLoader {
    /** The number of failures after which a service loader is abandoned, because its class loader is broken. */
    private static final int MAX_FAILURES = 1000;

    private final ClassLoader loader;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<Plugin> failures = new ArrayList<>();

    private PluginLoader(ClassLoader loader) {
        this.loader = loader;
    }

    static Registry load(ClassLoader loader) {
        PluginLoader plugins = new PluginLoader(loader);
        for (Plugin.Kind kind : Plugin.Kind.values()) {
            plugins.find(kind, kind.service());
        }
        return new Registry(plugins.candidates, plugins.failures);
    }

    /** Loads the plug-ins of one kind. */
    private <S extends Extension> void find(Plugin.Kind kind, Class<S> service) {
        Set<String> found = new HashSet<>();
        int errors = 0;
        Iterator<ServiceLoader.Provider<S>> providers =
                ServiceLoader.load(service, loader).stream().iterator();
        while (errors < MAX_FAILURES) {
            ServiceLoader.Provider<S> provider;
            try {
                if (!providers.hasNext()) {
                    break;
                }
                provider = providers.next();
            } catch (RuntimeException | Error e) {
                Fatal.rethrow(e);
                errors++;
                continue;
            }
            found.add(provider.type().getName());
            create(kind, provider);
        }
        if (errors > 0) {
            loadRemaining(kind, found);
        }
    }

    private void create(Plugin.Kind kind, ServiceLoader.Provider<? extends Extension> provider) {
        try {
            candidates.add(Candidate.of(kind, provider.get()));
        } catch (RuntimeException | Error e) {
            Fatal.rethrow(e);
            fail(kind, provider.type().getName(), ClassOrigin.of(provider.type()), provider.type(), e);
        }
    }

    /**
     * Tries the remaining lines of services files one by one. The service loader does not report which jar failed, and
     * skips the rest of a file after a bad line.
     */
    private void loadRemaining(Plugin.Kind kind, Set<String> found) {
        for (ServicesFiles.Line line : ServicesFiles.read(loader, kind.service().getName())) {
            if (line.problem() != null) {
                failures.add(failedPlugin(kind, line.text(), line.jar(), null, line.problem()));
            } else if (found.add(line.text())) {
                try {
                    boolean initialize = false; // the constructor does that
                    Class<?> type = Class.forName(line.text(), initialize, loader);
                    Object instance = type.getConstructor().newInstance();
                    candidates.add(Candidate.of(kind, kind.service().cast(instance)));
                } catch (ReflectiveOperationException | RuntimeException | Error e) {
                    Fatal.rethrow(e);
                    fail(kind, line.text(), line.jar(), null, e);
                }
            }
        }
    }

    private void fail(Plugin.Kind kind, String className, String jar, @Nullable Class<?> type, Throwable cause) {
        failures.add(failedPlugin(
                kind,
                className,
                jar,
                type == null ? null : ClassOrigin.version(type).orElse(null),
                rootCause(cause)));
    }

    private static Plugin failedPlugin(
            Plugin.Kind kind, String className, String jar, @Nullable String version, String reason) {
        return new Plugin(
                kind,
                Optional.empty(),
                className,
                jar,
                Optional.ofNullable(version),
                0,
                new Plugin.State.Failed(reason));
    }

    /** Returns the root cause. The exceptions around it add no information. */
    private static String rootCause(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; i < 10 && root.getCause() != null; i++) { // limited, because causes may form a cycle
            root = root.getCause();
        }
        try {
            return root.toString();
        } catch (RuntimeException | Error e) {
            Fatal.rethrow(e);
            return root.getClass().getName(); // getMessage() is code of the plug-in and may fail too
        }
    }
}
