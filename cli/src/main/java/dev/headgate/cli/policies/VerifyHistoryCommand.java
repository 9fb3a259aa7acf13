package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.TimeOption;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Certificate.Judgement;
import dev.headgate.evidence.Certificate.WaterMark;
import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.server.api.CertificateJson;
import dev.headgate.server.api.EvidenceJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replays the journals of gates. */
@Command(
        name = "verify-history",
        description =
                "Replay what gates let start, show that their journals are as they wrote them, and certify each of their"
                        + " limits. Needs a journal: a policy with 'journal 7d'. Exit code 0 only if there is evidence and no violation.")
public final class VerifyHistoryCommand implements Callable<Integer> {
    private static final String AT_GRANT = "at the grant";
    private static final String UNTIL_CALL = "until the call";

    private final CommandContext shell;

    @Option(names = "--gate", paramLabel = "NAME", description = "only this gate; may be given more than once")
    private List<String> gates = List.of();

    @Option(names = "--queue", paramLabel = "NAME", description = "only this queue; may be given more than once")
    private List<String> queues = List.of();

    @Option(
            names = "--from",
            paramLabel = "WHEN",
            description = "from then on: a date and time, or a span ago such as 1h")
    private @Nullable TimeOption from;

    @Option(names = "--to", paramLabel = "WHEN", description = "before then; as above")
    private @Nullable TimeOption to;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description =
                    "write what was proved to this new file, with the last row of each journal and its hash; keep it elsewhere"
                            + " than the store")
    private @Nullable Path certificate;

    @Option(
            names = "--since",
            paramLabel = "FILE",
            description = "show also that each journal goes on from where this certificate ends")
    private @Nullable Path since;

    public VerifyHistoryCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        if (certificate != null) {
            CertificateFile.refuseWhatIsThere(certificate);
        }
        CertificateJson.Content before = since == null ? null : CertificateFile.read(since);
        try (Headgate headgate = shell.open()) {
            Instant now = headgate.overview().at();
            Instant first = from == null ? null : ago(from, now);
            Instant last = to == null ? null : ago(to, now);
            if (first != null && last != null && !first.isBefore(last)) {
                throw CommandException.usage(
                        "verify-history: expected --from to be before --to, got %s and %s".formatted(first, last));
            }
            Map<GateKey, ChainProof.End> ends = before == null ? Map.of() : before.ends();
            List<Verification> verifications = headgate.evidence().verify(asked(headgate, ends), first, last, ends);
            List<GateKey> unproven = isNamed() ? List.of() : EvidenceJson.withoutJournal(headgate);
            boolean isGood = !verifications.isEmpty()
                    && verifications.stream().allMatch(verification -> EvidenceJson.isGood(verification, ends));
            List<JsonWriter> answers = verifications.stream()
                    .map(verification -> EvidenceJson.of(verification, ends))
                    .toList();
            if (certificate != null && isGood) {
                CertificateFile.write(
                        certificate,
                        JsonWriter.object()
                                .put("at", now)
                                .put("from", first)
                                .put("to", last)
                                .put("since", before == null ? null : before.at())
                                .put("gates", answers));
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("good", isGood)
                        .put("certificate", isGood && certificate != null ? certificate.toString() : null)
                        .put("gates", answers)
                        .put(
                                "notCertified",
                                unproven.stream().map(GateKey::toString).toList()));
            } else {
                verifications.forEach(verification -> print(verification, first, before));
                if (verifications.isEmpty()) {
                    shell.say("no gate has a journal: nothing can be certified; store a policy with 'journal 7d'");
                }
                if (!unproven.isEmpty()) {
                    shell.note("limits without a journal, not certified: "
                            + String.join(
                                    ", ",
                                    unproven.stream().map(GateKey::toString).toList()));
                }
                if (certificate != null) {
                    shell.say(
                            isGood
                                    ? "what was proved is in %s; keep it elsewhere than the store"
                                            .formatted(certificate)
                                    : "no certificate was written, because not all of it was proved");
                }
            }
            return isGood ? ExitCode.OK : ExitCode.BAD;
        }
    }

    private static Instant ago(TimeOption moment, Instant now) {
        return moment instanceof TimeOption.In(var span) ? now.minus(span) : moment.from(now);
    }

    private boolean isNamed() {
        return !gates.isEmpty() || !queues.isEmpty();
    }

    /** All that have a journal, or had one when the certificate was made; or those that were named. */
    private Collection<GateKey> asked(Headgate headgate, Map<GateKey, ChainProof.End> ends) {
        if (!isNamed()) {
            TreeSet<GateKey> all = new TreeSet<>(headgate.evidence().gates());
            all.addAll(ends.keySet());
            return all;
        }
        List<GateKey> keys = new ArrayList<>();
        queues.forEach(name -> keys.add(GateKey.queue(name)));
        gates.forEach(name -> keys.add(GateKey.gate(name)));
        for (GateKey key : keys) {
            if (since != null && !ends.containsKey(key)) {
                throw CommandException.usage("--since: the certificate '%s' says nothing of %s; it has %s"
                        .formatted(since, key, ends.isEmpty() ? "no gate" : ends.keySet()));
            }
        }
        return keys;
    }

    private void print(Verification verification, @Nullable Instant first, CertificateJson.@Nullable Content before) {
        Instant begins = verification.begins();
        for (Finding finding : verification.findings()) {
            shell.say("%s: %s: %s".formatted(verification.gate(), heading(finding.kind()), finding));
        }
        boolean isClean = verification.findings().isEmpty();
        ChainProof.End end = before == null ? null : before.ends().get(verification.gate());
        if (begins == null && !isClean) {
            return;
        }
        if (begins == null && before != null && end != null) {
            shell.say("%s: no row since the certificate of %s".formatted(verification.gate(), before.at()));
            return;
        }
        if (begins == null) {
            shell.say("%s: no journal, nothing can be certified; add 'journal 7d' to its policy"
                    .formatted(verification.gate()));
            return;
        }
        long violations = verification.violations();
        shell.say("%s: %s in %s of starts%s"
                .formatted(
                        verification.gate(),
                        violations == 0 ? "no violation" : Wording.count(violations, "VIOLATION"),
                        Wording.count(verification.entries(), "batch").replace("batchs", "batches"),
                        isBroken(verification) ? " before that row" : ""));
        tellChain(verification.chain());
        if (verification.compared() > 0 && isClean) {
            shell.say("  all %s that history has of that time are in it"
                    .formatted(Wording.count(verification.compared(), "start")));
        }
        if (before != null && isClean) {
            shell.say(
                    end == null
                            ? "  the certificate of %s says nothing of it".formatted(before.at())
                            : "  goes on from row %d, with which the certificate of %s ends"
                                    .formatted(end.row(), before.at()));
        }
        if (first == null || first.isBefore(begins)) {
            shell.say("  the journal begins at %s; of the time before, nothing is known".formatted(begins));
        }
        if (verification.late() > 0) {
            shell.say("  %s came too late for the call, went back or began anew, and %s toward nothing"
                    .formatted(
                            Wording.count(verification.late(), "start"),
                            verification.late() == 1 ? "counts" : "count"));
        }
        if (!verification.limits().isEmpty()) {
            table(verification).lines(Integer.MAX_VALUE).forEach(shell::say);
        }
        for (Certificate limit : verification.limits()) {
            tellViolations(limit, limit.atGrant(), AT_GRANT);
            Judgement untilCall = limit.untilCall();
            if (untilCall != null) {
                tellViolations(limit, untilCall, UNTIL_CALL);
            }
        }
    }

    private static String heading(Finding.Kind kind) {
        return switch (kind) {
            case BROKEN, IMPOSSIBLE -> "THE JOURNAL IS NOT AS THE GATE WROTE IT";
            case POLICY -> "THE JOURNAL NAMES OTHER LIMITS THAN WERE STORED";
            case HISTORY -> "THE JOURNAL LACKS A START";
            case NOT_CONTINUED -> "THE JOURNAL DOES NOT GO ON FROM THE CERTIFICATE";
            case UNPROVED -> "NOT PROVED";
        };
    }

    /** Whether rows stand behind one that is broken: they are not judged. */
    private static boolean isBroken(Verification verification) {
        return verification.findings().stream()
                .anyMatch(finding -> finding.kind().isBreak());
    }

    private void tellChain(ChainProof chain) {
        if (chain.rows() > 0) {
            shell.say("  rows %d to %d follow one another without a break; the last has the hash %s"
                    .formatted(chain.first(), chain.last(), chain.head()));
        }
    }

    /** Two rows for each limit with a margin: what it came to where grants are counted, and where calls are. */
    private static Table table(Verification verification) {
        Table table = new Table("  LIMIT", "COUNTED", ">STARTS", ">UNITS", ">VIOLATIONS", ">USED", "TIGHTEST MOMENT");
        for (Certificate limit : verification.limits()) {
            table.row(
                    "  " + limit.limit(),
                    AT_GRANT,
                    limit.starts(),
                    limit.units(),
                    limit.atGrant().violations(),
                    limit.usedPercent() + " %",
                    tightest(limit.atGrant()));
            Judgement untilCall = limit.untilCall();
            if (untilCall != null) {
                table.row("", UNTIL_CALL, "", "", untilCall.violations(), "", tightest(untilCall));
            }
        }
        return table;
    }

    private static Object tightest(Judgement view) {
        WaterMark tightest = view.tightest();
        return tightest == null ? "-" : tightest;
    }

    private void tellViolations(Certificate limit, Judgement view, String counted) {
        view.examples()
                .forEach(moment ->
                        shell.say("  violation of %s, counted %s, at %s".formatted(limit.limit(), counted, moment)));
        long more = view.violations() - view.examples().size();
        if (more > 0) {
            shell.say("  and %d more of %s, counted %s".formatted(more, limit.limit(), counted));
        }
    }
}
