package dev.shardkit.store.http;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** One exchange, whose answer's times and bytes are told to {@link Traffic}; all else is the handler's. */
final class Measured implements HttpResponse.BodyHandler<Outcome> {
  private final HttpResponse.BodyHandler<Outcome> handler;
  private final Traffic traffic;
  private final Common.Origin client;
  private final long sent = System.nanoTime();
  private boolean begun;
  private boolean ended;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private volatile int status;

  Measured(HttpResponse.BodyHandler<Outcome> handler, Common common) {
    this.handler = handler;
    this.traffic = common.traffic();
    this.client = common.origin();
  }

  @Override
  public HttpResponse.BodySubscriber<Outcome> apply(HttpResponse.ResponseInfo info) {
    synchronized (this) {
      if (!ended && !begun) {
        begun = true;
        traffic.begun(System.nanoTime() - sent);
      }
    }
    status = info.statusCode();
    HttpResponse.BodySubscriber<Outcome> body = handler.apply(info);
    // A caller's client may send again and hand on another answer. What is done on a thread of HTTP/2 keeps all others
    // of its connection waiting.
    boolean last = client == Common.Origin.OURS && info.version() == HttpClient.Version.HTTP_1_1
        && (status == 200 || status == 206);
    if (last) {
      body.getBody().thenAccept(outcome::complete);
    }
    return new Counted(body);
  }

  /** What the body says, as soon as all of it is there, where nothing waits for the exchange's own end. */
  CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  /** The status of the answer, once there is one. */
  int status() {
    return status;
  }

  /** The exchange is over, however it went. */
  synchronized void end() {
    if (begun && !ended) {
      traffic.ended();
    }
    ended = true;
  }

  private final class Counted implements HttpResponse.BodySubscriber<Outcome> {
    private final HttpResponse.BodySubscriber<Outcome> body;

    Counted(HttpResponse.BodySubscriber<Outcome> body) {
      this.body = body;
    }

    @Override
    public CompletionStage<Outcome> getBody() {
      return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      body.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      long n = 0;
      for (ByteBuffer b : buffers) {
        n += b.remaining();
      }
      traffic.came(n);
      body.onNext(buffers);
    }

    @Override
    public void onError(Throwable failure) {
      body.onError(failure);
    }

    @Override
    public void onComplete() {
      body.onComplete();
    }
  }
}
