package dev.headgate.explain;

import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.Line;
import dev.headgate.explain.Explanation.SharePlace;
import java.time.Instant;
import java.util.Locale;

/** Makes one sentence of an explanation; nothing else puts a reason into words. */
record Sentence(Explanation why) {
    String text() {
        return switch (why.reason()) {
            case Reason.Ended ended -> ended(ended);
            case Reason.Running running ->
                "running on worker %s since %s, attempt %d of %d%s"
                        .formatted(
                                running.worker(),
                                why.times().since(),
                                running.attempt(),
                                running.attemptsMax(),
                                running.isCancelRequested() ? ", asked to stop" : "");
            case Reason.Parked parked -> "parked (%s): %s".formatted(parked.reason(), parked.detail());
            case Reason.Scheduled scheduled ->
                scheduled.due().isAfter(why.times().at())
                        ? "scheduled: due at %s%s".formatted(scheduled.due(), past())
                        : "due since %s: the next look of a worker puts it into its lane%s"
                                .formatted(scheduled.due(), past());
            case Reason.AwaitsJobs others -> others.text() + notBefore() + past();
            case Reason.NeverFits never ->
                "waiting: can never pass %s, it %s (%s); the next claim sets it aside"
                        .formatted(
                                never.by().gate(),
                                never.by().reason(),
                                never.by().limit().text());
            case Reason.AtGate(GateAnswer gate, Decision.Blocked by) ->
                "waiting at %s: %s (%s%s)%s; %s%s%s"
                        .formatted(
                                gate.gate(),
                                by.cause().figures(),
                                by.cause().rule(),
                                gate.until() == null ? "" : ", an override until " + gate.until(),
                                line(gate.line()),
                                place(),
                                notBefore(),
                                past());
            case Reason.QueuePaused paused -> "waiting: queue %s is paused; %s".formatted(paused.queue(), place());
            case Reason.NoWorker none -> "waiting: no worker serves queue %s; %s".formatted(none.queue(), place());
            case Reason.NoRoom room -> "waiting: %s; %s%s%s".formatted(noRoom(room), place(), notBefore(), past());
            case Reason.WorkerLimiter shut -> "waiting: %s; %s%s".formatted(limiter(shut), place(), past());
            case Reason.NotJudged before ->
                "waiting to be looked at: %s; %s%s".formatted(before(before), place(), past());
            case Reason.NoSlot none -> "waiting for a free worker slot; %s%s%s".formatted(place(), notBefore(), past());
            case Reason.BehindOthers others -> "waiting for its turn; %s%s%s".formatted(place(), notBefore(), past());
        };
    }

    private String ended(Reason.Ended ended) {
        return "%s at %s after %d attempt%s%s"
                .formatted(
                        why.state().name().toLowerCase(Locale.ROOT),
                        why.times().since(),
                        ended.attempts(),
                        ended.attempts() == 1 ? "" : "s",
                        ended.detail() == null ? "" : ": " + ended.detail());
    }

    /** What is before it in line at a gate, as a clause. */
    private static String line(Line line) {
        String lanes = line.lanesBefore() == 0 ? "" : ", %d lanes before it in line".formatted(line.lanesBefore());
        SharePlace share = line.share();
        if (share == null) {
            return lanes;
        }
        String name = share.key().isEmpty() ? "the share of jobs without a key" : "share " + share.key();
        return "%s%s, %d other shares before it"
                .formatted(lanes, lanes.isEmpty() ? "" : " of " + name, share.sharesBefore());
    }

    private static String noRoom(Reason.NoRoom room) {
        return "%s: %s; worker %s (%s) %s%s"
                .formatted(
                        room.isTooBig() ? "too big for every known worker" : "does not fit now",
                        room.needs(),
                        room.worker(),
                        room.workerName(),
                        room.lacks(),
                        room.others() == 0 ? "" : ", and the other %d have no room either".formatted(room.others()));
    }

    private static String limiter(Reason.WorkerLimiter shut) {
        return "worker %s (%s) has free slots, but its own limiter lets nothing start: %s, %s%s"
                .formatted(
                        shut.worker(),
                        shut.workerName(),
                        shut.limit(),
                        shut.isNever()
                                ? "never opens"
                                : shut.opens() == null
                                        ? "opens when something is given back"
                                        : "opens at " + shut.opens(),
                        shut.others() == 0
                                ? ""
                                : ", and the limiters of %d other workers are shut too".formatted(shut.others()));
    }

    private static String before(Reason.NotJudged before) {
        return "%s%d %s of queue %s %s judged before it"
                .formatted(
                        before.isMore() ? "at least " : "",
                        before.lanes(),
                        before.lanes() == 1 ? "lane" : "lanes",
                        before.queue(),
                        before.lanes() == 1 ? "is" : "are");
    }

    private String place() {
        int ahead = why.place().ahead();
        return ahead == 0
                ? "first in its lane"
                : "%s%d before it in its lane".formatted(ahead >= Explanation.AHEAD_MAX ? "at least " : "", ahead);
    }

    private String notBefore() {
        Instant earliest = why.times().earliest();
        return earliest == null || !earliest.isAfter(why.times().at()) ? "" : "; not before " + earliest;
    }

    /** What happened to it before, if it was not good. */
    private String past() {
        int lost = why.past().lost();
        String workers = lost == 0 ? "" : "; lost its worker %d time%s".formatted(lost, lost == 1 ? "" : "s");
        String error = why.past().error();
        return error == null
                ? workers
                : workers + "; last error: " + error.lines().findFirst().orElse("");
    }
}
