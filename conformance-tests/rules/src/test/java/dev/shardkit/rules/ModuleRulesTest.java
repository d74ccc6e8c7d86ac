package dev.shardkit.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What modules and packages may know of each other, where Maven and module-info cannot say it. */
@Tag("one-jdk")
class ModuleRulesTest {
    private static final String SPI = "dev.shardkit.spi..";
    private static final String CODECS = "dev.shardkit.codec..";
    private static final String TYPES = "dev.shardkit.type..";
    private static final String GRIDS = "dev.shardkit.grid..";
    private static final String TRANSFORMERS = "dev.shardkit.transformer..";
    private static final String ZARR_V2 = "dev.shardkit.zarrv2..";
    private static final String V3_DRAFT = "dev.shardkit.zarrv3draft..";
    private static final String N5 = "dev.shardkit.n5..";
    private static final String NEUROGLANCER = "dev.shardkit.neuroglancer..";
    private static final String WKW = "dev.shardkit.wkw..";
    private static final String ENGINE = "dev.shardkit.engine..";
    private static final String TRANSPORT = "dev.shardkit.transport..";
    private static final String CONFORMANCE = "dev.shardkit.conformance..";

    static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.shardkit");

    /** Names of futures and of the caller's executor may stand in signatures; what runs or blocks threads may not. */
    private static final Set<String> NO_THREAD_IN_THEM = Set.of(
            "CompletableFuture",
            "CompletionStage",
            "Future",
            "Executor",
            "Flow",
            "CancellationException",
            "CompletionException",
            "ExecutionException",
            "TimeoutException",
            "TimeUnit");

    private static final DescribedPredicate<JavaClass> THREADS_FILES_SOCKETS = resideInAnyPackage(
                    "java.util.concurrent..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "kotlinx.coroutines..")
            .or(describe(
                    "java.lang.Thread and java.io.File",
                    c -> c.getPackageName().equals("java.lang")
                                    && c.getSimpleName().startsWith("Thread")
                            || c.getName().startsWith("java.io.File")));

    private static final DescribedPredicate<JavaClass> EXECUTORS_AND_LOCKS = describe(
            "executors and locks",
            c -> c.getPackageName().equals("java.util.concurrent.locks")
                    || c.getPackageName().equals("java.util.concurrent") && !isValue(c));

    /** Finding the caller's class loader leads over its thread and does nothing to it. */
    private static final DescribedPredicate<JavaAccess<?>> THREAD_IN_HAND = describe(
            "a thread is used for more than its class loader",
            a -> a.getTargetOwner().isAssignableTo(Thread.class)
                    && !Set.of("currentThread", "getContextClassLoader").contains(a.getName()));

    private static boolean isValue(JavaClass c) {
        String name = c.getName().substring(c.getPackageName().length() + 1);
        return NO_THREAD_IN_THEM.contains(name.replaceAll("\\$.*", "")) || name.startsWith("Concurrent");
    }

    private static final ArchRule CODECS_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(SPI, CODECS, TYPES, GRIDS, TRANSFORMERS, V3_DRAFT, ZARR_V2, N5, WKW)
            .should()
            .dependOnClassesThat(THREADS_FILES_SOCKETS);

    @Test
    void codecs_doNoIo() {
        CODECS_DO_NO_IO.check(MAIN);
    }

    @Test
    void codecs_knowOnlyTheSpi() {
        classes()
                .that()
                .resideInAPackage(CODECS)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(SPI, CODECS, "java..", "org.jspecify..", "io.airlift..", "org.tukaani.xz.."))
                .check(MAIN);
    }

    @Test
    void dataTypes_knowOnlyTheSpi() {
        classes()
                .that()
                .resideInAPackage(TYPES)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SPI, TYPES, "java..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void zarrV2_knowsOnlyTheSpi() {
        classes()
                .that()
                .resideInAPackage(ZARR_V2)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SPI, ZARR_V2, "java..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void n5_knowsOnlyTheSpiAndCodecs() {
        classes()
                .that()
                .resideInAPackage(N5)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(SPI, CODECS, N5, "java..", "org.jspecify..", "org.apache.commons.codec.."))
                .check(MAIN);
    }

    @Test
    void neuroglancerAndWkw_knowOnlyTheSpiAndCodecs() {
        classes()
                .that()
                .resideInAnyPackage(NEUROGLANCER, WKW)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        SPI, CODECS, NEUROGLANCER, WKW, "java..", "javax.imageio..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void gridsAndTransformers_knowOnlyTheSpi() {
        classes()
                .that()
                .resideInAPackage(GRIDS)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SPI, GRIDS, "java..", "org.jspecify.."))
                .check(MAIN);
        classes()
                .that()
                .resideInAnyPackage(TRANSFORMERS, V3_DRAFT)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SPI, TRANSFORMERS, V3_DRAFT, "java..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void spi_knowsNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage(SPI)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SPI, "java..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void transport_knowsNothingOfStores() {
        classes()
                .that()
                .resideInAPackage(TRANSPORT)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(TRANSPORT, "java..", "javax.net.ssl", "org.jspecify..", "org.apache.hc.."))
                .check(MAIN);
    }

    /** Opening a named pipe as a directory blocks. The others look first whether the path is a directory. */
    private static final Set<String> OPEN_DIRECTORIES = Set.of(
            "dev.shardkit.store.filesystem.DirectoryOpener",
            "dev.shardkit.store.zip.DraftPaths",
            "dev.shardkit.session.diagnosis.LocalPathDiagnosis",
            "dev.shardkit.cli.base.PluginJars",
            "dev.shardkit.cli.command.files.ImportCommand");

    @Test
    void directories_areOpenedInOnePlace() {
        noClasses()
                .that(describe(
                        "main classes that do not check",
                        c -> !OPEN_DIRECTORIES.contains(c.getName())
                                && !c.getPackageName().startsWith(CONFORMANCE.replace("..", ""))))
                .should()
                .callMethodWhere(describe(
                        "a directory is opened",
                        (JavaMethodCall call) -> call.getTargetOwner().isEquivalentTo(Files.class)
                                && Set.of("newDirectoryStream", "list").contains(call.getName())))
                .check(MAIN);
    }

    @Test
    void httpClients_areKnownToTheirTransportsOnly() {
        noClasses()
                .that(resideInAPackage("dev.shardkit..").and(not(resideInAnyPackage("dev.shardkit.transport.apache"))))
                .should()
                .dependOnClassesThat(resideInAPackage("org.apache.hc.."))
                .check(MAIN);
    }

    @Test
    void api_onlyTheEngineKnowsThreads() {
        noClasses()
                .that(resideInAPackage("dev.shardkit..")
                        // the one place where callers wait for a store; an interrupt stays theirs
                        .and(not(name("dev.shardkit.store.access.BlockingWait")))
                        .and(not(resideInAnyPackage(
                                        ENGINE,
                                        CONFORMANCE,
                                        "dev.shardkit.store.*..",
                                        "dev.shardkit.store.reference..",
                                        TRANSPORT,
                                        "dev.shardkit.cli..",
                                        "dev.shardkit.serve..",
                                        "dev.shardkit.testkit.."))
                                .or(resideInAnyPackage(
                                        "dev.shardkit.store.access",
                                        "dev.shardkit.store.channel",
                                        "dev.shardkit.store.policy"))))
                .should()
                .dependOnClassesThat(EXECUTORS_AND_LOCKS)
                .orShould()
                .accessTargetWhere(THREAD_IN_HAND)
                .check(MAIN);
    }

    @Test
    void conformance_isUsedByTheCommandOnly() {
        noClasses()
                .that(resideInAPackage("dev.shardkit..")
                        .and(not(resideInAnyPackage(CONFORMANCE, "dev.shardkit.cli.."))))
                .should()
                .dependOnClassesThat(resideInAPackage(CONFORMANCE))
                .check(MAIN);
    }

    @Test
    void conformance_knowsNoImplementation() {
        classes()
                .that()
                .resideInAPackage(CONFORMANCE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        CONFORMANCE, "java..", "javax.xml..", "com.fasterxml.jackson..", "org.jspecify.."))
                .check(MAIN);
    }

    @Test
    void testkit_isUsedByNoMainCode() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.shardkit.testkit..", CONFORMANCE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.shardkit.testkit..")
                .check(MAIN);
    }

    /** The rules are worth nothing if the import found nothing, or if a broken rule goes unnoticed. */
    @Test
    void rules_canFail() {
        assertTrue(MAIN.stream().anyMatch(c -> c.getPackageName().startsWith("dev.shardkit.spi")));
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        ArchRule sameForHere = noClasses()
                .that()
                .resideInAPackage("dev.shardkit.rules..")
                .should()
                .dependOnClassesThat(THREADS_FILES_SOCKETS);
        assertThrows(AssertionError.class, () -> sameForHere.check(offender));
        ArchRule threads = noClasses()
                .that()
                .resideInAPackage("dev.shardkit.rules..")
                .should()
                .dependOnClassesThat(EXECUTORS_AND_LOCKS);
        assertThrows(AssertionError.class, () -> threads.check(offender));
        ArchRule inHand = noClasses()
                .that()
                .resideInAPackage("dev.shardkit.rules..")
                .should()
                .accessTargetWhere(THREAD_IN_HAND);
        assertThrows(AssertionError.class, () -> inHand.check(offender));
    }

    private static final class Offender {
        @SuppressWarnings("unused")
        private final ReentrantLock lock = new ReentrantLock();

        @SuppressWarnings("unused")
        private void stop() {
            Thread.currentThread().interrupt();
        }
    }
}
