import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes one by one and writes a line for each test: {@code Runner CLASSES OUT SECONDS EXCLUDED}. A class that
 * runs for longer than SECONDS ends the process with status 3, after a line HANG and the stacks of its threads; the next
 * process with the same OUT resumes behind it. EXCLUDED names tests that are counted but do not run.
 */
public final class Runner {
    private static final int HUNG = 3;
    private static final char NEW_LINE = '\u23ce';
    private static final int DOS_DIFFERENCE = 1; // nested classes have their outer class's name before the dollar sign

    private final PrintStream out;
    private final String stacks;
    private final Map<Pattern, String> excluded = new HashMap<>();
    private volatile String running = "";

    private Runner(PrintStream out, String stacks) {
        this.out = out;
        this.stacks = stacks;
    }

    public static void main(String[] arguments) throws Exception {
        Path done = Path.of(arguments[1] + ".done");
        Set<String> earlier = new HashSet<>(Files.exists(done) ? Files.readAllLines(done) : List.of());
        try (PrintStream out = new PrintStream(new FileOutputStream(arguments[1], true), true, StandardCharsets.UTF_8)) {
            Runner runner = new Runner(out, arguments[1] + ".stacks");
            for (String line : Files.readAllLines(Path.of(arguments[3]))) {
                runner.exclude(line);
            }
            Launcher launcher = LauncherFactory.create();
            for (String name : Files.readAllLines(Path.of(arguments[0]))) {
                if (!name.isBlank() && !earlier.contains(name)) {
                    Files.writeString(done, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    runner.runWithin(launcher, name, Long.parseLong(arguments[2]));
                }
            }
            runner.say("END");
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(0); // threads of tests may still run
    }

    /** Lines are {@code Class#method proof}, where {@code *} stands for anything. */
    private void exclude(String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length >= 2 && !words[0].startsWith("#")) {
            String pattern = Arrays.stream(words[0].split("\\*", -1)).map(Pattern::quote).reduce((a, b) -> a + ".*" + b).orElseThrow();
            excluded.put(Pattern.compile(pattern), words[1]);
        }
    }

    private void runWithin(Launcher launcher, String name, long seconds) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Thread thread = new Thread(() -> run(launcher, name), "tests of " + name);
        thread.setDaemon(true);
        thread.start();
        thread.join(seconds * 1000);
        if (thread.isAlive()) {
            say("HANG\t" + name + "\t" + running);
            StringBuilder text = new StringBuilder("==== " + name + " " + running + "\n");
            Thread.getAllStackTraces().forEach((each, frames) -> {
                text.append(each).append('\n');
                for (StackTraceElement frame : frames) {
                    text.append("    ").append(frame).append('\n');
                }
            });
            Files.writeString(Path.of(stacks), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Runtime.getRuntime().halt(HUNG);
        }
        say("CLASS\t" + name + "\t" + (System.nanoTime() - start) / 1_000_000);
    }

    private synchronized void say(String line) {
        out.print(line.replace('\n', NEW_LINE).replace("\r", "") + "\n");
        out.flush();
    }

    private void run(Launcher launcher, String name) {
        PostDiscoveryFilter filter = descriptor -> {
            boolean isLong = descriptor.getTags().contains(TestTag.create("long"));
            String proof = descriptor.getSource().map(this::proof).orElse("");
            if (!proof.isEmpty()) {
                say("WINE\t" + name + "\t" + descriptor.getDisplayName() + "\t" + proof);
            }
            return FilterResult.includedIf(!isLong && proof.isEmpty());
        };
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(name))
                .filters(filter)
                .build();
        try {
            launcher.execute(request, new Listener(name));
        } catch (RuntimeException | Error e) {
            say("FAIL\t" + name + "\t" + name + "\t" + e);
        }
    }

    private String proof(TestSource source) {
        String test = "";
        if (source instanceof MethodSource method) {
            test = simple(method.getClassName()) + "#" + method.getMethodName();
        } else if (source instanceof ClassSource type) {
            test = simple(type.getClassName());
        }
        for (Map.Entry<Pattern, String> each : excluded.entrySet()) {
            if (each.getKey().matcher(test).matches()) {
                return each.getValue();
            }
        }
        return "";
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + DOS_DIFFERENCE);
    }

    private final class Listener implements TestExecutionListener {
        private final String type;
        private TestPlan plan;

        Listener(String type) {
            this.type = type;
        }

        @Override
        public void testPlanExecutionStarted(TestPlan started) {
            plan = started;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            running = name(test);
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            long tests = test.isTest()
                    ? 1
                    : Math.max(1, plan.getDescendants(test).stream().filter(TestIdentifier::isTest).count());
            for (long i = 0; i < tests; i++) {
                say("SKIP\t" + type + "\t" + name(test) + "\t" + reason);
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            TestExecutionResult.Status status = result.getStatus();
            if (status == TestExecutionResult.Status.ABORTED) {
                say("SKIP\t" + type + "\t" + name(test) + "\t" + result.getThrowable().orElse(null));
            } else if (status == TestExecutionResult.Status.FAILED) {
                StringWriter stack = new StringWriter();
                result.getThrowable().ifPresent(e -> e.printStackTrace(new PrintWriter(stack)));
                say("FAIL\t" + type + "\t" + name(test) + "\t" + result.getThrowable().orElse(null));
                say("STACK\t" + type + "\t" + name(test) + "\t" + stack);
            } else if (test.isTest()) {
                say("PASS\t" + type + "\t" + name(test));
            }
        }

        /** The names from the class to the test. */
        private String name(TestIdentifier test) {
            List<String> names = new ArrayList<>();
            for (TestIdentifier each = test; plan.getParent(each).isPresent(); each = plan.getParent(each).get()) {
                names.add(0, each.getLegacyReportingName());
            }
            return String.join(" > ", names);
        }
    }
}
