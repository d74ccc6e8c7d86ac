package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The client that a transport creates for itself. */
class IdleClosedClientTest {
    private final List<Object> made = new ArrayList<>();
    private final List<Object> ended = new ArrayList<>();
    private final IdleClosedClient<Object> own = new IdleClosedClient<>(this::make, ended::add, client -> true);

    private Object make() {
        made.add(new Object());
        return made.get(made.size() - 1);
    }

    @Test
    void exchanges_shareAClient_andClosingEndsIt() throws IOException {
        assertSame(own.use(), own.use());
        own.close();
        assertEquals(made, ended);
        own.giveBack();
        own.giveBack();
        assertFalse(own.isOpen());
    }

    /** An exchange that was cancelled while its request was made may ask after the end: nobody would end its client. */
    @Test
    void exchangeAfterTheEnd_getsNoClient() throws IOException {
        own.close();
        assertEquals(
                "the transport was closed",
                assertThrows(IOException.class, own::use).getMessage());
        assertEquals(List.of(), made);
    }
}
