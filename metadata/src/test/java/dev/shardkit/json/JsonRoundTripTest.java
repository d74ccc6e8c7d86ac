package dev.shardkit.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random JSON that is written reads back with the same lexemes. */
class JsonRoundTripTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void printedText_readsBack() {
        for (int i = 0; i < 2_000; i++) {
            Json tree = tree(0);
            assertEquals(tree, JsonReader.read(JsonPrinter.print(tree), Limits.defaults()), () -> "seed " + seed);
        }
    }

    @Test
    void compactText_readsBack() {
        for (int i = 0; i < 1_000; i++) {
            Json tree = tree(0);
            assertEquals(tree, JsonReader.read(tree.toString(), Limits.defaults()), () -> "seed " + seed);
        }
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Json tree(int depth) {
        return switch (random.nextInt(depth < 5 ? 7 : 5)) {
            case 0 -> new Json.Null();
            case 1 -> new Json.Bool(random.nextBoolean());
            case 2, 3 -> new Json.Num(number());
            case 4 -> new Json.Str(text());
            case 5 -> {
                List<Json> elements = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    elements.add(tree(depth + 1));
                }
                yield new Json.Arr(elements);
            }
            default -> {
                Map<String, Json> members = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    members.put(name(), tree(depth + 1));
                }
                yield new Json.Obj(members);
            }
        };
    }

    private String number() {
        String whole = random.nextInt(4) == 0 ? "0" : 1 + random.nextInt(9) + digits(random.nextInt(25));
        String fraction = random.nextBoolean() ? "." + digits(1 + random.nextInt(19)) : "";
        String exponent = random.nextInt(3) == 0 ? pick("e", "E", "e+", "E-") + digits(1 + random.nextInt(4)) : "";
        return (random.nextBoolean() ? "-" : "") + whole + fraction + exponent;
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }

    /** Returns a name without halves of surrogate pairs, which are refused. */
    private String name() {
        return text().replaceAll("[\\ud800-\\udfff]", "") + pick("", "\ud83d\ude00");
    }

    /** Returns any UTF-16 code units, halves of pairs among them, and often those that need an escape. */
    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            switch (random.nextInt(5)) {
                case 0 -> text.append((char) random.nextInt(0x20));
                case 1 -> text.append(pick("\"", "\\", "/", "~", "\u007f", "\u2028", "\ufeff"));
                case 2 -> text.append((char) (0xd800 + random.nextInt(0x800)));
                case 3 -> text.append((char) random.nextInt(0x10000));
                default -> text.append((char) (0x20 + random.nextInt(0xd800 - 0x20)));
            }
        }
        return text.toString();
    }
}
