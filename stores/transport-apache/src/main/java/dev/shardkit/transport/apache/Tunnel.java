package dev.shardkit.transport.apache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Requests a tunnel to a server from a proxy (HTTP method CONNECT), and reports the result once. */
final class Tunnel implements AsyncClientExchangeHandler {
    private final HttpHost target;
    private final Runnable onEstablished;
    private final Consumer<IOException> refused;
    private final AtomicBoolean isOver = new AtomicBoolean();

    Tunnel(OriginConnections.Key key, Runnable onEstablished, Consumer<IOException> refused) {
        this.target = new HttpHost("https", key.host(), key.port());
        this.onEstablished = onEstablished;
        this.refused = refused;
    }

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        BasicHttpRequest request = new BasicHttpRequest("CONNECT", target, target.toHostString());
        request.setVersion(HttpVersion.HTTP_1_1);
        channel.sendRequest(request, null, context);
    }

    @Override
    public int available() {
        return 0;
    }

    @Override
    public void produce(DataStreamChannel channel) {}

    @Override
    public void consumeInformation(HttpResponse response, HttpContext context) {}

    @Override
    public void consumeResponse(HttpResponse response, EntityDetails entity, HttpContext context) {
        if (response.getCode() / 100 != 2) {
            failed(new IOException("expected a tunnel to " + target.toHostString() + ", found HTTP "
                    + response.getCode() + " from the proxy"));
        } else if (isOver.compareAndSet(false, true)) {
            onEstablished.run();
        }
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer bytes) {}

    @Override
    public void streamEnd(List<? extends Header> trailers) {}

    @Override
    public void failed(Exception cause) {
        if (isOver.compareAndSet(false, true)) {
            refused.accept(RunningExchange.io(cause));
        }
    }

    @Override
    public void cancel() {
        failed(new ConnectionClosedException("the proxy closed the connection"));
    }

    @Override
    public void releaseResources() {
        cancel();
    }
}
