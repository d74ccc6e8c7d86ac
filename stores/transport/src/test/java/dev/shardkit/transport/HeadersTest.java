package dev.shardkit.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private final Headers headers = Headers.of(List.of(
            Map.entry("X-Two", "a"), Map.entry("ETag", "\"1\""), Map.entry("x-two", "b"), Map.entry("X-No", "")));

    @Test
    void names_ignoreCase_andKeepTheOrderOfValues() {
        assertEquals(List.of("a", "b"), headers.allValues("X-TWO"));
        assertEquals(Optional.of("a"), headers.firstValue("x-two"));
        assertEquals(Optional.of(""), headers.firstValue("x-no"));
        assertEquals(List.of(), headers.allValues("X"));
        assertEquals(Optional.empty(), headers.firstValue("X"));
        assertEquals(Set.of("X-Two", "ETag", "X-No"), headers.names());
    }

    @Test
    void fields_areReplacedAndRemoved_inACopy() {
        assertEquals(List.of("c"), headers.with("X-TWO", "c").allValues("x-two"));
        assertEquals(List.of(), headers.without("x-two").allValues("X-Two"));
        assertEquals(List.of("a", "b"), headers.allValues("X-Two"));
        assertThrows(UnsupportedOperationException.class, () -> headers.allValues("X-Two")
                .add("c"));
    }
}
