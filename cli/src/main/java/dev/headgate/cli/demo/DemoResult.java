package dev.headgate.cli.demo;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was allowed, what was observed, and whether it held. */
record DemoResult(CallLog witness, List<TenantOutcome> tenants, String explained) {
    /** The result of one tenant. */
    record TenantOutcome(Tenant tenant, long succeeded, List<Duration> waits, int peak) {
        TenantOutcome {
            waits = waits.stream().sorted().toList();
        }

        Duration median() {
            return waits.isEmpty() ? Duration.ZERO : waits.get(waits.size() / 2);
        }

        Duration longest() {
            return waits.isEmpty() ? Duration.ZERO : waits.getLast();
        }
    }

    /** One limit. */
    private record Check(String limit, long allowed, long observed) {
        boolean isHeld() {
            return observed <= allowed;
        }
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("calls at the provider at once", Provider.AT_ONCE, witness.peak()));
        checks.add(new Check("calls in any second", Provider.IN_WINDOW, witness.most(Provider.WINDOW)));
        checks.add(new Check("429 answers", 0, witness.refused()));
        tenants.forEach(each -> checks.add(
                new Check("calls of %s at once".formatted(each.tenant().name()), DemoRun.TENANT_AT_ONCE, each.peak())));
        return checks;
    }

    boolean isComplete() {
        return tenants.stream()
                .allMatch(each -> each.succeeded() == each.tenant().calls());
    }

    boolean isGood() {
        return isComplete() && checks().stream().allMatch(Check::isHeld);
    }

    Table limits() {
        Table table = new Table("LIMIT, AS THE PROVIDER SAW IT", ">ALLOWED", ">OBSERVED", "");
        checks().forEach(check ->
                table.row(check.limit(), check.allowed(), check.observed(), check.isHeld() ? "held" : "BROKEN"));
        table.row("share of the allowed rate used", "100 %", percent(witness.share()), "");
        return table;
    }

    Table waits() {
        Table table = new Table("TENANT", ">CALLS", ">SUCCEEDED", ">MEDIAN WAIT", ">LONGEST WAIT", "ARRIVED");
        tenants.forEach(each -> table.row(
                each.tenant().name(),
                each.tenant().calls(),
                each.succeeded(),
                Wording.span(each.median()),
                Wording.span(each.longest()),
                each.tenant().users() == 0
                        ? "all at once"
                        : "one by one, from " + Wording.count(each.tenant().users(), "user")));
        return table;
    }

    String verdict() {
        long broken = checks().stream().filter(check -> !check.isHeld()).count();
        String calls = "%s in %s".formatted(Wording.count(witness.calls(), "call"), Wording.span(witness.span()));
        if (broken > 0) {
            return "%s BROKEN: %s, %d answered 429, %s of the allowed rate used."
                    .formatted(Wording.count(broken, "limit"), calls, witness.refused(), percent(witness.share()));
        }
        if (!isComplete()) {
            return "Every limit held, but not every call succeeded: %s.".formatted(calls);
        }
        return "Every limit held: %s, %d answered 429, %s of the allowed rate used."
                .formatted(calls, witness.refused(), percent(witness.share()));
    }

    JsonWriter json() {
        return JsonWriter.object()
                .put("held", isGood())
                .put(
                        "limits",
                        checks().stream()
                                .map(check -> JsonWriter.object()
                                        .put("limit", check.limit())
                                        .put("allowed", check.allowed())
                                        .put("observed", check.observed())
                                        .put("held", check.isHeld()))
                                .toList())
                .put("share", Math.round(witness.share() * 1_000) / 1_000.0)
                .put("seconds", Math.round(witness.span().toMillis() / 10.0) / 100.0)
                .put("calls", witness.calls())
                .put(
                        "tenants",
                        tenants.stream()
                                .map(each -> JsonWriter.object()
                                        .put("tenant", each.tenant().name())
                                        .put("calls", each.tenant().calls())
                                        .put("succeeded", each.succeeded())
                                        .put("waitMedianMs", each.median())
                                        .put("waitMaxMs", each.longest())
                                        .put("peak", each.peak()))
                                .toList())
                .put("explain", explained);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }
}
