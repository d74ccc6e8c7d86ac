package dev.shardkit.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs every input that was kept, findings that were mended among them, without Jazzer. */
class CorpusTest {
    private static final Path CORPUS = Path.of("corpus");

    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void keptInputs_endInValuesOrDeclaredErrors(FuzzTarget target) throws IOException {
        List<Path> inputs;
        try (Stream<Path> files = Files.list(CORPUS.resolve(target.corpus()))) {
            inputs = files.sorted().toList();
        }
        assertFalse(inputs.isEmpty(), "no corpus");
        for (Path input : inputs) {
            try {
                target.run(Files.readAllBytes(input));
            } catch (Throwable e) {
                throw new AssertionError(input.toString(), e);
            }
        }
    }
}
