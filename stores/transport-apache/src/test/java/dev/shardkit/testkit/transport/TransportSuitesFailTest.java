package dev.shardkit.testkit.transport;

import dev.shardkit.testkit.ContractRun;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.apache.ApacheTransportProvider;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tests of the suites of transports fail for a client with a flaw. {@code headersThatCannotBeSent...} is left out:
 * it checks requests, which no client makes.
 */
@Tag("one-jdk")
class TransportSuitesFailTest {
    /** Apache's client, with other settings and receivers than it was given. */
    private record Flawed(UnaryOperator<TransportSettings> settings, UnaryOperator<Transport> transport)
            implements TransportProvider {
        @Override
        public String name() {
            return "flawed";
        }

        @Override
        public Transport open(TransportSettings asked) {
            return transport.apply(new ApacheTransportProvider().open(settings.apply(asked)));
        }
    }

    private static class Other implements Transport {
        private final Transport good;
        private final UnaryOperator<Receiver> receivers;

        Other(Transport good, UnaryOperator<Receiver> receivers) {
            this.good = good;
            this.receivers = receivers;
        }

        @Override
        public Exchange send(Receiver receiver) {
            return good.send(receivers.apply(receiver));
        }

        @Override
        public void execute(Runnable work) {
            good.execute(work);
        }

        @Override
        public void close() {
            good.close();
        }
    }

    /** Passes everything on; subclasses change one thing. */
    private static class Passes implements Transport.Receiver {
        final Transport.Receiver to;

        Passes(Transport.Receiver to) {
            this.to = to;
        }

        @Override
        public Request request() {
            return to.request();
        }

        @Override
        public boolean requestMayWait() {
            return to.requestMayWait();
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            return to.head(head);
        }

        @Override
        public void done() {
            to.done();
        }

        @Override
        public void failed(Throwable failure) {
            to.failed(failure);
        }
    }

    private static Supplier<TransportProvider> receivers(UnaryOperator<Transport.Receiver> flaw) {
        return () -> new Flawed(UnaryOperator.identity(), good -> new Other(good, flaw));
    }

    private static Supplier<TransportProvider> requests(UnaryOperator<Request> flaw) {
        return receivers(to -> new Passes(to) {
            @Override
            public Request request() {
                return flaw.apply(super.request());
            }
        });
    }

    private static Supplier<TransportProvider> settings(UnaryOperator<TransportSettings> flaw) {
        return () -> new Flawed(flaw, UnaryOperator.identity());
    }

    private static final Supplier<TransportProvider> NO_PROXY =
            settings(s -> new TransportSettings(s.protocol(), s.connectTimeout(), Optional.empty(), s.tls()));

    private static Supplier<TransportProvider> trusting(Optional<SSLContext> tls) {
        return settings(s -> new TransportSettings(s.protocol(), s.connectTimeout(), s.proxy(), tls));
    }

    private static final Supplier<TransportProvider> FAILURES_ARE_ENDS = receivers(to -> new Passes(to) {
        @Override
        public void failed(Throwable failure) {
            done();
        }
    });

    private static Request withHeader(Request r, String name, String value) {
        Map<String, String> headers = new HashMap<>(r.headers());
        headers.put(name, value);
        return new Request(r.method(), r.uri(), headers, r.payload());
    }

    /** Sends each request twice, the first time for nobody. */
    private static Transport.Receiver twice(Transport good, Transport.Receiver to) {
        CountDownLatch first = new CountDownLatch(1);
        good.send(new Passes(to) {
            @Override
            public Transport.BodyReceiver head(Head head) {
                return bytes -> Transport.Wish.MORE;
            }

            @Override
            public void done() {
                first.countDown();
            }

            @Override
            public void failed(Throwable failure) {
                first.countDown();
            }
        });
        TransportFixture.await(first);
        return to;
    }

    @Test
    void exchanges() {
        fail(Map.of(
                "put_sendsItsPieces_andAgain",
                requests(r ->
                        new Request(r.method(), r.uri(), r.headers(), Payload.of(List.of(ByteBuffer.allocate(5))))),
                "methodsWithoutABody_saySo",
                requests(r -> new Request("GET", r.uri(), r.headers(), r.payload())),
                "statusAndHeaders_arrive_andRedirectsAreNotFollowed",
                receivers(to -> new Passes(to) {
                    @Override
                    public Transport.BodyReceiver head(Head head) {
                        return super.head(new Head(200, head.headers()));
                    }
                }),
                "noHeaderOfTheClientsOwn_asksForAnEncoding",
                requests(r -> withHeader(r, "Accept-Encoding", "gzip")),
                "statusesOfErrors_areAnswers_andNotSentAgain",
                () -> new Flawed(UnaryOperator.identity(), good -> new Other(good, to -> twice(good, to))),
                "many_shareConnections",
                requests(r -> withHeader(r, "Connection", "close")),
                "proxy_isUsed",
                NO_PROXY));
    }

    private static void fail(Map<String, Supplier<TransportProvider>> flaws) {
        Assertions.assertEquals(Map.of(), ContractRun.failures(() -> exchanges(ApacheTransportProvider::new)));
        flaws.forEach((test, flaw) -> ContractRun.assertFails(test, () -> exchanges(flaw)));
    }

    private static TransportContract exchanges(Supplier<TransportProvider> provider) {
        return new TransportContract() {
            @Override
            protected TransportProvider provider() {
                return provider.get();
            }
        };
    }

    private static TransportEndsContract ends(Supplier<? extends TransportProvider> provider) {
        return new TransportEndsContract() {
            @Override
            protected TransportProvider provider() {
                return provider.get();
            }
        };
    }

    /** Refuses the tenth exchange and all that follow. */
    private static Supplier<TransportProvider> few() {
        AtomicInteger sent = new AtomicInteger();
        return receivers(to -> sent.incrementAndGet() < 10
                ? to
                : new Passes(to) {
                    @Override
                    public Request request() {
                        throw new IllegalStateException("full");
                    }
                });
    }

    /** Makes a request that need not wait within {@code send}, and tells of its failure there. */
    private static Supplier<TransportProvider> failsAtOnce() {
        return receivers(to -> {
            if (!to.requestMayWait()) {
                try {
                    to.request();
                } catch (RuntimeException e) {
                    to.failed(e);
                }
            }
            return to;
        });
    }

    private static Transport throwsAtCancel(Transport good) {
        return new Other(good, UnaryOperator.identity()) {
            @Override
            public Exchange send(Receiver receiver) {
                Exchange exchange = super.send(receiver);
                return () -> {
                    exchange.cancel();
                    throw new IllegalStateException("cannot be cancelled");
                };
            }
        };
    }

    @Test
    void ends() {
        ContractRun.assertEachCanFail(
                TransportSuitesFailTest::ends,
                ApacheTransportProvider::new,
                Map.of(
                        "bodyThatStops_isDone",
                        receivers(to -> new Passes(to) {
                            @Override
                            public void done() {
                                failed(new IOException("stopped"));
                            }
                        }),
                        "cancel_endsTheExchange_andItsConnection",
                        () -> new Flawed(UnaryOperator.identity(), TransportSuitesFailTest::throwsAtCancel),
                        "shortBody_fails",
                        FAILURES_ARE_ENDS,
                        "refusedConnection_fails",
                        FAILURES_ARE_ENDS,
                        "requestThatCannotBeMade_andReceiverThatThrows_fail",
                        FAILURES_ARE_ENDS,
                        "requestThatCannotBeMade_failsFromAnotherThread",
                        failsAtOnce(),
                        "callsThatMayWait_stopNoOtherExchange",
                        few(),
                        "closing_failsWhatIsUnderWay",
                        FAILURES_ARE_ENDS));
    }

    private static TransportCutsContract cuts(Supplier<? extends TransportProvider> provider) {
        return new TransportCutsContract() {
            @Override
            protected TransportProvider provider() {
                return provider.get();
            }
        };
    }

    @Test
    void cuts() {
        ContractRun.assertEachCanFail(
                TransportSuitesFailTest::cuts,
                ApacheTransportProvider::new,
                Map.of(
                        "answerThatEndsEarly_fails", FAILURES_ARE_ENDS,
                        "answerThatIsReset_fails", FAILURES_ARE_ENDS));
    }

    private static TransportTlsContract tls(Supplier<? extends TransportProvider> provider) {
        return new TransportTlsContract() {
            @Override
            protected TransportProvider provider() {
                return provider.get();
            }
        };
    }

    /** A context that trusts every certificate, of whatever name. */
    private static SSLContext careless() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void tls() {
        Supplier<TransportProvider> careless = trusting(Optional.of(careless()));
        ContractRun.assertEachCanFail(
                TransportSuitesFailTest::tls,
                ApacheTransportProvider::new,
                Map.of(
                        "certificateThatIsTrusted_serves", trusting(Optional.empty()),
                        "certificateThatIsNotTrusted_fails", careless,
                        "certificateOfAnotherName_fails", careless,
                        "proxy_makesATunnel", NO_PROXY,
                        "proxyThatRefusesATunnel_fails", NO_PROXY,
                        "proxyThatDoesNotAnswer_fails_onceTheTimeToConnectIsOver", NO_PROXY));
    }
}
