import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Closing a socket does not end a write of another thread to a client that does not read; on Windows it does. */
public final class CloseWhileWriting {
    public static void main(String[] arguments) throws Exception {
        ServerSocketChannel listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        SocketChannel client = SocketChannel.open(listening.getLocalAddress());
        SocketChannel server = listening.accept();
        Thread writer = new Thread(() -> {
            try {
                while (client.isOpen()) {
                    server.write(ByteBuffer.allocate(1 << 20));
                }
            } catch (IOException e) {
                return;
            }
        });
        Thread closer = new Thread(() -> {
            try {
                server.close();
            } catch (IOException e) {
                return;
            }
        });
        writer.setDaemon(true);
        closer.setDaemon(true);
        writer.start();
        writer.join(1500); // until it waits
        closer.start();
        writer.join(5000);
        System.out.println(writer.isAlive() ? "shown" : "not shown");
        System.exit(0);
    }
}
