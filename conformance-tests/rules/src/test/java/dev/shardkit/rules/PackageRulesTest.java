package dev.shardkit.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What packages may know of each other, inside modules too: no circles, and no arrow upwards. */
@Tag("one-jdk")
class PackageRulesTest {
    private static final String COMMAND = "dev.shardkit.cli.command";
    private static final String MAINTENANCE = "dev.shardkit.maintenance";
    private static final String SESSION = "dev.shardkit.session";
    private static final String REGION = "dev.shardkit.region";
    private static final String STREAM = "dev.shardkit.region.stream";
    private static final String PRESENCE = "dev.shardkit.presence";

    /** Floors from the top down. A package knows nothing of the floors above its own. */
    private static final List<List<String>> FLOORS = List.of(
            List.of("dev.shardkit.cli"),
            List.of(COMMAND + ".conformance", COMMAND + ".copy", COMMAND + ".maintain", COMMAND + ".serve"),
            List.of(COMMAND + ".files", COMMAND + ".look", COMMAND + ".ome", COMMAND + ".write"),
            List.of("dev.shardkit.cli.base", "dev.shardkit.cli.option"),
            List.of("dev.shardkit.cli.print.drawing", "dev.shardkit.cli.print.elements"),
            List.of("dev.shardkit.cli.print", "dev.shardkit.cli.shell"),
            List.of(MAINTENANCE + ".check"),
            List.of(
                    MAINTENANCE + ".adopt",
                    MAINTENANCE + ".concat",
                    MAINTENANCE + ".copy",
                    MAINTENANCE + ".relayout",
                    MAINTENANCE + ".stats"),
            List.of(MAINTENANCE + ".convert"),
            List.of(MAINTENANCE + ".destination"),
            List.of(MAINTENANCE + ".staging", MAINTENANCE + ".tree"),
            List.of(MAINTENANCE + ".compare", MAINTENANCE + ".layout", MAINTENANCE + ".publish"),
            List.of(MAINTENANCE + ".source"),
            List.of(MAINTENANCE + ".chunks"),
            List.of(MAINTENANCE + ".local"),
            List.of(MAINTENANCE),
            List.of("dev.shardkit"),
            List.of(PRESENCE),
            List.of(STREAM),
            List.of(REGION + ".resize", REGION + ".selection"),
            List.of(REGION + ".read", REGION + ".write"),
            List.of(REGION, "dev.shardkit.slices"),
            List.of(REGION + ".feed"),
            List.of(REGION + ".box"),
            List.of(SESSION + ".consolidated", SESSION + ".creation", SESSION + ".diagnosis"),
            List.of(SESSION, "dev.shardkit.metadata.creation"),
            List.of(SESSION + ".location", SESSION + ".publication", SESSION + ".search"),
            List.of("dev.shardkit.metadata"),
            List.of("dev.shardkit.registry", "dev.shardkit.attributes"),
            List.of("dev.shardkit.json"),
            List.of("dev.shardkit.engine.edit", "dev.shardkit.javaarray", "dev.shardkit.selection"),
            List.of("dev.shardkit.engine.run"),
            List.of("dev.shardkit.engine.threads"),
            List.of("dev.shardkit.engine.error"),
            List.of("dev.shardkit.store.access"),
            List.of("dev.shardkit.store"),
            List.of("dev.shardkit.store.channel", "dev.shardkit.store.policy"),
            List.of("dev.shardkit.outofmemory"),
            List.of("dev.shardkit.spi.."));

    private static final JavaClasses MAIN = ModuleRulesTest.MAIN;

    @Test
    void floors_knowNothingAboveThem() {
        for (int floor = 1; floor < FLOORS.size(); floor++) {
            knowsNothingAbove(floor, FLOORS.get(floor)).check(MAIN);
        }
    }

    private static ArchRule knowsNothingAbove(int floor, List<String> packages) {
        String[] above = FLOORS.subList(0, floor).stream().flatMap(List::stream).toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above);
    }

    /** A floor held to be lower than it is must be noticed, and each floor must have classes. */
    @Test
    void floors_canFail() {
        ArchRule wrong = knowsNothingAbove(FLOORS.size() - 1, List.of("dev.shardkit"));
        assertThrows(AssertionError.class, () -> wrong.check(MAIN));
        for (List<String> floor : FLOORS) {
            for (String name : floor) {
                assertFalse(MAIN.that(resideInAPackage(name)).isEmpty(), name);
            }
        }
    }

    @Test
    void topPackages_haveNoCycles() {
        slices().matching("dev.shardkit.(*)..").should().beFreeOfCycles().check(MAIN);
    }

    /** Each package by itself, and that of arrays and groups among them. */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass c) {
            return SliceIdentifier.of(c.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    @Test
    void packages_haveNoCycles() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void inside_isKnownToApiAndMaintenanceOnly() {
        noClasses()
                .that(resideInAPackage("dev.shardkit..")
                        .and(not(resideInAnyPackage(
                                "dev.shardkit", MAINTENANCE + "..", SESSION + "..", REGION + "..", PRESENCE))))
                .should()
                .dependOnClassesThat(resideInAnyPackage(SESSION + "..", REGION + "..", PRESENCE))
                .check(MAIN);
    }

    @Test
    void api_knowsNoMaintenance() {
        noClasses()
                .that(resideInAPackage("dev.shardkit..")
                        .and(not(resideInAnyPackage(
                                MAINTENANCE + "..",
                                "dev.shardkit.cli..",
                                "dev.shardkit.files",
                                "dev.shardkit.ome..",
                                "dev.shardkit.pictures",
                                "dev.shardkit.serve"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(MAINTENANCE + "..")
                .check(MAIN);
    }

    @Test
    void spiPackages_haveNoCycles() {
        slices().matching("dev.shardkit.spi.(*)..").should().beFreeOfCycles().check(MAIN);
    }
}
