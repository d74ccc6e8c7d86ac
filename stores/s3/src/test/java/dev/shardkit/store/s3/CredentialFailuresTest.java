package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.profiles.ProfileFile;

/** Processes of profiles that fail, hang or print junk, and configuration files that are malformed. */
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the processes of profiles are commands of a POSIX shell")
@DisabledIfEnvironmentVariable(named = "AWS_ACCESS_KEY_ID", matches = ".+")
@DisabledIfEnvironmentVariable(named = "AWS_REGION", matches = ".+")
class CredentialFailuresTest {
    private final FakeS3 server = new FakeS3();
    private final Map<String, Optional<String>> before = new HashMap<>();

    @TempDir
    Path folder;

    @BeforeEach
    void useOwnFiles() {
        set("aws.configFile", folder.resolve("config").toString());
        set("aws.sharedCredentialsFile", folder.resolve("credentials").toString());
        set("aws.disableEc2Metadata", "true");
    }

    @AfterEach
    void close() {
        before.forEach((name, value) ->
                value.ifPresentOrElse(v -> System.setProperty(name, v), () -> System.clearProperty(name)));
        server.close();
    }

    private void set(String property, String value) {
        before.putIfAbsent(property, Optional.ofNullable(System.getProperty(property)));
        System.setProperty(property, value);
    }

    private void config(String... lines) throws IOException {
        Files.write(folder.resolve("config"), List.of(lines));
    }

    private void process(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("keys.sh"), script + "\n");
        config("[profile p]", "credential_process = sh \"" + file + "\"");
    }

    private S3StoreBuilder builder() {
        return S3Store.builder(URI.create("s3://bucket"))
                .endpoint(server.uri())
                .region("eu-west-1")
                .profile("p");
    }

    private static CompletableFuture<FetchResult> fetch(S3Store store) {
        return store.store().fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
    }

    /** Returns the stack trace, with the messages of all causes, of a read that fails. */
    private static String failure(CompletableFuture<FetchResult> read) {
        ExecutionException e = assertThrows(ExecutionException.class, read::get);
        assertEquals(StoreException.class, e.getCause().getClass());
        return trace(e.getCause());
    }

    private static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "exit 3, the exit code is 3",
        "echo SECRET >&2; exit 4, the exit code is 4",
        "yes SECRET, the answer is too long",
        "echo SECRET, the answer is not a JSON object",
        "echo '[\"SECRET\"]', the answer is not a JSON object",
        "echo '{\"Version\": \"SECRET\"}', the answer has another Version than 1",
        "echo '{\"Version\": 1}', the answer has no AccessKeyId"
    })
    void process_thatFails_isNamedWithoutItsOutput(String script, String reason) throws Exception {
        process(script.replace("''", "'"));
        try (S3Store store = builder().build()) {
            String text = failure(fetch(store));
            assertTrue(text.contains("profile (Failed to refresh process-based credentials: " + reason + ")"), text);
            assertFalse(text.contains("SECRET"), text);
        }
    }

    @Test
    void process_thatPrintsJunkAtARenewal_showsNothingOfIt() throws Exception {
        Path asked = folder.resolve("asked");
        process("if [ -e '" + asked + "' ]; then echo '{\"Version\": SECRET}'; else touch '" + asked
                + "'; echo '{\"Version\": 1, \"AccessKeyId\": \"KEY\", \"SecretAccessKey\": \"s\", \"Expiration\": \""
                + Instant.now().plusSeconds(1) + "\"}'; fi");
        CredentialsProvider chain = CredentialsChain.of("p", new ProfileFiles());
        assertEquals(Optional.of(AccessKey.of("KEY", "s")), chain.keys().get());
        Optional<StoreException> failure = Optional.empty();
        while (failure.isEmpty()) { // AWS's provider uses any keys for at least a second
            failure = failure(chain);
        }
        for (StoreException e :
                List.of(failure.get(), failure(chain).orElseThrow())) { // the second is a remembered one
            String text = trace(e);
            assertTrue(text.contains("cannot be renewed: Failed to refresh process-based credentials"), text);
            assertTrue(text.contains("the answer is not a JSON object"), text);
            assertFalse(text.contains("SECRET") || text.contains("Caused by: software"), text);
        }
        chain.end().run();
        assertTrue(failure(chain).orElseThrow().getMessage().contains("closed"));
    }

    private static Optional<StoreException> failure(CredentialsProvider chain) {
        try {
            chain.keys().get();
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.of(e);
        }
    }

    @Test
    void process_thatNeverEnds_blocksNeitherTheDeadlineNorClose() throws Exception {
        Path id = folder.resolve("id");
        process("echo $$ > '" + id + "'; exec sleep 100000");
        S3Store store = builder().deadline(Duration.ofSeconds(1)).build();
        try {
            CompletableFuture<FetchResult> first = fetch(store);
            String text = failure(fetch(store));
            assertTrue(text.contains("deadline") && text.contains("it was waiting for credentials"), text);
            text = failure(first);
            assertTrue(text.contains("it was waiting for credentials"), text);
            CompletableFuture<FetchResult> last = fetch(store);
            store.close();
            assertThrows(ExecutionException.class, last::get);
        } finally {
            while (!Files.exists(id) || Files.size(id) == 0) {
                Thread.onSpinWait();
            }
            ProcessHandle.of(Long.parseLong(Files.readString(id).strip())).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private String settingsFailure() {
        S3StoreBuilder builder = S3Store.builder(URI.create("s3://bucket"));
        return assertThrows(StoreException.class, builder::build).getMessage();
    }

    @Test
    void malformedFile_isNamedWithItsLine_withoutTheLine() throws Exception {
        config("[profile p]", "region = eu-west-1", "SECRET");
        String path = folder.resolve("config").toString();
        assertEquals("the AWS configuration file " + path + " is malformed on line 3", settingsFailure());
        try (S3Store store = builder().build()) { // needs no file for region and endpoint
            String text = failure(fetch(store));
            assertTrue(text.contains("profile (the AWS configuration file " + path + " is malformed on line 3)"), text);
            assertFalse(text.contains("SECRET"), text);
        }
    }

    @Test
    void largeFile_isRefused() throws Exception {
        Path file = Files.write(folder.resolve("credentials"), new byte[(1 << 20) + 1]);
        assertEquals(
                "the AWS configuration file " + file + " cannot be read: it is larger than 1024 KiB",
                settingsFailure());
    }

    @Test
    void changedFile_isReadAgain_aSecondLater() throws Exception {
        AtomicLong clock = new AtomicLong();
        ProfileFiles files = new ProfileFiles(clock::get);
        ProfileFile none = files.get();
        assertTrue(none.profile("p").isEmpty());
        config("[profile p]", "region = eu-west-1");
        assertSame(none, files.get());
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        ProfileFile one = files.get();
        assertEquals(Optional.of("eu-west-1"), one.profile("p").flatMap(p -> p.property("region")));
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertSame(one, files.get());
    }
}
