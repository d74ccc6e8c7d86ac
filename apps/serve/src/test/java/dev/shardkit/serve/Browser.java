package dev.shardkit.serve;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium, driven by the WebDriver protocol (W3C) of Debian's chromium-driver. */
final class Browser implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("started successfully on port ([0-9]+)");
    private static final int PATIENCE_MILLIS = 120_000;

    private final Process driver;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String session;

    private Browser(Process driver, String base) throws IOException, InterruptedException {
        this.driver = driver;
        String arguments = "[\"--headless=new\",\"--no-sandbox\",\"--disable-gpu\",\"--disable-dev-shm-usage\","
                + "\"--disable-background-networking\",\"--no-first-run\",\"--window-size=1200,1150\"]";
        Json.Obj opened = (Json.Obj) post(
                base + "/session",
                "{\"capabilities\":{\"alwaysMatch\":{\"browserName\":\"chrome\",\"timeouts\":{\"script\":"
                        + PATIENCE_MILLIS + "},\"goog:chromeOptions\":{\"args\":" + arguments + "}}}}");
        this.session = base + "/session/" + ((Json.Str) opened.members().get("sessionId")).value();
    }

    /** Starts a browser; empty if Chromium or its driver is not installed. */
    static Optional<Browser> find() throws IOException, InterruptedException {
        Optional<Path> chromedriver = program("chromedriver");
        if (chromedriver.isEmpty() || program("chromium").isEmpty()) {
            return Optional.empty();
        }
        Process driver = new ProcessBuilder(chromedriver.get().toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        BufferedReader out = driver.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                Thread drain = new Thread(() -> out.lines().forEach(ignored -> {}), "chromedriver-output");
                drain.setDaemon(true);
                drain.start();
                return Optional.of(new Browser(driver, "http://127.0.0.1:" + port.group(1)));
            }
        }
        throw new IOException("chromedriver did not start");
    }

    private static Optional<Path> program(String name) {
        List<String> folders = Arrays.asList(
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(":"));
        return folders.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Loads a page. */
    void visit(URI page) throws IOException, InterruptedException {
        post(session + "/url", "{\"url\":" + Json.of(page.toString()) + "}");
    }

    /** Runs the body of a function in the page and returns its value. */
    Json run(String script) throws IOException, InterruptedException {
        return post(session + "/execute/sync", "{\"script\":" + Json.of(script) + ",\"args\":[]}");
    }

    /** Waits until an expression of the page is true; the page itself tests it, at each change and each frame. */
    void await(String condition) throws IOException, InterruptedException {
        String script = "const done = arguments[0]; const test = () => { if (" + condition
                + ") { done(true); } else { requestAnimationFrame(test); } }; test();";
        post(session + "/execute/async", "{\"script\":" + Json.of(script) + ",\"args\":[]}");
    }

    /** Moves the mouse to a place of the window, in pixels from its left upper corner. */
    void pointAt(long x, long y) throws IOException, InterruptedException {
        post(
                session + "/actions",
                "{\"actions\":[{\"type\":\"pointer\",\"id\":\"mouse\",\"parameters\":{\"pointerType\":\"mouse\"},"
                        + "\"actions\":[{\"type\":\"pointerMove\",\"duration\":0,\"x\":" + x + ",\"y\":" + y + "}]}]}");
    }

    /** Returns a picture of the window as PNG. */
    byte[] screenshot() throws IOException, InterruptedException {
        return Base64.getDecoder()
                .decode(((Json.Str) answer(HttpRequest.newBuilder(URI.create(session + "/screenshot")))).value());
    }

    private Json post(String url, String body) throws IOException, InterruptedException {
        return answer(HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private Json answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        Json.Obj document = (Json.Obj) JsonReader.read(answer.body(), Limits.defaults());
        if (answer.statusCode() != 200) {
            throw new AssertionError("the browser says: " + document);
        }
        return document.members().get("value");
    }

    @Override
    public void close() {
        try {
            answer(HttpRequest.newBuilder(URI.create(session)).DELETE());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the browser did not end", e);
        } finally {
            driver.destroy();
        }
    }
}
