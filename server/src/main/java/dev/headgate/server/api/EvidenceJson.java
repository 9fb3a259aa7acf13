package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Certificate.Judgement;
import dev.headgate.evidence.Certificate.WaterMark;
import dev.headgate.evidence.ChainProof;
import dev.headgate.evidence.Verification;
import dev.headgate.evidence.Verification.Finding;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What journals prove as JSON, for the HTTP API and the command line. */
public final class EvidenceJson {
    private EvidenceJson() {}

    /**
     * A gate that has a journal and let nothing start in the time asked for has broken nothing. One whose rows were all deleted in
     * their time has shown that the last of them is the one that the certificate ends with.
     */
    public static boolean isGood(Verification verification, Map<GateKey, ChainProof.End> ends) {
        return verification.isClean() && (verification.begins() != null || ends.containsKey(verification.gate()));
    }

    /** Gates and queues that have limits and no journal. */
    public static List<GateKey> withoutJournal(Headgate headgate) {
        List<GateKey> journaled = headgate.evidence().gates();
        List<GateKey> without = new ArrayList<>();
        headgate.policies().all().forEach((key, policy) -> {
            boolean isWatched = policy.options().journal() != null || journaled.contains(key);
            if (!isWatched && !policy.limits().isEmpty() && !key.isPattern()) {
                without.add(key);
            }
        });
        return without;
    }

    /** What the journal of one gate or queue proves. */
    public static JsonWriter of(Verification verification, Map<GateKey, ChainProof.End> ends) {
        ChainProof.End end = ends.get(verification.gate());
        return JsonWriter.object()
                .put("kind", verification.gate().scope().text())
                .put("name", verification.gate().name())
                .put("good", isGood(verification, ends))
                .put("entries", verification.entries())
                .put("journalBegins", verification.begins())
                .put("late", verification.late())
                .put("chain", json(verification.chain()))
                .put("compared", verification.compared())
                .put("sinceRow", end == null ? null : end.row())
                .put(
                        "findings",
                        verification.findings().stream().map(EvidenceJson::json).toList())
                .put(
                        "limits",
                        verification.limits().stream().map(EvidenceJson::json).toList());
    }

    private static JsonWriter json(ChainProof chain) {
        return JsonWriter.object()
                .put("firstRow", chain.first())
                .put("lastRow", chain.last())
                .put("head", chain.head());
    }

    private static JsonWriter json(Finding finding) {
        return JsonWriter.object()
                .put("kind", finding.kind())
                .put("row", finding.row())
                .put("id", finding.id())
                .put("at", finding.at())
                .put("text", finding.text());
    }

    private static JsonWriter json(Certificate limit) {
        Judgement untilCall = limit.untilCall();
        return JsonWriter.object()
                .put("limit", limit.limit())
                .put("from", limit.from())
                .put("to", limit.to())
                .put("starts", limit.starts())
                .put("units", limit.units())
                .put("violations", limit.violations())
                .put("atGrant", json(limit.atGrant()))
                .put("untilCall", untilCall == null ? null : json(untilCall))
                .put("used", limit.used())
                .put("allowed", limit.allowed())
                .put("usedPercent", limit.usedPercent());
    }

    private static JsonWriter json(Judgement view) {
        WaterMark tightest = view.tightest();
        return JsonWriter.object()
                .put("violations", view.violations())
                .put(
                        "examples",
                        view.examples().stream().map(EvidenceJson::json).toList())
                .put("tightest", tightest == null ? null : json(tightest));
    }

    private static JsonWriter json(WaterMark moment) {
        return JsonWriter.object()
                .put("at", moment.at())
                .put("since", moment.since())
                .put("used", moment.used())
                .put("allowed", moment.allowed())
                .put("figures", moment.figures());
    }
}
