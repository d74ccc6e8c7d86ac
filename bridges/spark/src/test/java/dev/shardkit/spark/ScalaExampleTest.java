package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the guide in Scala are compiled by Scala's compiler, without a plug-in of Maven, and run. */
class ScalaExampleTest {
    @TempDir
    Path dir;

    @Test
    void examples_compileAndRun() throws Exception {
        Path classes = Files.createDirectory(dir.resolve("classes"));
        boolean compiled = scala.tools.nsc.Main.process(new String[] {
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            "src/test/scala/ScalaExample.scala".replace('/', File.separatorChar)
        });
        assertTrue(compiled, "the messages of the compiler are above");
        Sample.make(dir.resolve("source").toString());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            thread.setContextClassLoader(loader); // Spark's tasks load the lambdas of the example from there
            SparkSession spark = SparkSession.builder()
                    .master("local[2]")
                    .config("spark.ui.enabled", false)
                    .getOrCreate();
            Object mean = loader.loadClass("ScalaExample")
                    .getMethod("run", SparkSession.class, String.class, String.class)
                    .invoke(null, spark, dir.resolve("source").toString(), dir.toString());
            spark.stop();
            // The quarter without data has no rows, so its elements stay the fill value.
            double expected = Arrays.stream(Sample.values()).sum() / (double) (Sample.SIDE * Sample.SIDE) + 0.75;
            assertEquals(expected, (double) mean, 1e-6);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
