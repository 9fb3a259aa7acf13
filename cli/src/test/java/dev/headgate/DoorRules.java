package dev.headgate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The door: what is open to everybody is what the module descriptors export to everybody. Programs on the class path see more;
 * for them these rules are the door.
 */
final class DoorRules {
    /** The packages that each published module exports to everybody. */
    static final Map<String, Set<String>> EXPORTED = exported();

    private static final Set<String> OPEN =
            EXPORTED.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());

    /** Internal types that the command and its job types use, and why they are not API. */
    static final Map<String, String> LENT = Map.ofEntries(
            Map.entry("dev.headgate.internal.text.Names", "names are checked by one rule"),
            Map.entry("dev.headgate.internal.text.Served", "patterns of queues are read by one rule"),
            Map.entry("dev.headgate.internal.text.Text", "what is stored and shown is made harmless by one rule"),
            Map.entry(
                    "dev.headgate.internal.text.NearestName", "a name that is mistyped gets the same hint everywhere"),
            Map.entry("dev.headgate.server.api.CertificateJson", "certificates look alike in files and over HTTP"),
            Map.entry("dev.headgate.server.api.EvidenceJson", "evidence looks alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.GateJobs", "gates look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.GateJson", "gates look alike in --json and over HTTP"),
            Map.entry(
                    "dev.headgate.server.api.KnownNames", "a name that means nothing gets the same remark everywhere"),
            Map.entry("dev.headgate.server.api.MarginNotes", "margins are told alike by commands and over HTTP"),
            Map.entry("dev.headgate.server.api.PolicyJson", "policies look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.QueueFigures", "queues look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.ScheduleJson", "schedules look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.StatusJson", "the store looks alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.TypeList", "job types are the same in commands and over HTTP"),
            Map.entry("dev.headgate.server.api.WorkerJson", "workers look alike in --json and over HTTP"),
            Map.entry(
                    "dev.headgate.server.policy.PolicyDiff",
                    "files of policies mean the same in commands and over HTTP"),
            Map.entry(
                    "dev.headgate.server.policy.PolicyFile",
                    "files of policies mean the same in commands and over HTTP"),
            Map.entry(
                    "dev.headgate.server.policy.PolicyYaml",
                    "files of policies mean the same in commands and over HTTP"),
            Map.entry(
                    "dev.headgate.server.simulation.ArrivalPattern",
                    "simulations are asked for alike in commands and over HTTP"),
            Map.entry(
                    "dev.headgate.server.simulation.RunTimes", "simulations assume the same in commands and over HTTP"),
            Map.entry(
                    "dev.headgate.server.simulation.WhatIf",
                    "simulations are asked for alike in commands and over HTTP"),
            Map.entry("dev.headgate.server.api.FigureJson", "figures look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.JobJson", "jobs look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.RunJson", "runs look alike in --json and over HTTP"),
            Map.entry("dev.headgate.server.api.TokenJson", "tokens look alike in --json and over HTTP"),
            Map.entry("dev.headgate.internal.json.JsonWriter", "documents are written as the HTTP API writes them"),
            Map.entry("dev.headgate.internal.json.Secrets", "secrets are hidden by one rule"),
            Map.entry("dev.headgate.internal.json.PairsText", "labels and headers are shown by one rule"),
            Map.entry("dev.headgate.internal.json.JsonCodec", "payloads are read and printed as the engine does"),
            Map.entry("dev.headgate.internal.time.Chance", "ids of processes are drawn as those of workers are"),
            Map.entry("dev.headgate.internal.time.Micros", "figures of limits and budgets are microseconds"),
            Map.entry("dev.headgate.internal.time.Ticker", "tests turn the clock of a deadline"),
            Map.entry("dev.headgate.internal.admission.StartMargin", "shows the margin that a claim would take"),
            Map.entry("dev.headgate.internal.admission.PolicyBook", "finds the policy that a claim would find"),
            Map.entry("dev.headgate.internal.pool.PoolSample", "processes are added by the rule for slots"),
            Map.entry("dev.headgate.internal.pool.PoolRule", "processes are added by the rule for slots"),
            Map.entry("dev.headgate.internal.pool.PoolState", "processes are added by the rule for slots"),
            Map.entry("dev.headgate.internal.pool.Restarts", "processes are added by the rule for slots"),
            Map.entry("dev.headgate.internal.resource.FreeMemory", "processes are added as memory allows"),
            Map.entry("dev.headgate.jdbc.Schema", "doctor says which tables this version knows"));

    private static final DescribedPredicate<JavaClass> CLOSED = DescribedPredicate.describe(
            "types of Headgate that are not exported to everybody",
            type -> type.getPackageName().startsWith("dev.headgate") && !OPEN.contains(type.getPackageName()));

    static final ArchRule NO_EXPORTED_SIGNATURE_NAMES_AN_INTERNAL_TYPE = classes()
            .that(DescribedPredicate.describe("users can name", DoorRules::isOpen))
            // The clock of the stores of our own tests; nothing that users call takes or returns one.
            .and()
            .doNotHaveFullyQualifiedName("dev.headgate.testkit.VirtualTime")
            .should(new ArchCondition<>("name in their signatures only types that users can name") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    signatures(type)
                            .forEach((place, named) -> named.stream()
                                    .filter(CLOSED)
                                    .forEach(leak -> events.add(SimpleConditionEvent.violated(
                                            type, "%s names %s".formatted(place, leak.getName())))));
                }
            })
            .because("what a signature names is API, and what is internal may change at any time")
            .allowEmptyShould(true);

    static final ArchRule USERS_CODE_USES_THE_API = noClasses()
            .that(resideInAnyPackage("dev.headgate.cli..", "dev.headgate.builtin..", "dev.headgate.examples.."))
            .should()
            .dependOnClassesThat(CLOSED.and(DescribedPredicate.describe(
                            "are not lent",
                            type -> !LENT.containsKey(
                                    type.getBaseComponentType().getName().replaceFirst("\\$.*", ""))))
                    .and(DescribedPredicate.not(resideInAnyPackage(
                            "dev.headgate.cli..", "dev.headgate.builtin..", "dev.headgate.examples.."))))
            .because("what a command, a job type or an example needs, a user needs too; the few exceptions are in LENT")
            .allowEmptyShould(true);

    private DoorRules() {}

    /** Where else a line of code for users names what is internal: on a page, or in the imports of an example. */
    static List<String> closedImports(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> line.matches("import (static )?dev\\.headgate\\.(internal|spi)\\..*"))
                .toList();
    }

    /** The public types of core that everybody can use. */
    static List<String> typesOfCore(Iterable<JavaClass> all) {
        Set<String> packages = EXPORTED.getOrDefault("dev.headgate", Set.of());
        List<String> types = new ArrayList<>();
        for (JavaClass type : all) {
            if (type.isTopLevelClass() && isVisible(type.getModifiers()) && packages.contains(type.getPackageName())) {
                types.add(type.getName());
            }
        }
        Collections.sort(types);
        return types;
    }

    private static Map<String, Set<String>> exported() {
        Map<String, Set<String>> exported = new TreeMap<>();
        try {
            for (URL url : Collections.list(DoorRules.class.getClassLoader().getResources("module-info.class"))) {
                try (InputStream in = url.openStream()) {
                    ModuleDescriptor descriptor = ModuleDescriptor.read(in);
                    if (descriptor.name().startsWith("dev.headgate")) {
                        exported.put(
                                descriptor.name(),
                                descriptor.exports().stream()
                                        .filter(each -> !each.isQualified())
                                        .map(Exports::source)
                                        .collect(Collectors.toCollection(TreeSet::new)));
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return exported;
    }

    private static boolean isOpen(JavaClass type) {
        for (JavaClass each = type;
                each != null;
                each = each.getEnclosingClass().orElse(null)) {
            if (!isVisible(each.getModifiers())) {
                return false;
            }
        }
        return OPEN.contains(type.getPackageName());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    /** What each visible part of a type names. */
    private static Map<String, Set<JavaClass>> signatures(JavaClass type) {
        Map<String, Set<JavaClass>> named = new TreeMap<>();
        Set<JavaClass> head = new TreeSet<>(java.util.Comparator.comparing(JavaClass::getName));
        type.getSuperclass().ifPresent(parent -> head.addAll(parent.getAllInvolvedRawTypes()));
        type.getInterfaces().forEach(each -> head.addAll(each.getAllInvolvedRawTypes()));
        head.addAll(bounds(type.getTypeParameters()));
        named.put(type.getName(), head);
        type.getFields().stream()
                .filter(field -> isVisible(field.getModifiers()))
                .forEach(field -> named.put(field.getFullName(), field.getType().getAllInvolvedRawTypes()));
        type.getCodeUnits().stream()
                .filter(unit -> isVisible(unit.getModifiers()))
                .forEach(unit -> named.put(unit.getFullName(), namedBy(unit)));
        return named;
    }

    private static Set<JavaClass> namedBy(JavaCodeUnit unit) {
        Set<JavaClass> named = new TreeSet<>(java.util.Comparator.comparing(JavaClass::getName));
        named.addAll(unit.getReturnType().getAllInvolvedRawTypes());
        unit.getParameterTypes().forEach(each -> named.addAll(each.getAllInvolvedRawTypes()));
        unit.getThrowsClause().forEach(each -> named.add(each.getRawType()));
        named.addAll(bounds(unit.getTypeParameters()));
        return named;
    }

    private static Set<JavaClass> bounds(List<? extends JavaTypeVariable<?>> variables) {
        return variables.stream()
                .flatMap(variable -> variable.getUpperBounds().stream())
                .map(JavaType::getAllInvolvedRawTypes)
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
    }
}
