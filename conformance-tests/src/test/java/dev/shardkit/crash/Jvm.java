package dev.shardkit.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another JVM, quick to start, that runs a main class of these tests; one talks to it in lines. */
final class Jvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader says;

  private Jvm(Process process) {
    this.process = process;
    this.says = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static Jvm start(Class<?> main, String memory, String... arguments) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xshare:auto",
        "-XX:TieredStopAtLevel=1", "-Xmx" + memory, "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new Jvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Its next line; empty when it has ended. */
  Optional<String> line() {
    try {
      return Optional.ofNullable(says.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its next line must be this one. */
  void expect(String expected) {
    Optional<String> found = line();
    if (!found.equals(Optional.of(expected))) {
      kill();
      throw new AssertionError("expected \"" + expected + "\", found " + found);
    }
  }

  /** Tells it lines. */
  void say(String... lines) {
    try {
      process.getOutputStream().write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it (SIGKILL) and waits until it is gone; what it had said can still be read. */
  void kill() {
    process.toHandle().destroyForcibly(); // the process's own method would close the pipe as well
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static BufferedReader input() {
    return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    kill();
  }
}
