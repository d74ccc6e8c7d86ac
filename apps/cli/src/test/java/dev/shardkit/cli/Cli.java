package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the command within this process. */
public final class Cli {
    private Cli() {}

    /** What a run left behind. */
    public record Result(int status, byte[] bytes, String err) {
        public String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        public List<String> lines() {
            return out().lines().toList();
        }

        public Json json() {
            return JsonReader.read(bytes, Limits.defaults());
        }

        public Json.Obj object() {
            return (Json.Obj) json();
        }
    }

    public static Result run(String... args) {
        return run(new byte[0], args);
    }

    public static Result run(byte[] in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Main.run(args, new ByteArrayInputStream(in), out, err);
        return new Result(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** A run that succeeds and says nothing beside its data. */
    public static Result good(String... args) {
        Result result = run(args);
        assertEquals("", result.err());
        assertEquals(0, result.status());
        return result;
    }

    /** A run that fails with {@code status} and one line that has {@code part} in it. */
    public static Result bad(int status, String part, String... args) {
        Result result = run(args);
        assertEquals(status, result.status(), result.err());
        assertTrue(result.err().startsWith("shardkit: ") && result.err().contains(part), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
        return result;
    }
}
