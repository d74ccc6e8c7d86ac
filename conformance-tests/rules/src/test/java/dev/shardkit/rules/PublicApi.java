package dev.shardkit.rules;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KFunction;
import kotlin.reflect.KVisibility;
import kotlin.reflect.jvm.ReflectJvmMapping;

/**
 * The public API of a module as text: public and protected types of its exported packages with their public and
 * protected members, sorted. It is read from compiled classes, so Java and Kotlin look alike and every JDK gives the
 * same text.
 */
final class PublicApi {
    private static final int FLAGS =
            Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT | Modifier.FINAL;

    private final Path classes;
    private final Set<String> exported;

    private PublicApi(Path classes, Set<String> exported) {
        this.classes = classes;
        this.exported = exported;
    }

    /** Describes the module whose compiled classes, {@code module-info.class} among them, are in a folder. */
    static String of(Path classes) throws IOException {
        try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
            Set<String> exported = ModuleDescriptor.read(in).exports().stream()
                    .filter(e -> !e.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());
            return new PublicApi(classes, exported).text();
        }
    }

    private String text() throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(f -> classes.relativize(f).toString().replace('\\', '/'))
                    .filter(f -> f.endsWith(".class") && !f.endsWith("-info.class"))
                    .map(f -> f.substring(0, f.length() - ".class".length()).replace('/', '.'))
                    .filter(n -> exported.contains(n.substring(0, Math.max(0, n.lastIndexOf('.')))))
                    .sorted()
                    .map(PublicApi::load)
                    .filter(this::visible)
                    .map(this::describe)
                    .collect(joining("\n"));
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApi.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is not on the class path", e);
        }
    }

    private boolean visible(Class<?> c) {
        boolean here = seen(c.getModifiers()) && !c.isSynthetic() && !c.isAnonymousClass() && !c.isLocalClass();
        return here
                && exported.contains(c.getPackageName())
                && !internal(c)
                && (c.getDeclaringClass() == null || visible(c.getDeclaringClass()));
    }

    private static boolean seen(int modifiers) {
        return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private String describe(Class<?> c) {
        int implied = c.isInterface() || c.isEnum() ? Modifier.ABSTRACT | Modifier.FINAL : 0;
        String head = flags(c.getModifiers() & ~implied) + (c.isSealed() ? "sealed " : "") + kind(c) + " " + c.getName()
                + variables(c.getTypeParameters()) + parents(c);
        Set<String> lines = new TreeSet<>();
        members(c, true).forEach(lines::add);
        // What a hidden superclass shows is shown by its visible subclasses.
        for (Class<?> up = c.getSuperclass(); up != null && ours(up) && !visible(up); up = up.getSuperclass()) {
            members(up, false).forEach(lines::add);
        }
        return head + "\n" + lines.stream().map(l -> "  " + l + "\n").collect(joining());
    }

    private static boolean ours(Class<?> c) {
        return c.getName().startsWith("dev.shardkit.");
    }

    private static String kind(Class<?> c) {
        if (c.isAnnotation()) {
            return "annotation";
        }
        if (c.isInterface()) {
            return "interface";
        }
        return c.isEnum() ? "enum" : c.isRecord() ? "record" : "class";
    }

    private static String parents(Class<?> c) {
        List<String> parents = new ArrayList<>();
        Type up = c.getGenericSuperclass();
        if (up != null && up != Object.class && !c.isEnum() && !c.isRecord()) {
            parents.add(name(up));
        }
        Arrays.stream(c.getGenericInterfaces()).map(PublicApi::name).sorted().forEach(parents::add);
        return parents.isEmpty() ? "" : " : " + String.join(", ", parents);
    }

    private static Stream<String> members(Class<?> c, boolean itself) {
        Stream<String> fields = Arrays.stream(c.getDeclaredFields())
                .filter(f -> shown(c, f.getModifiers(), f.isSynthetic(), f.getName()))
                .map(PublicApi::field);
        Stream<String> constructors = Arrays.stream(c.getDeclaredConstructors())
                .filter(k -> itself && shown(c, k.getModifiers(), k.isSynthetic(), ""))
                .map(PublicApi::constructor);
        Stream<String> methods = Arrays.stream(c.getDeclaredMethods())
                .filter(m -> shown(c, m.getModifiers(), m.isSynthetic(), m.getName()) && !internal(m))
                .map(PublicApi::method);
        return Stream.of(fields, constructors, methods).flatMap(s -> s);
    }

    /** Kotlin puts a dollar sign into the names of internal members. */
    private static boolean shown(Class<?> c, int modifiers, boolean synthetic, String name) {
        boolean inherited = Modifier.isProtected(modifiers) && !Modifier.isFinal(c.getModifiers());
        return (Modifier.isPublic(modifiers) || inherited) && !synthetic && name.indexOf('$') < 0;
    }

    private static String field(Field f) {
        return flags(f.getModifiers()) + name(f.getGenericType()) + " " + f.getName();
    }

    private static String constructor(Constructor<?> k) {
        return flags(k.getModifiers()) + variables(k.getTypeParameters()) + "<init>" + parameters(k);
    }

    private static String method(Method m) {
        String variables = variables(m.getTypeParameters());
        return flags(m.getModifiers()) + (m.isDefault() ? "default " : "")
                + (variables.isEmpty() ? "" : variables + " ") + name(m.getGenericReturnType()) + " " + m.getName()
                + parameters(m);
    }

    private static String parameters(Executable e) {
        String all =
                Arrays.stream(e.getGenericParameterTypes()).map(PublicApi::name).collect(joining(", ", "(", ")"));
        return e.isVarArgs() ? all.replaceAll("\\[]\\)$", "...)") : all;
    }

    private static String flags(int modifiers) {
        String text = Modifier.toString(modifiers & FLAGS);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String variables(TypeVariable<?>[] variables) {
        String all = Arrays.stream(variables).map(PublicApi::variable).collect(joining(", "));
        return all.isEmpty() ? "" : "<" + all + ">";
    }

    private static String variable(TypeVariable<?> v) {
        String bounds = Arrays.stream(v.getBounds())
                .filter(b -> b != Object.class)
                .map(PublicApi::name)
                .collect(joining(" & "));
        return bounds.isEmpty() ? v.getName() : v.getName() + " extends " + bounds;
    }

    private static String name(Type type) {
        return type.getTypeName().replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
    }

    private static boolean internal(Class<?> c) {
        if (!kotlin(c)) {
            return false;
        }
        try {
            return JvmClassMappingKt.getKotlinClass(c).getVisibility() == KVisibility.INTERNAL;
        } catch (UnsupportedOperationException facadeOfFunctions) {
            return false;
        }
    }

    private static boolean internal(Method m) {
        if (!kotlin(m.getDeclaringClass())) {
            return false;
        }
        KFunction<?> function = ReflectJvmMapping.getKotlinFunction(m);
        return function != null && function.getVisibility() == KVisibility.INTERNAL;
    }

    private static boolean kotlin(Class<?> c) {
        return c.isAnnotationPresent(kotlin.Metadata.class);
    }
}
