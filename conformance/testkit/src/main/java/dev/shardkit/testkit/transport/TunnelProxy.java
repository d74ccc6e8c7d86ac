package dev.shardkit.testkit.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;

/** An HTTP proxy for tests of TLS: answers requests with the method CONNECT in one of three ways. */
final class TunnelProxy implements AutoCloseable {
    /** What the proxy does with a request. */
    enum Reaction {
        MAKE_A_TUNNEL,
        /** Answers with status 502. */
        REFUSE,
        /** Keeps the connection open and never answers. */
        BE_SILENT
    }

    private final ServerSocket listening;
    private final ExecutorService threads;
    private final Reaction reaction;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Starts a proxy. */
    TunnelProxy(ExecutorService threads, Reaction reaction) throws IOException {
        this.threads = threads;
        this.reaction = reaction;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
    }

    /** Returns the first line of each request. */
    List<String> asked() {
        return asked;
    }

    /** Accepts connections until the proxy is closed. */
    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) { // closed
            return;
        }
    }

    /** Answers one request, and serves its tunnel until a side closes. */
    private void serve(Socket client) {
        try (client) {
            String head = head(client.getInputStream());
            asked.add(head.substring(0, head.indexOf('\r')));
            String[] target = head.split(" ")[1].split(":");
            if (reaction == Reaction.BE_SILENT) {
                client.getInputStream().read(); // until the client closes
                return;
            } else if (reaction == Reaction.REFUSE) {
                answer(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
                return;
            }
            try (Socket server = new Socket(target[0], Integer.parseInt(target[1]))) {
                answer(client, "HTTP/1.1 200 OK\r\n\r\n");
                threads.execute(() -> pump(server, client));
                pump(client, server);
            }
        } catch (IOException e) { // a side closed
            return;
        }
    }

    /** Reads a request up to the empty line that ends it. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the end before a request");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void answer(Socket client, String answer) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** Copies bytes from one side of a tunnel to the other until the end. */
    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) { // a side closed
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
