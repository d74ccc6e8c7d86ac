package dev.shardkit.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A standalone master and two workers with an executor of one core each, all in JVMs of their own. */
final class Cluster implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(5);

    private final Path folder;
    private final Path home;
    private final int port = freePort();
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();
    private int started;

    Cluster(Path folder) throws IOException {
        this.folder = folder;
        this.home = Files.createDirectories(folder.resolve("home"));
        Path jars = Files.createDirectories(home.resolve("jars"));
        int number = 0;
        for (String entry : classPath().split(java.io.File.pathSeparator)) {
            if (entry.endsWith(".jar")) {
                Files.createSymbolicLink(
                        jars.resolve(number++ + "-" + Path.of(entry).getFileName()), Path.of(entry));
            }
        }
        Process master = start(
                Map.of(),
                "-Xmx256m",
                "org.apache.spark.deploy.master.Master",
                "--host",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--webui-port",
                "0");
        await(master, this::answers, "the master does not answer");
        for (int i = 0; i < 2; i++) {
            workers.add(start(
                    Map.of(),
                    "-Xmx256m",
                    "org.apache.spark.deploy.worker.Worker",
                    "--host",
                    "127.0.0.1",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--webui-port",
                    "0",
                    "--work-dir",
                    folder.resolve("work-" + i).toString(),
                    url()));
        }
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private String url() {
        return "spark://127.0.0.1:" + port;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A state of files or processes. */
    interface State {
        boolean isReached();
    }

    void await(Process process, State state, String otherwise) throws IOException {
        long end = System.nanoTime() + PATIENCE;
        while (!state.isReached()) {
            if (ended(process) || System.nanoTime() > end) {
                throw new AssertionError(otherwise + "\n" + log());
            }
        }
    }

    /** Whether a process ends within a moment, so that waiting takes no processor. */
    private static boolean ended(Process process) {
        try {
            return process.waitFor(20, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private Process start(Map<String, String> environment, String... args) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        Arrays.stream(System.getProperty("spark.opens").split(" ")).forEach(command::add);
        command.addAll(List.of("-cp", classPath()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_SCALA_VERSION", "2.13"); // the scripts of Spark set it
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-" + started++).toFile())
                .start();
        processes.add(process);
        return process;
    }

    /** Runs {@link Main} as a driver, with speculative execution of nearly every task. */
    Process submit(Map<String, String> environment, String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "-Xmx512m",
                "-Dspark.master=" + url(),
                "-Dspark.driver.host=127.0.0.1",
                "-Dspark.ui.enabled=false",
                "-Dspark.executor.memory=512m",
                "-Dspark.executor.cores=1",
                "-Dspark.executor.extraClassPath=" + classPath(),
                "-Dspark.shardkit.progress=0s",
                "-Dspark.speculation=true",
                "-Dspark.speculation.interval=10ms",
                "-Dspark.speculation.multiplier=1.01",
                "-Dspark.speculation.quantile=0.05",
                "-Dspark.speculation.minTaskRuntime=1ms"));
        environment.forEach((name, value) -> all.add("-Dspark.executorEnv." + name + "=" + value));
        all.add("dev.shardkit.spark.Main");
        all.addAll(List.of(args));
        return start(environment, all.toArray(String[]::new));
    }

    /** Returns what a process has printed. */
    String said(Process process) throws IOException {
        return Files.readString(folder.resolve("log-" + processes.indexOf(process)));
    }

    /** Waits until a driver ends, with status 0. */
    void end(Process driver) throws IOException, InterruptedException {
        if (!driver.waitFor(PATIENCE, TimeUnit.NANOSECONDS) || driver.exitValue() != 0) {
            throw new AssertionError("the driver does not end well\n" + log());
        }
    }

    /** Waits until the executors of earlier drivers have ended. */
    void awaitIdle() throws IOException {
        await(
                processes.get(0),
                () -> workers.stream().flatMap(Process::descendants).findAny().isEmpty(),
                "executors of an earlier driver run");
    }

    /** Kills an executor, as kill -9 does. */
    void killExecutor() {
        ProcessHandle executor = workers.stream()
                .flatMap(Process::descendants)
                .filter(ProcessHandle::isAlive)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no executor runs"));
        executor.destroyForcibly();
        executor.onExit().join();
    }

    /** Returns what the processes have said, for messages. */
    String log() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < started; i++) {
            List<String> lines = Files.readAllLines(folder.resolve("log-" + i));
            all.append("--- log-" + i + "\n")
                    .append(String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())))
                    .append('\n');
        }
        return all.toString();
    }

    @Override
    public void close() throws IOException {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : processes) {
            process.onExit().join();
        }
    }
}
