package dev.shardkit.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates a self-signed certificate for the name {@code localhost} by the JDK's keytool. For tests only. */
public final class TestCertificate {
    private static final String PASSWORD = "changeit";

    private TestCertificate() {}

    /** Returns TLS settings that own the certificate and trust no other. */
    public static SSLContext context() {
        try {
            KeyStore keys = make();
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, PASSWORD.toCharArray());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(keys);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs keytool; options, which begin with "-", are split at blanks, paths are not. */
    private static KeyStore make() throws IOException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("certificate");
        Path file = folder.resolve("keys.p12");
        Path log = folder.resolve("log");
        try {
            Process tool = new ProcessBuilder(List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "keytool")
                                            .toString(),
                                    "-genkeypair -alias own -keyalg EC -dname CN=localhost -ext SAN=dns:localhost",
                                    "-storetype PKCS12 -validity 2 -keystore",
                                    file.toString(),
                                    "-storepass " + PASSWORD)
                            .stream()
                            .flatMap(part ->
                                    part.startsWith("-") ? List.of(part.split(" ")).stream() : List.of(part).stream())
                            .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!tool.waitFor(120, TimeUnit.SECONDS) || tool.exitValue() != 0) {
                tool.destroyForcibly();
                throw new AssertionError("keytool failed: " + Files.readString(log));
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            // the entry of a key alone does not make its certificate trusted
            keys.setCertificateEntry("trusted", keys.getCertificate("own"));
            return keys;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(log);
            Files.deleteIfExists(folder);
        }
    }
}
