package dev.shardkit.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import picocli.CommandLine;

/**
 * Writes the copy of picocli that the downloaded distribution contains. Marks its class files as version 50 (Java 6) in
 * place of 49 (Java 5). With class data sharing (CDS) the command starts faster, and CDS skips files of version 49. The
 * two versions differ only in how the JVM verifies them.
 */
final class DistributionLibrary {
    /** The offset of the low byte of a class file's major version. */
    private static final int VERSION_OFFSET = 7;

    private static final byte JAVA_5 = 49;
    private static final byte JAVA_6 = 50;

    private DistributionLibrary() {}

    /** Writes the jar into a folder, under the name of the original jar. */
    static void write(Path folder) throws IOException {
        Path source;
        try {
            source = Path.of(CommandLine.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException("expected picocli in a jar", e);
        }
        try (JarFile jar = new JarFile(source.toFile())) {
            Manifest manifest = jar.getManifest();
            manifest.getMainAttributes()
                    .put(new Attributes.Name("Shardkit-Changes"), "class files say version 50 in place of 49");
            try (JarOutputStream out =
                    new JarOutputStream(Files.newOutputStream(folder.resolve(source.getFileName())), manifest)) {
                for (ZipEntry entry : Collections.list(jar.entries())) {
                    if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        copy(jar, entry, out);
                    }
                }
            }
        }
    }

    private static void copy(JarFile jar, ZipEntry entry, JarOutputStream out) throws IOException {
        byte[] bytes;
        try (InputStream in = jar.getInputStream(entry)) {
            bytes = in.readAllBytes();
        }
        if (entry.getName().endsWith(".class") && bytes[VERSION_OFFSET] == JAVA_5) {
            bytes[VERSION_OFFSET] = JAVA_6;
        }
        ZipEntry changed = new ZipEntry(entry.getName());
        changed.setTime(entry.getTime());
        out.putNextEntry(changed);
        out.write(bytes);
        out.closeEntry();
    }
}
