package dev.headgate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.headgate.internal.time.Micros;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The rules that hold the design in place. Each has a class that breaks it, in {@link ArchitectureTest}. */
final class ArchitectureRules {
    private static final DescribedPredicate<JavaClass> SQL = resideInAnyPackage("java.sql..", "javax.sql..");
    private static final DescribedPredicate<JavaClass> SQL_PACKAGES = resideInAnyPackage(
            "dev.headgate.jdbc..",
            "dev.headgate.sqlite..",
            "dev.headgate.postgres..",
            "dev.headgate.store.jdbc..",
            "dev.headgate.store.postgres..");
    /** The parts that run beside the engine, not in it: a terminal has a clock and a test may start threads. */
    private static final DescribedPredicate<JavaClass> OUTSIDE =
            resideInAnyPackage("dev.headgate.cli..", "dev.headgate.testkit..", "dev.headgate.proof..");

    /**
     * Each package of the library is an idea of its own; the command, the kits and the examples are one each. The key to the
     * store behind the front door belongs to that door.
     */
    private static final SliceAssignment IDEAS = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName().replaceFirst("^dev\\.headgate\\.?", "");
            boolean isOne =
                    name.matches("(cli|testkit|proof|examples|benchmarks|chaos|builtin|postgres|sqlite)(\\..*)?");
            boolean isKey = name.equals("internal.access");
            return SliceIdentifier.of(isOne ? name.replaceFirst("\\..*", "") : isKey ? "" : name);
        }

        @Override
        public String getDescription() {
            return "ideas";
        }
    };

    static final ArchRule ADMISSION_IS_PURE = classes()
            .that()
            .resideInAPackage("dev.headgate.internal.admission..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.headgate.internal.admission..",
                            "dev.headgate.internal.text..",
                            "dev.headgate.explain..",
                            "dev.headgate.job..",
                            "dev.headgate.limit..",
                            "dev.headgate.policy..",
                            "org.jspecify..",
                            "java.lang",
                            "java.lang.annotation",
                            "java.lang.invoke",
                            "java.lang.runtime",
                            "java.util",
                            "java.util.function",
                            "java.util.regex",
                            "java.util.stream",
                            "java.time..",
                            "")
                    .or(named("units of time", Micros.class))
                    .and(DescribedPredicate.not(
                            named("a source of chance or threads", Thread.class, java.util.Random.class))))
            .because("the same admission code decides in memory, in each store and in the simulator")
            .allowEmptyShould(true);

    static final ArchRule SQL_STAYS_IN_THE_STORES = noClasses()
            .that(DescribedPredicate.not(SQL_PACKAGES))
            .and()
            .haveNameNotMatching("dev\\.headgate\\.proof\\.(contract\\.StoreDump|mutants\\.Trials)(\\$.*)?")
            .should()
            .dependOnClassesThat(SQL)
            .because(
                    "the engine knows transitions, not tables; of the tests only what writes down a whole store and what reads why a changed statement failed may know those")
            .allowEmptyShould(true);

    static final ArchRule CRON_STAYS_IN_SCHEDULE = noClasses()
            .that(DescribedPredicate.not(resideInAPackage("dev.headgate.schedule..")))
            .should()
            .dependOnClassesThat(resideInAPackage("com.cronutils.."))
            .because(
                    "the cron library is asked in local time only; what that means is decided in dev.headgate.schedule")
            .allowEmptyShould(true);

    /** Sockets are as real as a terminal: no simulated world has a server, and a stranger may not guess what it draws. */
    static final ArchRule TIME_AND_CHANCE_ARE_PORTS = noClasses()
            .that(DescribedPredicate.not(OUTSIDE)
                    .and(DescribedPredicate.not(resideInAPackage("dev.headgate.server..")))
                    .and(DescribedPredicate.not(resideInAPackage("dev.headgate.internal.time.."))))
            .should()
            .accessTargetWhere(access("reads a clock or rolls dice", ArchitectureRules::readsClockOrRollsDice))
            .because("a run must be repeatable from its seed; take the time from dev.headgate.internal.time")
            .allowEmptyShould(true);

    static final ArchRule NOTHING_IS_UNIQUE_BY_LUCK = noClasses()
            .that(DescribedPredicate.not(OUTSIDE)
                    .and(DescribedPredicate.not(
                            simpleName("ProcessTree").and(resideInAPackage("dev.headgate.builtin")))))
            .should()
            .accessTargetWhere(access("asks for what containers have in common", ArchitectureRules::asksForIdentity))
            .because("replicas agree in process number, host name and identity hashes; take an id from"
                    + " dev.headgate.internal.time.Chance. dev.headgate.builtin.ProcessTree ends processes beside it")
            .allowEmptyShould(true);

    static final ArchRule THREADS_START_IN_THE_ENGINE = noClasses()
            .that(DescribedPredicate.not(OUTSIDE)
                    .and(DescribedPredicate.not(resideInAPackage("dev.headgate.internal.worker..")))
                    .and(DescribedPredicate.not(simpleName("Loop")))
                    .and(DescribedPredicate.not(simpleName("Pump").and(resideInAPackage("dev.headgate.builtin")))))
            .should()
            .accessTargetWhere(access("starts a thread", ArchitectureRules::startsThread))
            .because(
                    "loops and threads live in dev.headgate.internal.worker; a store's listening in dev.headgate.jdbc.Loop,"
                            + " and the pipes of a command, which cannot be interrupted, in dev.headgate.builtin.Pump")
            .allowEmptyShould(true);

    static final ArchRule NOTHING_IS_DESERIALISED = noClasses()
            .should()
            .dependOnClassesThat(named("Java serialisation", ObjectInputStream.class, ObjectOutputStream.class))
            .because("reading objects from a store lets whoever writes to it run code")
            .allowEmptyShould(true);

    static final ArchRule NO_CLASS_COMES_FROM_TEXT = noClasses()
            .that(DescribedPredicate.not(simpleName("ProcessSignals")
                    .and(resideInAPackage("dev.headgate.cli"))
                    .or(resideInAPackage("dev.headgate.proof.mutants"))))
            .should()
            .accessTargetWhere(access("finds a class by its name", ArchitectureRules::findsClassByName))
            .because("a name in a payload or a row must never decide what is loaded;"
                    + " dev.headgate.cli.ProcessSignals names a class of the JDK that javac hides,"
                    + " and dev.headgate.proof.mutants loads its own classes once more for its mutants")
            .allowEmptyShould(true);

    static final ArchRule PACKAGES_FORM_NO_CYCLE = slices().assignedFrom(IDEAS)
            .should()
            .beFreeOfCycles()
            .because("ideas that need each other are one idea")
            .allowEmptyShould(true);

    static final ArchRule NAMES_TELL_THE_JOB = noClasses()
            .should()
            .haveNameMatching(
                    ".*[.$]([A-Za-z0-9]*(Impl|Manager|Helper|Utils?|Base|Info|Data|Processor)|Abstract[A-Z][A-Za-z0-9]*)")
            .because("such a name says how the class is built or nothing at all; say what it does")
            .allowEmptyShould(true);

    static final ArchRule PACKAGES_ARE_IDEAS = noClasses()
            .should()
            .resideInAnyPackage(
                    "..util..", "..utils..", "..common..", "..misc..", "..helper..", "..helpers..", "..impl..")
            .because("a package is an idea of the domain, and these are drawers")
            .allowEmptyShould(true);

    private static final Set<String> CLOCK_AND_DICE = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.concurrent.ThreadLocalRandom.<init>");

    /** Constructors that are harmless with an argument (a seed, an instant) and not without. */
    private static final Set<String> SEEDED =
            Set.of("java.util.Random", "java.util.SplittableRandom", "java.util.Date");

    private static boolean readsClockOrRollsDice(CodeUnitAccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        List<JavaClass> parameters = target.getRawParameterTypes();
        boolean wallClock = owner.startsWith("java.time.")
                && name.equals("now")
                && parameters.stream().noneMatch(type -> type.isEquivalentTo(java.time.Clock.class));
        boolean systemClock = owner.equals("java.time.Clock") && (name.startsWith("system") || name.startsWith("tick"));
        boolean unseeded = SEEDED.contains(owner) && name.equals("<init>") && parameters.isEmpty();
        return wallClock
                || systemClock
                || unseeded
                || owner.equals("java.security.SecureRandom")
                || CLOCK_AND_DICE.contains(owner + "." + name);
    }

    private static final Set<String> IDENTITY = Set.of(
            "java.lang.System.identityHashCode",
            "java.lang.ProcessHandle.pid",
            "java.lang.Process.pid",
            "java.lang.management.RuntimeMXBean.getPid",
            "java.lang.management.RuntimeMXBean.getName",
            "java.net.InetAddress.getLocalHost",
            "java.net.InetAddress.getHostName");

    private static boolean asksForIdentity(CodeUnitAccessTarget target) {
        return IDENTITY.contains(target.getOwner().getName() + "." + target.getName());
    }

    private static boolean findsClassByName(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        return (owner.isEquivalentTo(Class.class) && name.equals("forName"))
                || (owner.isAssignableTo(ClassLoader.class) && name.equals("loadClass"))
                || name.startsWith("activateDefaultTyping")
                || name.equals("setDefaultTyping");
    }

    private static final Set<String> THREAD_STARTERS = Set.of("start", "startVirtualThread", "ofVirtual", "ofPlatform");

    private static boolean startsThread(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        boolean isConstructor = name.equals("<init>");
        return (owner.isAssignableTo(Thread.class) && (isConstructor || THREAD_STARTERS.contains(name)))
                || owner.isEquivalentTo(Executors.class)
                || (owner.isAssignableTo(ExecutorService.class) && isConstructor)
                || (owner.isAssignableTo(java.util.Timer.class) && isConstructor)
                || (owner.isEquivalentTo(CompletableFuture.class) && name.endsWith("Async"));
    }

    private static DescribedPredicate<JavaAccess<?>> access(
            String description, java.util.function.Predicate<CodeUnitAccessTarget> predicate) {
        return DescribedPredicate.describe(
                description,
                access -> access.getTarget() instanceof CodeUnitAccessTarget target && predicate.test(target));
    }

    private static DescribedPredicate<JavaClass> named(String description, Class<?>... types) {
        return DescribedPredicate.describe(description, candidate -> {
            for (Class<?> type : types) {
                if (candidate.isEquivalentTo(type)) {
                    return true;
                }
            }
            return false;
        });
    }

    private ArchitectureRules() {}
}
