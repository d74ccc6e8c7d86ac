package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.spi.type.CoreTypes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SelectionReadTest {
    /** A step that has its outcome already when it is cancelled, but has not passed it on. */
    private static final class LateStep<T> extends CompletableFuture<T> {
        private boolean isAskedToStop;

        @Override
        public boolean cancel(boolean mayInterrupt) {
            isAskedToStop = true;
            return false;
        }
    }

    private final CfValues label = CfValues.ofIndices("x", new long[1]);
    private final NdArray stored = NdArray.of(CoreTypes.INT64, new long[] {1}, new long[1]);
    private final LateStep<CfValues> coordinate = new LateStep<>();
    private final LateStep<NdArray> elements = new LateStep<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger decoded = new AtomicInteger();

    private SelectionRead start() {
        return SelectionRead.start(
                List.of(() -> coordinate),
                () -> {
                    begun.incrementAndGet();
                    return elements;
                },
                values -> {
                    decoded.incrementAndGet();
                    return label;
                });
    }

    @Test
    void cancelledRead_beginsNoFurtherStep() {
        SelectionRead first = start();
        assertTrue(first.cancel(true));
        assertTrue(coordinate.isAskedToStop);
        coordinate.complete(label);
        assertEquals(0, begun.get());
        SelectionRead second = start();
        assertEquals(1, begun.get());
        second.cancel(true);
        elements.complete(stored);
        assertEquals(0, decoded.get());
    }

    @Test
    void readThatEndsByItsCaller_stopsItsSteps() {
        SelectionRead read = start();
        read.completeExceptionally(new IllegalStateException("deadline"));
        assertTrue(coordinate.isAskedToStop);
    }
}
