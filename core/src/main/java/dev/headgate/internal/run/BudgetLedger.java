package dev.headgate.internal.run;

import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The budget of one run and its children, with what is spent. Decides and counts. Stored under the lock of the run's root. */
public final class BudgetLedger {
    private static final int WARNED = 1;
    private static final int STOPPING = 2;

    private final Map<Guardrail, Account> accounts = new EnumMap<>(Guardrail.class);

    /** The figures of one guardrail. */
    private static final class Account {
        long limit;
        long used;
        long reserved;
        boolean isWarned;
        boolean isStopping;

        long taken() {
            return used + reserved;
        }
    }

    public BudgetLedger(RunBudget budget) {
        for (Guardrail each : Guardrail.values()) {
            Account account = new Account();
            account.limit = budget.limit(each);
            accounts.put(each, account);
        }
    }

    /** Reads what {@link #text} wrote; every step of every run does, so it is read in one go. */
    public static BudgetLedger parse(String text) {
        BudgetLedger ledger = new BudgetLedger(RunBudget.STANDARD);
        int at = 0;
        for (Account account : ledger.accounts.values()) {
            if (at >= text.length()) {
                break;
            }
            int used = text.indexOf('/', at) + 1;
            int reserved = text.indexOf('/', used) + 1;
            int warned = text.indexOf('/', reserved) + 1;
            account.limit = Long.parseLong(text, at, used - 1, 10);
            account.used = Long.parseLong(text, used, reserved - 1, 10);
            account.reserved = Long.parseLong(text, reserved, warned - 1, 10);
            int marks = text.charAt(warned) - '0';
            account.isWarned = (marks & WARNED) != 0;
            account.isStopping = (marks & STOPPING) != 0;
            at = warned + 2;
        }
        return ledger;
    }

    /**
     * The accounts in the order of the guardrails: limit, used, reserved, and marks: 1 if a warning was given, 2 if it has stopped
     * the run, 3 for both.
     */
    public String text() {
        StringBuilder text = new StringBuilder(160);
        for (Account account : accounts.values()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(account.limit)
                    .append('/')
                    .append(account.used)
                    .append('/')
                    .append(account.reserved)
                    .append('/')
                    .append((account.isWarned ? WARNED : 0) + (account.isStopping ? STOPPING : 0));
        }
        return text.toString();
    }

    private Account account(Guardrail guardrail) {
        return Objects.requireNonNull(accounts.get(guardrail));
    }

    /** Charges all of it or, if one guardrail does not allow it, nothing; then answers which. */
    public @Nullable BudgetExcess charge(Bill bill) {
        for (Map.Entry<Guardrail, Long> line : bill.lines().entrySet()) {
            Guardrail guardrail = line.getKey();
            Account account = account(guardrail);
            long before = guardrail.isPeak() ? 0 : account.taken();
            if (line.getValue() > account.limit - before) {
                return new BudgetExcess(guardrail, account.limit, before, line.getValue());
            }
        }
        bill.lines().forEach((guardrail, amount) -> {
            Account account = account(guardrail);
            if (guardrail.isPeak()) {
                account.used = Math.max(account.used, amount);
            } else if (guardrail == Guardrail.COST_UNITS || guardrail == Guardrail.ATTEMPTS) {
                account.reserved += amount;
            } else {
                account.used += amount;
            }
        });
        return null;
    }

    /** An attempt that was charged has been made. */
    public void settle(long cost) {
        settle(account(Guardrail.COST_UNITS), cost);
        settle(account(Guardrail.ATTEMPTS), 1);
    }

    private static void settle(Account account, long amount) {
        long made = Math.min(amount, account.reserved);
        account.reserved -= made;
        account.used += made;
    }

    /** Guardrails that have just passed 80 percent; each is told once. */
    public List<BudgetLine> warnings() {
        List<BudgetLine> passed = new ArrayList<>();
        accounts.forEach((guardrail, account) -> {
            if (!account.isWarned && line(guardrail).isHigh()) {
                account.isWarned = true;
                passed.add(line(guardrail));
            }
        });
        return passed;
    }

    /** Raises a limit; a warning about it may come again. */
    public void topUp(Guardrail guardrail, long by) {
        Account account = account(guardrail);
        account.limit = account.limit > Long.MAX_VALUE - by ? Long.MAX_VALUE : account.limit + by;
        account.isWarned = false;
    }

    /** Notes that a part of the run stands still because of this guardrail. */
    public void stop(Guardrail guardrail) {
        account(guardrail).isStopping = true;
    }

    /** Forgets what has stopped the run: it tries again. */
    public void resume() {
        accounts.values().forEach(account -> account.isStopping = false);
    }

    /** What has stopped the run since it went on last. */
    public Set<Guardrail> stoppedBy() {
        Set<Guardrail> stopping = EnumSet.noneOf(Guardrail.class);
        accounts.forEach((guardrail, account) -> {
            if (account.isStopping) {
                stopping.add(guardrail);
            }
        });
        return stopping;
    }

    /** What is spent so far, as text; {@link #rewind} goes back to it. */
    public String spent() {
        StringBuilder text = new StringBuilder(32);
        for (Account account : accounts.values()) {
            text.append(text.isEmpty() ? "" : " ").append(account.taken());
        }
        return text.toString();
    }

    /** Forgets what was spent since; what is reserved for work that is under way stays reserved. */
    public void rewind(String spent) {
        String[] figures = spent.split(" ", -1);
        int i = 0;
        for (Account account : accounts.values()) {
            if (i < figures.length) {
                account.used = Math.min(account.used, Long.parseLong(figures[i]));
            }
            i++;
        }
    }

    public long limit(Guardrail guardrail) {
        return account(guardrail).limit;
    }

    public BudgetLine line(Guardrail guardrail) {
        Account account = account(guardrail);
        return new BudgetLine(guardrail, account.limit, account.used, account.reserved);
    }

    public List<BudgetLine> lines() {
        return accounts.keySet().stream().map(this::line).toList();
    }

    /** What some work asks of a budget. */
    public static final class Bill {
        private final Map<Guardrail, Long> lines = new EnumMap<>(Guardrail.class);

        public Bill add(Guardrail guardrail, long amount) {
            if (guardrail.isPeak()) {
                lines.merge(guardrail, amount, Math::max);
            } else {
                lines.merge(guardrail, amount, Long::sum);
            }
            return this;
        }

        /** One attempt of a step of this cost. */
        public Bill attempt(long cost) {
            return add(Guardrail.ATTEMPTS, 1).add(Guardrail.COST_UNITS, cost);
        }

        Map<Guardrail, Long> lines() {
            return lines;
        }
    }
}
