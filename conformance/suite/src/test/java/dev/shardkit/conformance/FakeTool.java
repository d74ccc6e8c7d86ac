package dev.shardkit.conformance;

import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A tool that does what the file {@code mode} in the array's folder says. */
final class FakeTool {
    private FakeTool() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        Path out = Path.of(arguments[1]);
        String mode = Files.readString(folder.resolve("mode"));
        System.out.println("mode <" + mode + "> \u0001 & more");
        switch (mode) {
            case "values" -> Files.copy(folder.resolve("values"), out);
            case "nothing" -> System.out.println("no output");
            case "refuse" -> System.exit(1);
            case "crash" -> Runtime.getRuntime().halt(134);
            case "hang" -> Thread.sleep(Long.MAX_VALUE);
            case "selection" -> Files.writeString(out, arguments.length > 2 ? arguments[2] : "all");
            default -> throw new IllegalStateException(mode);
        }
    }

    static String command(String more) {
        return java(FakeTool.class) + " {path} {out}" + more;
    }

    /** The command line of a class of the tests, wherever its class loader has it from. */
    static String java(Class<?> tool) {
        String classPath = Stream.of(tool, ObjectMapper.class, JsonFactory.class, JsonView.class)
                .map(c -> c.getProtectionDomain().getCodeSource().getLocation())
                .map(url -> Path.of(URI.create(url.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
        return "'" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp '" + classPath + "' " + tool.getName();
    }
}
