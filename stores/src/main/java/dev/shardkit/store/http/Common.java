package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.lang.System.Logger.Level;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** What all calls of one store share. Thread-safe. */
final class Common {
  private static final System.Logger LOG = System.getLogger("dev.shardkit.store.http");

  /** What the builder was told. */
  record Settings(Duration deadline, RetryPolicy retries, long largestObject, Supplier<Map<String, String>> headers,
      Supplier<String> token) {}

  /** A request, and what in it must not be seen in messages. */
  record Prepared(HttpRequest request, Set<String> secrets) {}

  /** Whose the client is. */
  enum Origin { OURS, CALLERS }

  private final Endpoint endpoint;
  private final HttpClient client;
  private final Origin origin;
  private final Settings settings;
  private final Executor executor;
  private final Permits permits;
  private final Traffic traffic = new Traffic(System::nanoTime);
  private final AtomicReference<Ranges> ranges = new AtomicReference<>(Ranges.ALL);
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  Common(Endpoint endpoint, HttpClient client, Origin origin, Settings settings, int parallel) {
    this.endpoint = endpoint;
    this.client = client;
    this.origin = origin;
    this.settings = settings;
    this.executor = client.executor().orElseGet(ForkJoinPool::commonPool);
    this.permits = new Permits(parallel, this::handOver);
  }

  Endpoint endpoint() {
    return endpoint;
  }

  HttpClient client() {
    return client;
  }

  Origin origin() {
    return origin;
  }

  Settings settings() {
    return settings;
  }

  /** Runs {@code work} on another thread; here if the caller's executor takes none any more. */
  void handOver(Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      work.run();
    }
  }

  Traffic traffic() {
    return traffic;
  }

  Permits permits() {
    return permits;
  }

  AtomicReference<Ranges> ranges() {
    return ranges;
  }

  Set<Call> calls() {
    return calls;
  }

  Set<String> secrets() {
    return endpoint.secrets();
  }

  Prepared prepare(String key, Ask ask, Optional<String> pin) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept-Encoding", "identity");
    headers.put("User-Agent", UserAgent.VALUE);
    ask.header().ifPresent(r -> headers.put("Range", r));
    Version.ifMatch(pin).ifPresent(tag -> headers.put("If-Match", tag));
    endpoint.basicAuthorization().ifPresent(b -> headers.put("Authorization", b));
    Map<String, String> own = callersHeaders();
    HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.uri(key)).GET();
    headers.forEach((name, value) -> {
      if (own.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
        request.setHeader(name, value);
      }
    });
    own.forEach((name, value) -> set(request, name, value));
    Set<String> secrets = new LinkedHashSet<>(endpoint.secrets());
    secrets.addAll(own.values());
    own.values().stream().filter(v -> v.startsWith("Bearer ")).forEach(v -> secrets.add(v.substring(7)));
    return new Prepared(request.build(), secrets);
  }

  /** What a supplier throws may hold what it supplies, so only the kind of failure is passed on. */
  private Map<String, String> callersHeaders() {
    try {
      Map<String, String> own = new LinkedHashMap<>(settings.headers().get());
      String token = settings.token().get();
      if (!token.isEmpty()) {
        own.put("Authorization", "Bearer " + token);
      }
      return own;
    } catch (RuntimeException e) {
      throw new StoreException("the supplier of headers or of the token failed with " + e.getClass().getName());
    }
  }

  private static void set(HttpRequest.Builder request, String name, String value) {
    try {
      request.setHeader(name, value);
    } catch (IllegalArgumentException e) {
      throw new StoreException("a header that cannot be sent: " + name);
    }
  }

  ZarrException ours(String what, Throwable failure, Set<String> secrets) {
    return Call.ours(what, failure, secrets);
  }

  void log(String key, Ask ask, int status, long nanos) {
    if (LOG.isLoggable(Level.DEBUG)) {
      LOG.log(Level.DEBUG, "GET {0} ({1}) from {2}: HTTP {3}, {4} ms", key, ask, endpoint.describe(), status,
          nanos / 1_000_000);
    }
  }
}
