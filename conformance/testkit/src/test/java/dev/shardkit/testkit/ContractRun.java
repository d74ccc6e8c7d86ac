package dev.shardkit.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Runs the tests of a suite one by one, each on a suite of its own, and tells which fail. */
public final class ContractRun {
    private ContractRun() {}

    /** The names of the tests that fail, with what they throw. */
    public static Map<String, Throwable> failures(Supplier<?> suite) {
        Map<String, Throwable> failures = new TreeMap<>();
        for (String test : tests(suite.get().getClass())) {
            try {
                run(suite.get(), test);
            } catch (TestAbortedException e) {
                continue;
            } catch (Throwable e) {
                failures.put(test, e);
            }
        }
        return failures;
    }

    /** Checks that one test fails. */
    public static void assertFails(String test, Supplier<?> suite) {
        Assertions.assertTrue(tests(suite.get().getClass()).contains(test), "no test " + test);
        Assertions.assertThrows(Throwable.class, () -> run(suite.get(), test), "passes in spite of the flaw: " + test);
    }

    /**
     * Checks that a suite passes a good store, and that each of its tests fails for one with a flaw.
     *
     * @param suite the suite over a store
     * @param flaws a store for each test of the suite
     */
    public static <S> void assertEachCanFail(
            Function<Supplier<? extends S>, ?> suite,
            Supplier<? extends S> good,
            Map<String, Supplier<? extends S>> flaws) {
        Assertions.assertEquals(Map.of(), failures(() -> suite.apply(good)), "a store without a flaw");
        Assertions.assertEquals(
                tests(suite.apply(good).getClass()), new TreeSet<>(flaws.keySet()), "tests, and those with a flaw");
        flaws.forEach((test, store) -> assertFails(test, () -> suite.apply(store)));
    }

    /** The names of the tests of a suite. */
    static TreeSet<String> tests(Class<?> suite) {
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> c : hierarchy(suite)) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.isAnnotationPresent(Test.class)) {
                    names.add(m.getName());
                }
            }
        }
        return names;
    }

    private static void run(Object suite, String test) throws Throwable {
        try {
            callAll(suite, BeforeEach.class);
            for (Class<?> c : hierarchy(suite.getClass())) {
                for (Method m : c.getDeclaredMethods()) {
                    if (m.getName().equals(test)) {
                        call(suite, m);
                    }
                }
            }
        } finally {
            callAll(suite, AfterEach.class);
        }
    }

    private static void callAll(Object suite, Class<? extends java.lang.annotation.Annotation> kind) throws Throwable {
        for (Class<?> c : hierarchy(suite.getClass())) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.isAnnotationPresent(kind)) {
                    call(suite, m);
                }
            }
        }
    }

    private static void call(Object suite, Method method) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(suite);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The class and its superclasses, the topmost first. */
    private static Deque<Class<?>> hierarchy(Class<?> suite) {
        Deque<Class<?>> all = new ArrayDeque<>();
        for (Class<?> c = suite; c != Object.class; c = c.getSuperclass()) {
            all.addFirst(c);
        }
        return all;
    }
}
