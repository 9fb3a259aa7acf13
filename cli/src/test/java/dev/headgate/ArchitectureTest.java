package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.headgate.cli.PlantedInsider;
import dev.headgate.event.PlantedClassFinder;
import dev.headgate.event.PlantedConnectionUser;
import dev.headgate.event.PlantedCronUser;
import dev.headgate.event.PlantedDefaultTyping;
import dev.headgate.event.PlantedDice;
import dev.headgate.event.PlantedLeaks;
import dev.headgate.event.PlantedNanoReader;
import dev.headgate.event.PlantedObjectReader;
import dev.headgate.event.PlantedPoolStarter;
import dev.headgate.event.PlantedThreadStarter;
import dev.headgate.event.PlantedTwin;
import dev.headgate.impl.PlantedManager;
import dev.headgate.internal.admission.PlantedClockReader;
import dev.headgate.internal.admission.PlantedWaiter;
import dev.headgate.plantedleft.PlantedLeft;
import dev.headgate.plantedright.PlantedRight;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds each rule against the real classes, and against a planted class that breaks it. */
class ArchitectureTest {
    private static final JavaClasses SHIPPED = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.headgate");

    static Stream<Arguments> rulesAndFaults() {
        return Stream.of(
                Arguments.of(ArchitectureRules.ADMISSION_IS_PURE, new Class<?>[] {PlantedWaiter.class}),
                Arguments.of(ArchitectureRules.SQL_STAYS_IN_THE_STORES, new Class<?>[] {PlantedConnectionUser.class}),
                Arguments.of(ArchitectureRules.CRON_STAYS_IN_SCHEDULE, new Class<?>[] {PlantedCronUser.class}),
                Arguments.of(ArchitectureRules.TIME_AND_CHANCE_ARE_PORTS, new Class<?>[] {PlantedClockReader.class}),
                Arguments.of(ArchitectureRules.TIME_AND_CHANCE_ARE_PORTS, new Class<?>[] {PlantedNanoReader.class}),
                Arguments.of(ArchitectureRules.TIME_AND_CHANCE_ARE_PORTS, new Class<?>[] {PlantedDice.class}),
                Arguments.of(ArchitectureRules.NOTHING_IS_UNIQUE_BY_LUCK, new Class<?>[] {PlantedTwin.class}),
                Arguments.of(
                        ArchitectureRules.THREADS_START_IN_THE_ENGINE, new Class<?>[] {PlantedThreadStarter.class}),
                Arguments.of(ArchitectureRules.THREADS_START_IN_THE_ENGINE, new Class<?>[] {PlantedPoolStarter.class}),
                Arguments.of(ArchitectureRules.NOTHING_IS_DESERIALISED, new Class<?>[] {PlantedObjectReader.class}),
                Arguments.of(ArchitectureRules.NO_CLASS_COMES_FROM_TEXT, new Class<?>[] {PlantedClassFinder.class}),
                Arguments.of(ArchitectureRules.NO_CLASS_COMES_FROM_TEXT, new Class<?>[] {PlantedDefaultTyping.class}),
                Arguments.of(
                        ArchitectureRules.PACKAGES_FORM_NO_CYCLE,
                        new Class<?>[] {PlantedLeft.class, PlantedRight.class}),
                Arguments.of(
                        DoorRules.NO_EXPORTED_SIGNATURE_NAMES_AN_INTERNAL_TYPE,
                        PlantedLeaks.class.getDeclaredClasses()),
                Arguments.of(DoorRules.USERS_CODE_USES_THE_API, new Class<?>[] {PlantedInsider.class}),
                Arguments.of(ArchitectureRules.NAMES_TELL_THE_JOB, new Class<?>[] {PlantedManager.class}),
                Arguments.of(ArchitectureRules.PACKAGES_ARE_IDEAS, new Class<?>[] {PlantedManager.class}));
    }

    static Stream<ArchRule> rules() {
        return rulesAndFaults().map(arguments -> (ArchRule) arguments.get()[0]).distinct();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theShippedClassesKeepTheRule(ArchRule rule) {
        rule.check(SHIPPED);
    }

    @ParameterizedTest
    @MethodSource("rulesAndFaults")
    void aPlantedFaultIsCaught(ArchRule rule, Class<?>[] faults) {
        EvaluationResult result = rule.evaluate(new ClassFileImporter().importClasses(faults));
        assertThat(result.getFailureReport().getDetails()).isNotEmpty();
    }
}
