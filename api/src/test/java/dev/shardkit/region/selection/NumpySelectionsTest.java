package dev.shardkit.region.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ZarrView;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Selections beside what NumPy selects; tools/make_selections.py writes the cases. */
class NumpySelectionsTest {
    private static ZarrArray array;

    @BeforeAll
    static void write() {
        ArraySpec spec = ArraySpec.of("int32", 6, 7, 8).withChunkShape(2, 3, 2).withShardShape(4, 6, 4);
        array = Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        array.write(array.domain(), IntStream.range(0, 336).toArray(), 0);
    }

    @AfterAll
    static void close() {
        array.close();
    }

    static List<String> cases() throws IOException {
        try (InputStream in = NumpySelectionsTest.class.getResourceAsStream("selections.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void selections_areThoseOfNumpy(String line) {
        String[] parts = line.split(" = ?", -1);
        NdArray found = read(parts[0].split("; "));
        assertArrayEquals(numbers(parts[1]), found.shape());
        assertArrayEquals(
                numbers(parts[2]), IntStream.of(found.ints()).asLongStream().toArray());
    }

    private static NdArray read(String[] operations) {
        ZarrView view = array.view();
        for (String operation : operations) {
            String[] words = operation.split(" ", 3);
            if (words[0].equals("points")) {
                long[][] points = Arrays.stream(operation.split(" "))
                        .skip(1)
                        .map(p -> numbers(p.replace(',', ' ')))
                        .toArray(long[][]::new);
                return view.points(points).read();
            } else if (words[0].equals("where")) {
                return view.where(below(view.read(), Integer.parseInt(words[2])))
                        .read();
            }
            view = select(view, words[0], Integer.parseInt(words[1]), numbers(words.length < 3 ? "" : words[2]));
        }
        return view.read();
    }

    private static ZarrView select(ZarrView view, String operation, int d, long[] of) {
        return switch (operation) {
            case "at" -> view.at(d, of[0]);
            case "range" -> view.range(d, of[0], of[1], of[2]);
            case "indices" -> view.indices(d, of);
            case "reversed" -> view.reversed(d);
            case "mask" -> {
                boolean[] mask = new boolean[of.length];
                IntStream.range(0, of.length).forEach(i -> mask[i] = of[i] == 1);
                yield view.mask(d, mask);
            }
            default -> throw new AssertionError(operation);
        };
    }

    private static NdArray below(NdArray values, int limit) {
        boolean[] mask = new boolean[values.ints().length];
        IntStream.range(0, mask.length).forEach(i -> mask[i] = values.ints()[i] < limit);
        return NdArray.of(CoreTypes.BOOL, values.shape(), mask);
    }

    private static long[] numbers(String text) {
        return text.isBlank()
                ? new long[0]
                : Arrays.stream(text.strip().split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
    }
}
