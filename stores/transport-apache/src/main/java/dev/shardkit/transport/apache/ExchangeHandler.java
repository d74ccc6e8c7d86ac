package dev.shardkit.transport.apache;

import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.concurrent.ComplexCancellable;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStreamResetException;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.net.URIAuthority;

/**
 * Sends the request of an exchange over one connection, and passes the response to the receiver. The core calls it on
 * an I/O thread. An exchange that moves to another connection gets a new handler.
 */
final class ExchangeHandler implements AsyncClientExchangeHandler {
    private final RunningExchange running;
    private final Connection connection;
    private final Request request;
    private final Upload upload;
    /** Cancels the stream of HTTP/2. */
    private final ComplexCancellable stream = new ComplexCancellable();

    private final AtomicBoolean isOver = new AtomicBoolean();

    /** Whether the core has begun to send the request. */
    private volatile boolean sent;

    private Transport.BodyReceiver body = bytes -> Transport.Wish.MORE;

    ExchangeHandler(RunningExchange running, Connection connection, Request request) {
        this.running = running;
        this.connection = connection;
        this.request = request;
        this.upload = new Upload(request.payload());
    }

    /** Passes the request to the connection. */
    void begin() {
        if (!connection.execute(this, stream) && !sent) {
            cancel(); // the connection was closed, so the core may never execute the request
        }
    }

    /** Called if the exchange ended before its request was sent. The connection can be reused. */
    void release() {
        if (isOver.compareAndSet(false, true)) {
            connection.release(true); // reusable
        }
    }

    /** Ends the exchange before its response is complete. */
    void abort() {
        if (isOver.compareAndSet(false, true)) {
            connection.abort(stream);
        }
    }

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        sent = true;
        channel.sendRequest(head(), upload.details(), context);
    }

    /** Returns the head of the request in the form of the core. */
    private BasicHttpRequest head() throws IOException {
        URI uri = request.uri();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        URIAuthority authority = new URIAuthority(connection.host(), uri.getPort());
        BasicHttpRequest head = new BasicHttpRequest(
                request.method(),
                uri.getScheme(),
                authority,
                connection.wantsWholeUrl() ? uri.getScheme() + "://" + uri.getRawAuthority() + target : target);
        request.headers().forEach(head::addHeader);
        return head;
    }

    @Override
    public int available() {
        return upload.available();
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
        upload.write(channel);
    }

    @Override
    public void consumeInformation(HttpResponse response, HttpContext context) {}

    @Override
    public void consumeResponse(HttpResponse response, EntityDetails entity, HttpContext context) throws IOException {
        if (isOver.get()) {
            throw reset();
        }
        try {
            body = running.receiver().head(new Head(response.getCode(), headers(response)));
        } catch (Throwable e) {
            throw brokenBy(e);
        }
        if (entity == null) {
            complete();
        }
    }

    private static Headers headers(HttpResponse response) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (Iterator<Header> iterator = response.headerIterator(); iterator.hasNext(); ) {
            Header field = iterator.next();
            fields.add(Map.entry(field.getName(), field.getValue() == null ? "" : field.getValue()));
        }
        return Headers.of(fields);
    }

    /** Bodies are consumed immediately, so there is always capacity. */
    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer bytes) throws IOException {
        if (isOver.get()) {
            throw reset();
        }
        Transport.Wish wish;
        try {
            wish = body.take(bytes);
        } catch (Throwable e) {
            throw brokenBy(e);
        }
        if (wish == Transport.Wish.STOP) {
            if (isOver.compareAndSet(false, true)) {
                connection.stopped();
                running.done();
            }
            throw reset();
        }
    }

    /**
     * Fails the exchange with the exception of the receiver. Returns the exception that resets the connection or
     * stream.
     */
    private IOException brokenBy(Throwable thrown) {
        if (isOver.compareAndSet(false, true)) {
            connection.stopped();
            running.failed(thrown);
        }
        return reset();
    }

    /** Returns an exception that makes the core close the connection (HTTP/1.1) or the stream (HTTP/2). */
    private static IOException reset() {
        return new HttpStreamResetException("the reader cancelled the rest of the response");
    }

    @Override
    public void streamEnd(List<? extends Header> trailers) {
        complete();
    }

    private void complete() {
        if (isOver.compareAndSet(false, true)) {
            connection.release(upload.available() == 0); // reusable only if the whole request was sent
            running.done();
        }
    }

    @Override
    public void failed(Exception cause) {
        if (isOver.compareAndSet(false, true)) {
            connection.stopped();
            if (sent) {
                running.failed(RunningExchange.io(cause));
            } else {
                running.notSent(RunningExchange.io(cause));
            }
        }
    }

    /** The core calls this for a request that it will not send because the connection is closing. */
    @Override
    public void cancel() {
        failed(new ConnectionClosedException("the connection was closed"));
    }

    @Override
    public void releaseResources() {
        cancel();
    }
}
