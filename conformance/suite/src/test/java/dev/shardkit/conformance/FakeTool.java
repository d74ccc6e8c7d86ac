package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
        return "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -XX:TieredStopAtLevel=1 -cp '"
                + System.getProperty("java.class.path") + "' " + FakeTool.class.getName() + " {path} {out}" + more;
    }
}
