package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.NotFoundException;
import dev.headgate.ScheduleOperations;
import dev.headgate.job.JobId;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The rule for ids that a store does not know: what is called {@code find} finds nothing, everything else throws
 * {@link NotFoundException}. Methods are found by what they take, so a new one is held to the rule as well.
 */
public interface UnknownIdContract extends StoreFixture {
    Set<Class<?>> IDS = Set.of(JobId.class, RunId.class);

    /** Methods that take the name of a schedule and store it. */
    Set<String> STORING = Set.of("put", "putJson");

    @Test
    default void everyMethodRefusesAnIdThatTheStoreDoesNotKnow(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        assertThat(assertRefusesUnknownIds(headgate)).contains("cancel", "await", "log", "find");
        assertThat(assertRefusesUnknownIds(headgate.workflows())).contains("signal", "pause", "tree", "findArtifact");
        assertThat(assertRefusesUnknownIds(headgate.machines())).contains("send", "cancel", "pending");
        assertThat(assertRefusesUnknownIds(headgate.schedules())).contains("edit", "runs", "findRun");
    }

    /**
     * Calls each method of this object that takes an id with one that its store does not know.
     *
     * @return the names of the methods that were called
     */
    static List<String> assertRefusesUnknownIds(Object api) {
        List<Method> methods = Arrays.stream(api.getClass().getMethods())
                .filter(method -> !method.isBridge() && takesId(api, method))
                .toList();
        for (Method method : methods) {
            String name = "%s.%s".formatted(api.getClass().getSimpleName(), method.getName());
            Object result = call(api, method);
            if (method.getName().startsWith("find")) {
                assertThat(result).as(name).isEqualTo(Optional.empty());
            } else {
                assertThat(result).as(name).isInstanceOf(NotFoundException.class);
            }
        }
        return methods.stream().map(Method::getName).distinct().toList();
    }

    private static boolean takesId(Object api, Method method) {
        List<Class<?>> types = List.of(method.getParameterTypes());
        boolean isOfSchedules = api instanceof ScheduleOperations
                && !types.isEmpty()
                && types.getFirst() == String.class
                && !STORING.contains(method.getName());
        return isOfSchedules || types.stream().anyMatch(IDS::contains);
    }

    /** What the method returns or throws. */
    private static Object call(Object api, Method method) {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(UnknownIdContract::argument)
                .toArray();
        try {
            method.setAccessible(true);
            Object result = method.invoke(api, arguments);
            return result == null ? "nothing" : result;
        } catch (InvocationTargetException thrown) {
            return thrown.getTargetException();
        } catch (IllegalAccessException closed) {
            throw new AssertionError(closed);
        }
    }

    private static Object argument(Class<?> type) {
        Consumer<Object> nothing = options -> {};
        List<Object> candidates = List.of(
                JobId.of(987_654_321),
                RunId.of(987_654_321),
                "1", // a name and JSON as well
                Duration.ofMillis(1),
                Instant.EPOCH.plusSeconds(1),
                Guardrail.COST_UNITS,
                String.class,
                WorkflowContract.ABC,
                MachineContract.ORDER,
                nothing);
        if (type.isPrimitive()) {
            return 1; // an int, or widened to a long
        }
        return candidates.stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("give UnknownIdContract a " + type));
    }
}
