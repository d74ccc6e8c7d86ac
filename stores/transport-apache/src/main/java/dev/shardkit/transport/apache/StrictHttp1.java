package dev.shardkit.transport.apache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.nio.ClientHttp1IOEventHandler;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexer;
import org.apache.hc.core5.http.impl.nio.DefaultHttpRequestWriterFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.nio.ContentDecoder;
import org.apache.hc.core5.http.nio.NHttpMessageParser;
import org.apache.hc.core5.http.nio.SessionInputBuffer;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.reactor.ProtocolUpgradeHandler;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Speaks HTTP/1.1, and does not accept incomplete lines (RFC 9112, section 8). Apache's httpcore5 (in comments here:
 * the core) treats the end of the stream as the end of the line and of the head. So without this class, a connection
 * that closes inside a head would look like a response without Content-Length, and one that closes inside the size of a
 * chunk could look like the last chunk.
 *
 * @param processor adds the header fields that each request needs
 * @param config the limits of lines and fields
 */
record StrictHttp1(HttpProcessor processor, Http1Config config) implements ProtocolUpgradeHandler {
    /** Returns the handler of a new connection. */
    ClientHttp1IOEventHandler handler(ProtocolIOSession session) {
        return new ClientHttp1IOEventHandler(new Duplexer(this, session));
    }

    /** Switches a connection to HTTP/1.1 after its TLS handshake has chosen that protocol. */
    @Override
    public void upgrade(ProtocolIOSession session, FutureCallback<ProtocolIOSession> callback) {
        ClientHttp1IOEventHandler handler = handler(session);
        session.upgrade(handler);
        try {
            handler.connected(session);
        } catch (IOException e) {
            handler.exception(session, e);
            return;
        }
        if (callback != null) {
            callback.completed(session);
        }
    }

    /** Uses the strict parsers below for heads and chunks. */
    private static final class Duplexer extends ClientHttp1StreamDuplexer {
        Duplexer(StrictHttp1 settings, ProtocolIOSession session) {
            super(
                    session,
                    settings.processor,
                    settings.config,
                    CharCodingConfig.DEFAULT,
                    null,
                    new Parser(new DefaultHttpResponseParserFactory(settings.config).create()),
                    DefaultHttpRequestWriterFactory.INSTANCE.create(),
                    null,
                    null,
                    null);
        }

        @Override
        protected ContentDecoder createContentDecoder(
                long length, ReadableByteChannel channel, SessionInputBuffer buffer, BasicHttpTransportMetrics metrics)
                throws HttpException {
            return super.createContentDecoder(length, channel, new WholeLines(buffer), metrics);
        }
    }

    /** Parses heads. */
    private record Parser(NHttpMessageParser<HttpResponse> core) implements NHttpMessageParser<HttpResponse> {
        @Override
        public void reset() {
            core.reset();
        }

        /** Returns null if the head is not complete. The core then fails the exchange if the stream has ended. */
        @Override
        public HttpResponse parse(SessionInputBuffer buffer, boolean endOfStream) throws IOException, HttpException {
            HttpResponse head = core.parse(buffer, false); // false: more bytes may follow
            if (head == null && endOfStream && buffer.hasData()) {
                throw new ConnectionClosedException("the connection was closed inside the head of a response");
            }
            return head;
        }
    }

    /** Reads the lines between chunks. A line ends with a line feed, never with the end of the stream. */
    private record WholeLines(SessionInputBuffer core) implements SessionInputBuffer {
        @Override
        public boolean readLine(CharArrayBuffer line, boolean endOfStream) throws IOException {
            boolean isWhole = core.readLine(line, false);
            if (!isWhole && endOfStream) {
                throw new ConnectionClosedException("the connection was closed inside the chunks of a response");
            }
            return isWhole;
        }

        @Override
        public boolean hasData() {
            return core.hasData();
        }

        @Override
        public int length() {
            return core.length();
        }

        @Override
        public int fill(ReadableByteChannel channel) throws IOException {
            return core.fill(channel);
        }

        @Override
        public int read() {
            return core.read();
        }

        @Override
        public int read(ByteBuffer target, int maxBytes) {
            return core.read(target, maxBytes);
        }

        @Override
        public int read(ByteBuffer target) {
            return core.read(target);
        }

        @Override
        public int read(WritableByteChannel target, int maxBytes) throws IOException {
            return core.read(target, maxBytes);
        }

        @Override
        public int read(WritableByteChannel target) throws IOException {
            return core.read(target);
        }
    }
}
