import dev.shardkit.cli.Main;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs commands of shardkit in one process; run by one_process.py with the jars of the command. Each line of the input has
 * the words of a command, separated by tabs. The answer is the exit status, then standard output and errors, each after
 * its size (numbers of four bytes, big-endian).
 *
 * <p>A line that begins with a tab starts its command (serve) on a thread of its own; its answer is the first line of its
 * output, or everything if the command ends before. A line that holds only a tab interrupts the last of these commands
 * and waits for its end.
 */
final class ManyCommands {
    private static final Deque<Running> RUNNING = new ArrayDeque<>();

    public static void main(String[] args) throws IOException, InterruptedException {
        DataOutputStream answers = new DataOutputStream(System.out);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Running command;
            if (line.equals("\t")) {
                command = RUNNING.pop();
                command.thread.interrupt();
                command.thread.join();
            } else if (line.startsWith("\t")) {
                command = new Running(line.substring(1).split("\t"));
                RUNNING.push(command);
                command.thread.start();
                command.awaitLine();
            } else {
                command = new Running(line.split("\t"));
                command.run();
            }
            answers.writeInt(command.status);
            for (ByteArrayOutputStream bytes : new ByteArrayOutputStream[] {command.out, command.err}) {
                byte[] written = bytes.toByteArray();
                answers.writeInt(written.length);
                answers.write(written);
            }
            answers.flush();
        }
        System.exit(0);
    }

    private static final class Running {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Thread thread = new Thread(this::run);
        private final String[] words;
        private boolean ended;
        volatile int status;

        Running(String[] words) {
            this.words = words;
        }

        void run() {
            status = Main.run(words, InputStream.nullInputStream(), out, err);
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }

        synchronized void awaitLine() throws InterruptedException {
            while (!ended && !out.toString(StandardCharsets.UTF_8).contains("\n")) {
                wait(10);
            }
        }
    }
}
