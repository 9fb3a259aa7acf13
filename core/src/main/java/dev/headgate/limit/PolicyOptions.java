package dev.headgate.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a policy sets besides its limits. As text {@code backlog 1000 reject; fair by tenant:*; weight 3; journal 7d;
 * retention 30d}.
 *
 * @param backlog how many jobs may wait
 * @param fair how its capacity is shared
 * @param weight the share of this key where others share by it; 1 unless set
 * @param journal how long its starts are kept as evidence; absent means not at all
 * @param retention how long the jobs of a queue are kept after their end; absent means not set
 * @param type what the jobs of a type must have; only in the policy of a job type
 */
public record PolicyOptions(
        @Nullable BacklogCap backlog,
        @Nullable FairShare fair,
        int weight,
        @Nullable Duration journal,
        @Nullable Retention retention,
        @Nullable TypePolicy type) {
    public static final PolicyOptions NONE = new PolicyOptions(null, null, 1, null, null, null);

    private static final int WEIGHT_MAX = 1000;
    private static final Duration JOURNAL_MAX = Duration.ofDays(366);

    public PolicyOptions {
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("weight: expected 1 to %d, got %d".formatted(WEIGHT_MAX, weight));
        }
        if (journal != null && (journal.isNegative() || journal.isZero() || journal.compareTo(JOURNAL_MAX) > 0)) {
            throw new IllegalArgumentException("journal: expected to keep starts for up to %s, got %s"
                    .formatted(Spans.text(JOURNAL_MAX), journal));
        }
    }

    public PolicyOptions with(BacklogCap cap) {
        return new PolicyOptions(cap, fair, weight, journal, retention, type);
    }

    public PolicyOptions with(FairShare share) {
        return new PolicyOptions(backlog, share, weight, journal, retention, type);
    }

    public PolicyOptions withWeight(int share) {
        return new PolicyOptions(backlog, fair, share, journal, retention, type);
    }

    public PolicyOptions withJournal(Duration kept) {
        return new PolicyOptions(backlog, fair, weight, kept, retention, type);
    }

    public PolicyOptions with(Retention kept) {
        return new PolicyOptions(backlog, fair, weight, journal, kept, type);
    }

    public PolicyOptions with(TypePolicy demands) {
        return new PolicyOptions(backlog, fair, weight, journal, retention, demands);
    }

    /** These settings, and those that the other ones set. */
    public PolicyOptions and(PolicyOptions other) {
        return new PolicyOptions(
                other.backlog == null ? backlog : other.backlog,
                other.fair == null ? fair : other.fair,
                other.weight == 1 ? weight : other.weight,
                other.journal == null ? journal : other.journal,
                other.retention == null ? retention : other.retention,
                other.type == null ? type : other.type.and(type));
    }

    List<String> texts() {
        List<String> texts = new ArrayList<>();
        if (backlog != null) {
            texts.add(backlog.text());
        }
        if (fair != null) {
            texts.add(fair.text());
        }
        if (weight != 1) {
            texts.add("weight " + weight);
        }
        if (journal != null) {
            texts.add("journal " + Spans.text(journal));
        }
        if (retention != null) {
            texts.add("retention " + retention.text());
        }
        if (type != null) {
            texts.addAll(type.texts());
        }
        return texts;
    }

    /** These settings and the one written in {@code part}. */
    PolicyOptions and(String part) {
        String[] words = part.strip().split("\\s+", -1);
        return switch (words[0].toLowerCase(Locale.ROOT)) {
            case "backlog" -> with(BacklogCap.parse(words));
            case "fair" -> with(FairShare.parse(words));
            case "weight" -> withWeight(weight(words));
            case "journal" -> withJournal(Spans.parse(only(words)));
            case "requires", "defaults" -> with(TypePolicy.parse(part).and(type));
            case "retention" -> with(Retention.parse(only(words)));
            default -> throw new IllegalArgumentException("'%s': not a trait".formatted(part));
        };
    }

    private static int weight(String[] words) {
        try {
            return Integer.parseInt(only(words));
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException(
                    "'%s': expected a whole number such as weight 3".formatted(String.join(" ", words)));
        }
    }

    private static String only(String[] words) {
        if (words.length != 2) {
            throw new IllegalArgumentException(
                    "'%s': expected one value, such as weight 3 or journal 7d".formatted(String.join(" ", words)));
        }
        return words[1];
    }
}
