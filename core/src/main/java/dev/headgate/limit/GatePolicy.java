package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The limits of a gate or queue. All of them must agree before a job starts.
 *
 * @param shadows limits that are only tried: they count what they would have blocked and block nothing
 * @param backOff how long the gate stays closed when it is rejected again and again
 * @param options all other settings: a cap on its backlog, fair shares, weight, journal, retention, what a job type requires
 */
public record GatePolicy(List<Limit> limits, List<Limit> shadows, BackOff backOff, PolicyOptions options) {
    /** No limit: everything may start. Its use is still counted, so that a policy set later knows what runs. */
    public static final GatePolicy OPEN = new GatePolicy(List.of());

    private static final int LIMITS_MAX = 16;

    public GatePolicy {
        limits = List.copyOf(limits);
        shadows = List.copyOf(shadows);
        check(limits);
        check(shadows);
    }

    public GatePolicy(List<Limit> limits) {
        this(limits, List.of(), BackOff.DEFAULT, PolicyOptions.NONE);
    }

    private static void check(List<Limit> limits) {
        if (limits.size() > LIMITS_MAX) {
            throw new IllegalArgumentException(
                    "policy: expected at most %d limits, got %d".formatted(LIMITS_MAX, limits.size()));
        }
        Map<String, Limit> byKey = new HashMap<>();
        for (Limit limit : limits) {
            Limit other = byKey.put(limit.key(limits), limit);
            if (other != null) {
                throw new IllegalArgumentException(
                        "policy: expected at most one limit of each kind%s, got '%s' and '%s'; %s"
                                .formatted(
                                        limit.isTimed() ? ", period and unit" : "",
                                        other.text(),
                                        limit.text(),
                                        switch (limit) {
                                            case Rate rate ->
                                                "write one of them with another period, such as 1/500ms for 2/1s";
                                            case Spaced same -> "leave one of them out";
                                            default -> "keep the stricter one";
                                        }));
            }
        }
    }

    public static GatePolicy of(Limit... limits) {
        return new GatePolicy(List.of(limits));
    }

    /** The same policy with limits that are only tried. */
    public GatePolicy shadow(Limit... tried) {
        List<Limit> all = new ArrayList<>(shadows);
        all.addAll(Arrays.asList(tried));
        return new GatePolicy(limits, all, backOff, options);
    }

    public GatePolicy backOff(BackOff other) {
        return new GatePolicy(limits, shadows, other, options);
    }

    public GatePolicy options(PolicyOptions other) {
        return new GatePolicy(limits, shadows, backOff, other);
    }

    /** For callers whose grant and call are one: every start counts at its grant, by the clock that grants it. */
    public GatePolicy immediate() {
        return new GatePolicy(
                limits.stream().map(GatePolicy::immediate).toList(),
                shadows.stream().map(GatePolicy::immediate).toList(),
                backOff,
                options);
    }

    /** An automatic margin does not apply to starts without a margin. */
    private static Limit immediate(Limit limit) {
        boolean isAsItIs = limit.margin().equals(Margin.AUTO) && !(limit instanceof Quota);
        return isAsItIs ? limit : limit.margin(Margin.NONE);
    }

    /** Only the limits that time opens, without those that need a release. */
    public GatePolicy timed() {
        List<Limit> timed = limits.stream()
                .filter(Limit::isTimed)
                .map(limit -> limit.opensByRelease() ? limit.margin(Margin.NONE) : limit)
                .toList();
        return new GatePolicy(timed, List.of(), backOff, options);
    }

    /**
     * Checks that each margin set by a user leaves more than a tenth of its limit. Checks only new policies: stored
     * ones must stay readable.
     */
    public void checkMargins() {
        for (Limit limit : limits) {
            long most = limit.longestMarginMicros();
            Margin margin = limit.margin();
            if (margin.kind() == Margin.Kind.SPAN && margin.micros() >= most) {
                throw new IllegalArgumentException(
                        "%s: expected a margin shorter than %s, got %s; a tenth of the rate or less would be left: say a shorter one, or 'window' if the provider enforces no distance"
                                .formatted(limit.text(), Spans.text(Micros.duration(most)), margin.text()));
            }
        }
    }

    public boolean isOpen() {
        return limits.isEmpty()
                && shadows.isEmpty()
                && backOff.equals(BackOff.DEFAULT)
                && options.equals(PolicyOptions.NONE);
    }

    /** Whether it sets nothing, or only how long jobs are kept: then it takes no part in deciding what starts. */
    public boolean isSilent() {
        PolicyOptions others = new PolicyOptions(
                options.backlog(), options.fair(), options.weight(), options.journal(), null, options.type());
        return options.retention() == null ? isOpen() : options(others).isOpen();
    }

    /** The same, with the retention of the other one if it sets none itself, or the part of a job type that it does not set: a change must not drop them. */
    public GatePolicy keepingRetentionOf(GatePolicy before) {
        Retention kept = before.options.retention();
        GatePolicy keeping = kept == null || options.retention() != null ? this : options(options.with(kept));
        TypePolicy own = options.type();
        return own == null ? keeping : keeping.options(keeping.options.with(own.and(before.options.type())));
    }

    /** One line: {@code rate 20/1s burst 5; shadow concurrency 3; back-off 1s x2 max 10m; backlog 1000 reject}. */
    public String text() {
        return text(Limit::text);
    }

    /** The same as it is stored, see {@link Limit#stored}. */
    public String stored() {
        return text(Limit::stored);
    }

    private String text(Function<Limit, String> form) {
        List<String> parts = new ArrayList<>();
        limits.forEach(limit -> parts.add(form.apply(limit)));
        shadows.forEach(limit -> parts.add("shadow " + form.apply(limit)));
        if (!backOff.equals(BackOff.DEFAULT)) {
            parts.add(backOff.text());
        }
        parts.addAll(options.texts());
        return String.join("; ", parts);
    }

    /** Reads what {@link #text} wrote, or a person wrote in the same form. */
    public static GatePolicy parse(String text) {
        return LimitText.parsePolicy(text);
    }
}
