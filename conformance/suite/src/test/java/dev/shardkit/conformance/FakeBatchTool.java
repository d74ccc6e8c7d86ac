package dev.shardkit.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A batch tool that does what the file {@code mode} in the array's folder says. It starts often, so it loads no JSON
 * library; the questions of these tests have no escapes.
 */
final class FakeBatchTool {
    private static final int MIB = 1 << 20;

    private FakeBatchTool() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0) {
            System.out.println(arguments[0]);
        } else {
            System.out.println("{\"protocol\": 1, \"tool\": \"fake\"}");
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            answer(line);
        }
    }

    /** A member of a question; an empty string if it has none. */
    private static String member(String question, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": *(\"[^\"]*\"|\\[\\[.*?\\]\\])")
                .matcher(question);
        return found.find() ? found.group(1).replace("\"", "") : "";
    }

    private static void answer(String question) throws IOException, InterruptedException {
        Path folder = Path.of(member(question, "path"));
        Path out = Path.of(member(question, "out"));
        String mode = Files.readString(folder.resolve("mode"));
        switch (mode) {
            case "values" -> Files.copy(folder.resolve("values"), out);
            case "selection" ->
                Files.writeString(out, member(question, "selection").replace(" ", ""));
            case "exit" -> System.exit(0);
            case "crash" -> Runtime.getRuntime().halt(134);
            case "hang" -> Thread.sleep(Long.MAX_VALUE);
            case "chatter" -> {
                System.out.println("a warning\n{ not json\n[1]");
                Files.copy(folder.resolve("values"), out);
            }
            case "flood" -> flood();
            case "huge" -> {
                try (RandomAccessFile file = new RandomAccessFile(out.toFile(), "rw")) {
                    file.setLength(1L << 30);
                }
                Thread.sleep(Long.MAX_VALUE);
            }
            case "fork" -> {
                new ProcessBuilder("sleep", "87431").inheritIO().start();
                Runtime.getRuntime().halt(0);
            }
            case "nan" -> {
                System.out.println("{" + id(question) + ", \"out\": \"elsewhere\", \"x\": NaN}");
                Files.copy(folder.resolve("values"), out);
            }
            case "trailing" -> {
                System.out.println("{" + id(question) + ", \"out\": \"elsewhere\"} and more");
                Files.copy(folder.resolve("values"), out);
            }
            case "bytes" -> {
                System.out.write(new byte[] {'{', '"', (byte) 0xff, '\n'});
                Files.copy(folder.resolve("values"), out);
            }
            case "add" -> {
                Files.writeString(folder.resolve("zarr.json"), "{}");
                Files.copy(folder.resolve("values"), out);
            }
            case "spoil" -> Files.writeString(folder.resolve("values"), "abcd");
            case "folder" -> Files.createDirectory(out);
            case "memory" -> {
                byte[] bomb = new byte[400 * MIB];
                Arrays.fill(bomb, (byte) 1);
                System.err.println(bomb[bomb.length - 1]);
            }
            default -> {}
        }
        say(question, out, mode);
    }

    private static String id(String question) {
        return "\"id\": \"" + member(question, "id") + "\"";
    }

    private static void flood() {
        char[] line = new char[MIB];
        Arrays.fill(line, 'x');
        while (true) {
            System.out.print(line);
        }
    }

    private static void say(String question, Path out, String mode) {
        String id = mode.equals("stranger") ? "other" : member(question, "id");
        String rest =
                switch (mode) {
                    case "neither" -> "{}";
                    case "elsewhere" -> "\"out\": \"/somewhere/else\"";
                    case "metadata", "spoil", "index", "data", "whim", "memory" ->
                        "\"error\": {\"kind\": \"" + mode + "\", \"message\": \"no\"}";
                    default -> "\"out\": \"" + out + "\"";
                };
        String quoted = mode.equals("number") ? "1" : "\"" + id + "\"";
        System.out.println("{\"id\": " + quoted + ", " + (rest.equals("{}") ? "\"x\": 1" : rest) + "}");
    }

    static String command(String more) {
        return FakeTool.java(FakeBatchTool.class) + more;
    }
}
