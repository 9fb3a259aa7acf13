package dev.headgate.proof.mutants;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds the guards of a statement file: in every part of it that writes or locks, each condition that a {@code where} or the {@code on} of a
 * join ties to others with {@code and}, at any depth; and everywhere each lock. It knows words, parentheses, texts in quotes and comments, and no more of SQL: a clause with
 * an {@code or} beside its conditions is one guard, and so is a {@code case}.
 */
final class SqlScan {
    /** What ends a clause of conditions at its own depth. */
    private static final Set<String> ENDS = Set.of(
            "group",
            "order",
            "limit",
            "returning",
            "for",
            "union",
            "intersect",
            "except",
            "offset",
            "on",
            "window",
            "having",
            "do",
            "where",
            "set",
            "join",
            "left",
            "cross",
            ";");

    private static final String THEN = "-- then";

    private final String statement;
    private final String text;
    private final List<Token> tokens;
    private final Map<String, Integer> told = new HashMap<>();
    private final List<SqlMutant> mutants = new ArrayList<>();

    /** A word, a number, a text or one sign; {@code word} is in lower case. */
    private record Token(String word, int from, int to, int depth) {}

    private SqlScan(String statement, String text) {
        this.statement = statement;
        this.text = text;
        this.tokens = tokens(text);
    }

    /** One for each guard, in the order in which they stand. */
    static List<SqlMutant> mutants(String statement, String text) {
        SqlScan scan = new SqlScan(statement, text);
        int from = 0;
        for (int at = 0; at <= scan.tokens.size(); at++) {
            if (at == scan.tokens.size() || scan.is(at, THEN)) {
                scan.part(from, at);
                from = at + 1;
            }
        }
        return scan.mutants;
    }

    /** The text without comments and line breaks. */
    static String words(String text) {
        StringBuilder words = new StringBuilder();
        for (Token token : tokens(text)) {
            words.append(text, token.from(), token.to()).append(' ');
        }
        return words.toString();
    }

    private void part(int from, int to) {
        boolean isWriting = false;
        for (int at = from; at < to; at++) {
            isWriting |= isWrite(at) || endOfLock(at) > at;
        }
        for (int at = from; at < to; at++) {
            if (isWriting && is(at, "where") && !isTargetOfConflict(at)) {
                conditions("where ", at + 1, to);
            } else if (isWriting && is(at, "on") && !is(at + 1, "conflict")) {
                conditions("on ", at + 1, to);
            } else {
                lock(at);
            }
        }
    }

    private boolean isWrite(int at) {
        boolean isOwn = !is(at - 1, "for") && !is(at - 1, "key") && !is(at - 1, "do");
        return is(at, "insert") || is(at, "delete") || (is(at, "update") && isOwn);
    }

    /** The {@code where} of a partial index that finds the conflict: it is no condition of the write. */
    private boolean isTargetOfConflict(int where) {
        int at = where - 1;
        if (!is(at, ")")) {
            return false;
        }
        int depth = tokens.get(at).depth();
        while (at >= 0 && !(is(at, "(") && tokens.get(at).depth() == depth)) {
            at--;
        }
        return is(at - 1, "conflict");
    }

    private void conditions(String kind, int from, int to) {
        int depth = tokens.get(from).depth();
        int end = from;
        int cases = 0;
        boolean isEither = false;
        boolean isBetween = false;
        List<Integer> ands = new ArrayList<>();
        while (end < to && tokens.get(end).depth() >= depth && !isEnd(end, depth)) {
            Token token = tokens.get(end);
            if (token.depth() == depth) {
                switch (token.word()) {
                    case "case" -> cases++;
                    case "end" -> cases--;
                    case "between" -> isBetween = true;
                    case "or" -> isEither |= cases == 0;
                    case "and" -> {
                        if (cases == 0 && !isBetween) {
                            ands.add(end);
                        }
                        isBetween = false;
                    }
                    default -> {}
                }
            }
            end++;
        }
        int begin = from;
        if (!isEither) {
            for (int and : ands) {
                remove(kind, begin, and, "true");
                begin = and + 1;
            }
        }
        remove(kind, begin, end, "true");
    }

    private boolean isEnd(int at, int depth) {
        Token token = tokens.get(at);
        return token.depth() == depth && ENDS.contains(token.word());
    }

    /** Without the lock at all; and waiting where it would not. */
    private void lock(int at) {
        int end = endOfLock(at);
        if (end == at) {
            return;
        }
        if (is(end - 1, "locked") || is(end - 1, "nowait")) {
            remove("", is(end - 1, "locked") ? end - 2 : end - 1, end, "");
        }
        remove("", at, end, "");
    }

    /** Where the lock ends that begins here; here if none does. */
    private int endOfLock(int at) {
        int end = at + 1;
        while (is(end, "no") || is(end, "key")) {
            end++;
        }
        if (!is(at, "for") || (!is(end, "update") && !is(end, "share"))) {
            return at;
        }
        end++;
        end += is(end, "of") ? 2 : 0;
        end += is(end, "skip") ? 2 : 0;
        return is(end, "nowait") ? end + 1 : end;
    }

    private boolean is(int at, String word) {
        return at >= 0 && at < tokens.size() && tokens.get(at).word().equals(word);
    }

    private void remove(String kind, int from, int to, String instead) {
        int begin = tokens.get(from).from();
        int end = tokens.get(to - 1).to();
        String guard =
                kind + text.substring(begin, end).replaceAll("--[^\n]*", "").replaceAll("\\s+", " ");
        if (guard.equals("where true")) {
            return; // SQLite needs it between a select and a conflict
        }
        int times = told.merge(guard, 1, Integer::sum);
        String name = times == 1 ? guard : guard + " #" + times;
        mutants.add(new SqlMutant(statement, name, text.substring(0, begin) + instead + text.substring(end)));
    }

    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int depth = 0;
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = at + 1;
            if (Character.isWhitespace(c)) {
                at = end;
                continue;
            }
            if (text.startsWith("--", at)) {
                int newline = text.indexOf('\n', at);
                end = newline < 0 ? text.length() : newline;
                if (text.substring(at, end).equals(THEN)) {
                    tokens.add(new Token(THEN, at, end, 0));
                }
                at = end;
                continue;
            }
            if (c == '\'') {
                end = text.indexOf('\'', at + 1) + 1;
            } else if (isWord(c)) {
                while (end < text.length() && isWord(text.charAt(end))) {
                    end++;
                }
            }
            depth -= c == ')' ? 1 : 0;
            tokens.add(new Token(text.substring(at, end).toLowerCase(Locale.ROOT), at, end, depth));
            depth += c == '(' ? 1 : 0;
            at = end;
        }
        return tokens;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == ':';
    }
}
